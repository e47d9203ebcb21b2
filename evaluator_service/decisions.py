"""What a checker or an interactor means by how it ends: pure, and in one place.

Kattis: https://www.kattis.com/problem-package-format (output validators: 42, 43, the feedback directory).
testlib: https://github.com/MikeMirzayanov/testlib (exit codes 0, 1, 2, 3, 4, 7, 8; ``points X`` on standard error).
Anything else is the problem's mistake, never the program's.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import NamedTuple

from evaluator_service.prepare import BadProblemError
from evaluator_service.schema import Checker, ComparisonResult, Interactor
from evaluator_service.values import Value

_KATTIS_ACCEPTED, _KATTIS_REJECTED = 42, 43
_TESTLIB_ACCEPTED, _TESTLIB_FAILED, _TESTLIB_POINTS = 0, 3, 7
_TESTLIB_REJECTED = frozenset({1, 2, 4, 8})
"""Wrong answer, presentation error, something left over, unexpected end of the output."""

_POINTS = re.compile(r"\s*+(?:partially correct \(|points )?\(?([-+0-9.eE]++|nan|inf)\)?")
_MESSAGE_CHARACTERS = 500


class Decision(NamedTuple):
    """Whether an output is right, and the share of the test that it earns where shares are given."""

    comparison: ComparisonResult
    score: float | None = None

    @property
    def matched(self) -> bool:
        """Whether it earns everything."""
        return self.comparison.matched


class Ending(NamedTuple):
    """How a checker or interactor ended.

    Attributes:
        exit_code: Its exit status; of a signal, less than 0.
        said: The beginning of what it wrote to standard error.
        feedback: Its feedback files by name.
    """

    exit_code: int
    said: bytes
    feedback: Mapping[str, bytes]


def decision_of(program: Checker | Interactor, ending: Ending) -> Decision:
    """What it decided.

    Raises:
        BadProblemError: If it decided nothing.
    """
    if program.protocol == "kattis":
        return _by_kattis(program, ending)
    return _by_testlib(program, ending)


def _by_kattis(program: Checker | Interactor, ending: Ending) -> Decision:
    message = _text(ending.feedback.get("judgemessage.txt", b"") or ending.said)
    match ending.exit_code:
        case code if code == _KATTIS_ACCEPTED:
            return _scored(program, _kattis_share(program, ending.feedback), message)
        case code if code == _KATTIS_REJECTED:
            return decided(program, 0.0, message, has_scores=False)
    raise _nonsense(program, ending)


def _kattis_share(program: Checker | Interactor, feedback: Mapping[str, bytes]) -> float | None:
    if program.max_score is None:
        return None
    if "score_multiplier.txt" in feedback:
        return _number(program, feedback["score_multiplier.txt"])
    if "score.txt" in feedback:
        return _number(program, feedback["score.txt"]) / program.max_score
    return None


def _by_testlib(program: Checker | Interactor, ending: Ending) -> Decision:
    message = _text(ending.said)
    if ending.exit_code == _TESTLIB_ACCEPTED:
        return decided(program, 1.0, message, has_scores=False)
    if ending.exit_code in _TESTLIB_REJECTED:
        return decided(program, 0.0, message, has_scores=False)
    if ending.exit_code == _TESTLIB_POINTS:
        points = _POINTS.match(message)
        if points is None:
            raise _nonsense(program, ending, "said no points")
        share = _number(program, points[1].encode()) / (program.max_score or 1.0)
        return _scored(program, share, message)
    if ending.exit_code == _TESTLIB_FAILED:
        raise BadProblemError(f"the {_name(program)} says that the problem is at fault: {message}")
    raise _nonsense(program, ending)


def decision_of_value(program: Checker, value: Value) -> Decision:
    """What a function returned: a bool, a score, or either with a message.

    Raises:
        BadProblemError: If it is none of these.
    """
    message = ""
    if isinstance(value, tuple | list) and len(value) == 2:
        value, said = value
        message = said if isinstance(said, str) else ""
    if isinstance(value, bool):
        return decided(program, float(value), message, has_scores=False)
    if isinstance(value, int | float):
        return _scored(program, _as_float(value) / (program.max_score or 1.0), message)
    raise BadProblemError(
        "the checker returned neither a bool nor a score, nor either with a message"
    )


def _scored(program: Checker | Interactor, share: float | None, message: str) -> Decision:
    if share is None:
        return decided(program, 1.0, message, has_scores=False)
    if not math.isfinite(share):
        raise BadProblemError(f"the {_name(program)} gave a score that is no number")
    return decided(program, share, message, has_scores=True)


def decided(
    program: Checker | Interactor, share: float, message: str, *, has_scores: bool
) -> Decision:
    """A decision in its usual form: everything earned is accepted, less is not."""
    share = min(max(share, 0.0), 1.0)
    matched = share == 1.0
    comparison = ComparisonResult(
        matched=matched,
        method=_name(program) if matched else None,
        detail=message[:_MESSAGE_CHARACTERS] or None,
    )
    return Decision(comparison, share if has_scores else None)


def _nonsense(
    program: Checker | Interactor, ending: Ending, what: str | None = None
) -> BadProblemError:
    if what is None and ending.exit_code < 0:
        what = f"was ended by signal {-ending.exit_code}"
    what = (
        what or f"ended with exit status {ending.exit_code}, which {program.protocol} does not know"
    )
    said = _text(ending.said)
    return BadProblemError(f"the {_name(program)} {what}" + (f": {said}" if said else ""))


def _number(program: Checker | Interactor, text: bytes) -> float:
    try:
        return float(text.split()[0])
    except (ValueError, IndexError) as error:
        raise BadProblemError(
            f"the {_name(program)} gave a score that is no number: {_text(text)!r}"
        ) from error


def _as_float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:  # an integer beyond all floats: no score
        return math.inf


def _name(program: Checker | Interactor) -> str:
    return "checker" if isinstance(program, Checker) else "interactor"


def _text(said: bytes) -> str:
    return said.decode("utf-8", "replace").strip()[:_MESSAGE_CHARACTERS]
