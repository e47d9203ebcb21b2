"""A problem made ready to run: encoded once, used for every rollout of it.

Owns what enters the jail for each test (``inputs``) and, apart from it, what is expected. Test code of
``asserts`` is read in a jail (``asserts.lower``); here it is only laid out.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from evaluator_service import values
from evaluator_service.fits import decider_of
from evaluator_service.recently_used import RecentlyUsed
from evaluator_service.schema import CallProblem, InteractiveProblem, StdioProblem
from evaluator_service.values import DictValue, Value
from sandbox.model import Mode


class BadProblemError(Exception):
    """The problem itself cannot be judged, whatever the program: a judge error, not to be retried."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """One test, ready.

    Attributes:
        mode: How the program is used.
        input: What the jail is given.
        expected: Text or value; None for test code, which knows by itself.
        expected_bytes: The value encoded, to recognise an exact answer without decoding it.
        entry_point: Function to call, for Mode.CALL.
        weight: Share in a weighted reward.
        group: Tests of one group count only together.
        id: Name of the test, if it has one.
        arguments: What the problem's own program is given besides, for this test.
        is_checked: Whether the problem's own checker or interactor decides.
    """

    mode: Mode
    input: bytes
    expected: Any = None
    expected_bytes: bytes = b""
    entry_point: str = ""
    weight: float = 1.0
    id: str | None = None
    group: str | None = None
    is_checked: bool = False
    arguments: tuple[str, ...] = ()

    @property
    def is_compared(self) -> bool:
        """Whether its output is compared out here, rather than judged by the problem's own code."""
        return self.mode in (Mode.STDIO, Mode.CALL) and not self.is_checked

    @property
    def size_bytes(self) -> int:
        """Roughly what it takes to keep."""
        return len(self.input) + 2 * len(self.expected_bytes) + 500


def prepare(problem: StdioProblem | CallProblem | InteractiveProblem) -> list[Prepared]:
    """Lay out the tests of a problem whose expected outputs are data.

    Raises:
        BadProblemError: If a typed value cannot be read or encoded.
    """
    if not isinstance(problem, CallProblem):
        mode = Mode.STDIO if isinstance(problem, StdioProblem) else Mode.INTERACT
        is_checked = decider_of(problem) is not None
        return [
            Prepared(
                mode,
                test.input.encode(),
                test.expected,
                test.expected.encode(),
                weight=test.weight,
                id=test.id,
                group=test.group,
                is_checked=is_checked,
                arguments=tuple(test.arguments),
            )
            for test in problem.tests
        ]
    try:
        return [
            prepare_call(
                problem.entry_point,
                [values.from_json(argument) for argument in test.args],
                DictValue(tuple((key, values.from_json(v)) for key, v in test.kwargs.items())),
                values.from_json(test.expected),
                weight=test.weight,
                id=test.id,
                group=test.group,
            )
            for test in problem.tests
        ]
    except values.ValueFormatError as error:
        raise BadProblemError(str(error)) from error


def prepare_call(
    entry_point: str,
    arguments: list[Value],
    keywords: DictValue,
    expected: Value,
    *,
    weight: float = 1.0,
    id: str | None = None,  # noqa: A002 - the wire's own name
    group: str | None = None,
) -> Prepared:
    """One call with its expected value."""
    return Prepared(
        Mode.CALL,
        values.to_msgpack([arguments, keywords]),
        expected,
        values.to_msgpack(expected),
        entry_point,
        weight,
        id,
        group,
    )


class PreparedProblems:
    """The latest problems that were prepared, bounded in bytes; safe to use from many threads."""

    def __init__(self, max_bytes: int) -> None:
        self._kept: RecentlyUsed[list[Prepared]] = RecentlyUsed(max_bytes)

    def get(self, problem_id: str, make: Callable[[], list[Prepared]]) -> list[Prepared]:
        """What was prepared under this id, or what ``make`` returns now; two threads may both make it."""
        kept = self._kept.get(problem_id)
        if kept is not None:
            return kept
        made = make()
        self._kept.put(problem_id, made, sum(test.size_bytes for test in made))
        return made
