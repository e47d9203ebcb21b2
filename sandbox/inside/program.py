"""Compiling hostile source and running it, in processes that have nothing to lose.

Source is compiled in a throwaway child (``compile_sources``) that writes marshalled code to a memfd; only
test children, unprivileged as well, ever load it (``load``). The session touches neither.
"""

from __future__ import annotations

import linecache
import marshal
import os
import sys
import traceback
import types
from functools import partial
from typing import Any, NamedTuple

import msgpack

FILE_NAME = "solution.py"
PRELUDE_FILE_NAME = "prelude.py"
COMPILE_FAILED_EXIT_CODE = 1
_PYCF_ALLOW_INCOMPLETE_INPUT = 0x4000
"""codeop's own flag: the compiler then says "incomplete input" where more lines could mend it."""
_INHERITED_FLAGS = True


class Loaded(NamedTuple):
    """Code ready to run."""

    prelude: types.CodeType | None
    code: types.CodeType


def compile_sources(source_fd: int, prelude_fd: int, code_fd: int, report_fd: int) -> Loaded | None:
    """Compile both, write the code to ``code_fd`` and, if it fails, why to ``report_fd``.

    The prelude comes first, before the source is so much as read: no program, however long, may leave so
    little memory that the problem seems to be at fault.

    Returns:
        The code, or None if it does not compile.
    """
    made, texts = [], []
    for fd, name in ((prelude_fd, PRELUDE_FILE_NAME), (source_fd, FILE_NAME)):
        text = read_whole(fd)
        texts.append(text)
        try:
            made.append(
                compile(text, name, "exec", dont_inherit=_INHERITED_FLAGS) if text else None
            )
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
            report = [_in_words(error), _is_incomplete(text, name, error)]
            os.write(report_fd, msgpack.packb(report, unicode_errors="replace"))
            return None
    code = made[1] or compile(b"", FILE_NAME, "exec")
    _write_all(code_fd, marshal.dumps((made[0], code, *texts)))
    return _loaded(made[0], code, *texts)


def _in_words(error: BaseException) -> str:
    lines = traceback.format_exception_only(error)
    return "".join(lines).encode("utf-8", "replace").decode()[-2000:]


def _is_incomplete(text: bytes, name: str, error: BaseException) -> bool:
    """Whether the text breaks off rather than being wrong: more of it could still compile."""
    if not isinstance(error, SyntaxError):
        return False
    try:
        compile(text, name, "exec", _PYCF_ALLOW_INCOMPLETE_INPUT, dont_inherit=_INHERITED_FLAGS)
    except SyntaxError as second:
        if "incomplete input" in str(second.msg):
            return True
    except (ValueError, RecursionError, MemoryError, OverflowError):
        return False
    last_line = len(text.rstrip().splitlines())
    at_end = error.lineno is not None and error.lineno >= last_line
    return at_end and str(error.msg).startswith(("unterminated", "expected an indented block"))


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def read_whole(fd: int) -> bytes:
    """All bytes of a memfd, wherever its offset stands."""
    size = os.fstat(fd).st_size
    parts: list[bytes] = []
    while size > 0:
        part = os.pread(fd, min(size, 1 << 30), sum(map(len, parts)))
        if not part:
            break
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def load(code_fd: int) -> Loaded:
    """Load what ``compile_sources`` wrote, and let tracebacks show its lines."""
    return _loaded(*marshal.loads(read_whole(code_fd)))  # noqa: S302 - in the child that runs it anyway


def _loaded(
    prelude: types.CodeType | None, code: types.CodeType, prelude_text: bytes, text: bytes
) -> Loaded:
    for name, source in ((PRELUDE_FILE_NAME, prelude_text), (FILE_NAME, text)):
        # a lazy entry: read when a traceback is shown, which few programs do
        linecache.cache[name] = (partial(source.decode, "utf-8", "replace"),)
    return Loaded(prelude, code)


def names_in(loaded: Loaded) -> set[str]:
    """Every name that the code looks up, as variable, attribute or module."""
    found: set[str] = set()
    waiting = [code for code in loaded if code is not None]
    while waiting:
        code = waiting.pop()
        found.update(code.co_names)
        waiting.extend(part for part in code.co_consts if isinstance(part, types.CodeType))
    return found


def fresh_main(name: str, names: dict[str, Any] | None = None) -> types.ModuleType:
    """A new main module, also importable as ``solution``, with ``names`` defined.

    Args:
        name: What it takes itself for: only a script is ``__main__``, and runs its own last lines.
        names: What is defined before it.
    """
    module = types.ModuleType(name)
    module.__dict__.update(names or {}, __builtins__=__builtins__, __file__=FILE_NAME)
    sys.modules["__main__"] = sys.modules["solution"] = module
    sys.argv = [FILE_NAME]
    return module


def define(loaded: Loaded, module: types.ModuleType) -> None:
    """Run the prelude, then the program, in ``module``; whatever they raise goes through."""
    if loaded.prelude is not None:
        exec(loaded.prelude, module.__dict__)  # noqa: S102 - this is what the jail is for
    exec(loaded.code, module.__dict__)  # noqa: S102 - this is what the jail is for


def exit_code_of(error: SystemExit) -> int:
    """The status that ``sys.exit`` asks for, as Python itself would give it."""
    if error.code is None:
        return 0
    if isinstance(error.code, int):
        return error.code & 0xFF
    print(error.code, file=sys.stderr)  # noqa: T201 - as Python does
    return 1


def show_exception(error: BaseException) -> None:
    """Print a traceback that begins in the program, as it would look without the judge."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename not in (
        FILE_NAME,
        PRELUDE_FILE_NAME,
    ):
        trace = trace.tb_next
    try:
        if sys.excepthook is not sys.__excepthook__:
            sys.excepthook(type(error), error, trace)
        else:
            traceback.print_exception(type(error), error, trace)
        sys.stderr.flush()
    except BaseException:  # noqa: BLE001 - the program may have broken its own stderr; say it plainly
        os.write(2, type(error).__name__.encode("ascii", "replace")[:200])
