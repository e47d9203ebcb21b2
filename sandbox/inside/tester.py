"""Mode TEST: test code runs here, alone; the program it tests answers from a jail of its own.

Names that the test code expects of the program are stand-ins that send each call through a pipe and
return plain data. So nothing of the program's making runs here: no ``__eq__``, no patched builtin, no
frame to walk. Arguments that the program changed in place are changed here too.
"""

from __future__ import annotations

import builtins
import sys
import types
from typing import Any, ClassVar

import msgpack

from . import frames, nodes, pytest_names
from .call import write_result
from .program import Loaded, fresh_main, show_exception
from .serve import RETURNED
from .values import Decoder, encode
from .wire import TestEnd, Unit

REQUESTS_FD = 4
ANSWERS_FD = 5

TEST_FILE_NAME = "tests.py"


class ProgramGoneError(BaseException):
    """The program's process ended during a call.

    Not an Exception, so that test code which expects the program to raise does not catch it.
    """


class CannotTravelError(BaseException):
    """The test code called the program with something that is no plain data, such as a function."""


class ProgramRaisedError(Exception):
    """The program raised something that is no builtin exception."""


class StandIn:
    """A function of the program, seen from the tester's jail."""

    lost: ClassVar[BaseException | None] = None
    """Why the program cannot be asked any more; test code may have caught it without knowing."""

    def __init__(self, name: str) -> None:
        self.__name__ = self.__qualname__ = name

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Have the program make the call; returns plain data or raises what the program raised."""
        given = [list(arguments), keywords]
        try:
            request = encode([self.__name__, *given])
        except TypeError as error:
            StandIn.lost = CannotTravelError(str(error))
            raise StandIn.lost from error
        try:
            frames.send(REQUESTS_FD, request)
            result, raised = _read_answer(frames.receive(ANSWERS_FD), given)
        except (frames.PeerGoneError, msgpack.UnpackException, TypeError, ValueError) as error:
            StandIn.lost = ProgramGoneError(str(error))
            raise StandIn.lost from error
        if raised is not None:
            raise raised
        return result


def _read_answer(packed: bytes, given: list[Any]) -> tuple[Any, BaseException | None]:
    """What the program returned, or what it raised; arguments that it changed are changed in ``given``.

    Raises:
        ValueError: If the bytes are no answer; also TypeError and msgpack's own.
    """
    kind, first, second = msgpack.unpackb(packed, unicode_errors="surrogatepass")
    if kind != RETURNED:
        return None, _exception([str(name) for name in first], str(second))
    decoder = Decoder(nodes.ListNode, nodes.TreeNode)
    if second is not None:
        _change_in_place(given, decoder.decode(second))
    return decoder.decode(first), None


def _exception(classes: list[str], message: str) -> BaseException:
    for name in classes:
        kind = getattr(builtins, name, None)
        # map and zip would take it for their own end, and so end a test early
        if kind in (StopIteration, ExceptionGroup):  # the latter cannot be made of a message alone
            continue
        if isinstance(kind, type) and issubclass(kind, Exception) and kind is not Exception:
            error: BaseException = kind.__new__(kind, message)
            error.args = (message,)
            break
    else:
        error = ProgramRaisedError(f"{classes[0]}: {message}")
    error.raised_by_program = True  # type: ignore[attr-defined]
    return error


def _change_in_place(old: Any, new: Any) -> None:
    """Make mutable containers within ``old`` equal to ``new``, keeping their identity."""
    if type(old) is not type(new):
        return
    if isinstance(old, list):
        _change_items(old, new)
    elif isinstance(old, dict):
        for key in old.keys() & new.keys():
            _change_in_place(old[key], new[key])
        kept = {key: old[key] if _same(old.get(key), new[key]) else new[key] for key in new}
        old.clear()
        old.update(kept)
    elif isinstance(old, set):
        old.clear()
        old.update(new)


def _change_items(old: list[Any], new: list[Any]) -> None:
    for before, after in zip(old, new, strict=False):
        _change_in_place(before, after)
    old[:] = [
        old[place] if place < len(old) and _same(old[place], item) else item
        for place, item in enumerate(new)
    ]


def _same(old: Any, new: Any) -> bool:
    return type(old) is type(new) and bool(old == new)


def run(loaded: Loaded, packed: bytes) -> int:
    """Run one unit of test code and write how it ended to the result descriptor."""
    unit = Unit.unpack(packed)
    end, message = _run_unit(loaded, unit)
    write_result(msgpack.packb([int(end), message[:2000]], unicode_errors="replace"))
    return 0


def _run_unit(loaded: Loaded, unit: Unit) -> tuple[TestEnd, str]:
    module = fresh_main("tests")
    sys.modules["pytest"] = pytest_names.as_module()
    solution = types.ModuleType("solution")
    sys.modules["solution"] = solution
    try:
        code = compile(unit.code, TEST_FILE_NAME, "exec", dont_inherit=True)
        if loaded.prelude is not None:
            exec(loaded.prelude, module.__dict__)  # noqa: S102 - the problem's own code
            _take_node_classes(module)
    except BaseException as error:  # noqa: BLE001 - test code that cannot run is the problem's fault
        return TestEnd.BAD_TEST, in_words(error)
    for name in unit.solution_names:  # after the prelude, as the program would be: it may redefine
        stand_in = StandIn(name)
        setattr(solution, name, stand_in)
        setattr(module, name, stand_in)
    candidate = StandIn(unit.solution_names[0]) if unit.solution_names else None
    return end_of(lambda: _run_with_program(module, code, unit, candidate))


def _run_with_program(
    module: types.ModuleType, code: types.CodeType, unit: Unit, candidate: Any
) -> None:
    """Run test code; whatever it caught on the way, it has not passed without the program."""
    try:
        run_test_code(module, code, unit, candidate)
    finally:
        if StandIn.lost is not None:
            raise StandIn.lost


def _take_node_classes(module: types.ModuleType) -> None:
    """Let results come back as the node classes that the prelude defines."""
    for name in ("ListNode", "TreeNode"):
        kind = module.__dict__.get(name)
        if isinstance(kind, type):
            setattr(nodes, name, kind)


def run_test_code(
    module: types.ModuleType, code: types.CodeType, unit: Unit, candidate: Any
) -> None:
    """Run test code in ``module``, then the function the unit names."""
    exec(code, module.__dict__)  # noqa: S102 - the problem's own code
    if not unit.name:
        return
    kind, _, method = unit.name.rpartition(".")
    if kind:
        _run_method(module.__dict__[kind], method)
    elif unit.passes_entry_point:
        module.__dict__[method](candidate)
    else:
        for arguments in pytest_names.parameter_sets(module.__dict__[method]):
            module.__dict__[method](**arguments)


def _run_method(kind: Any, method: str) -> None:
    made = kind(method) if hasattr(kind, "assertEqual") else kind()
    for before in ("setup_method", "setUp"):
        getattr(made, before, lambda: None)()
    for arguments in pytest_names.parameter_sets(getattr(made, method)):
        getattr(made, method)(**arguments)
    getattr(made, "tearDown", lambda: None)()


def end_of(run_tests: Any) -> tuple[TestEnd, str]:
    """Run, and say in which way it ended and why."""
    try:
        run_tests()
    except ProgramGoneError as error:
        return TestEnd.PROGRAM_GONE, str(error)
    except CannotTravelError as error:
        return TestEnd.NEEDS_BESIDE, str(error)
    except BaseException as error:  # noqa: BLE001 - any way of failing is a failed test
        show_exception(error)
        by_program = getattr(error, "raised_by_program", False)
        return (TestEnd.PROGRAM_RAISED if by_program else TestEnd.FAILED), in_words(error)
    return TestEnd.PASSED, ""


def in_words(error: BaseException) -> str:
    """The exception's type and message, fit to travel."""
    text = f"{type(error).__name__}: {error}"
    return text.encode("utf-8", "replace").decode()
