"""Verdicts, how tests fold into one, and the reward that follows.

Pure functions over plain values: no I/O, importable with the standard library alone (Python >= 3.11),
so that a training job can read a judgement without installing the service.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Literal, NamedTuple

RewardMode = Literal["all_or_nothing", "fraction", "weighted", "first_k"]

NOT_MATCHED = "none"
"""Stands for the method where outputs are counted by the one that matched, and none did."""

MOST_BUT_NOT_ALL = math.nextafter(1.0, 0.0)
"""The largest reward of a submission that was not accepted, whatever rounding makes of its weights."""


class Verdict(StrEnum):
    """What the judge says of a test or of a submission. The value is what travels on the wire."""

    ACCEPTED = "accepted"
    WRONG_ANSWER = "wrong_answer"
    TIME_LIMIT_EXCEEDED = "time_limit_exceeded"
    MEMORY_LIMIT_EXCEEDED = "memory_limit_exceeded"
    OUTPUT_LIMIT_EXCEEDED = "output_limit_exceeded"
    RUNTIME_ERROR = "runtime_error"
    COMPILE_ERROR = "compile_error"
    NO_CODE = "no_code"
    JUDGE_ERROR = "judge_error"
    SKIPPED = "skipped"

    @property
    def code(self) -> str:
        """The two- or three-letter code for tables and plots, for example ``TLE``."""
        return _ABOUT[self].code

    @property
    def meaning(self) -> str:
        """One sentence a user can act on."""
        return _ABOUT[self].meaning


class About(NamedTuple):
    """The short code and the meaning of one verdict."""

    code: str
    meaning: str


_ABOUT: dict[Verdict, About] = {
    Verdict.ACCEPTED: About("AC", "Every output matched what the problem expects."),
    Verdict.WRONG_ANSWER: About("WA", "The program ended properly, but an output did not match."),
    Verdict.TIME_LIMIT_EXCEEDED: About(
        "TLE", "The program used more CPU time than allowed, or idled far beyond it."
    ),
    Verdict.MEMORY_LIMIT_EXCEEDED: About("MLE", "The program asked for more memory than allowed."),
    Verdict.OUTPUT_LIMIT_EXCEEDED: About("OLE", "The program wrote more output than allowed."),
    Verdict.RUNTIME_ERROR: About(
        "RE", "The program crashed: an exception, a signal, or an exit status other than 0."
    ),
    Verdict.COMPILE_ERROR: About("CE", "The source could not be compiled within its limits."),
    Verdict.NO_CODE: About("NC", "Nothing to run was found in the completion."),
    Verdict.JUDGE_ERROR: About(
        "JE", "The judge's own fault: no mark is given, the reward is null, see `error`."
    ),
    Verdict.SKIPPED: About(
        "SK", "Not run, because an earlier test already decided, or nothing could run."
    ),
}


def fold(
    verdicts: Sequence[Verdict],
    *,
    mode: RewardMode = "all_or_nothing",
    before_tests: Verdict | None = None,
) -> Verdict:
    """Fold the verdicts of tests, in declared order, into the verdict of the submission.

    The first test that was not accepted decides. With a partial reward every test decides, so one
    judge error among them leaves the mark unknown.

    Args:
        verdicts: One per test, in declared order; ``skipped`` tests are passed over.
        mode: How partial success counts.
        before_tests: Set when no test could run (``no_code``, ``compile_error``, ``judge_error``).

    Raises:
        ValueError: If nothing was judged at all: silence must never read as acceptance.
    """
    if before_tests is not None:
        return before_tests
    ran = [verdict for verdict in verdicts if verdict is not Verdict.SKIPPED]
    if not ran:
        raise ValueError("no test was judged: a submission without evidence has no verdict")
    if mode != "all_or_nothing" and Verdict.JUDGE_ERROR in ran:
        return Verdict.JUDGE_ERROR
    return next((verdict for verdict in ran if verdict is not Verdict.ACCEPTED), Verdict.ACCEPTED)


def credit(verdict: Verdict, score: float | None = None) -> float:
    """What a test earns in a partial reward, in [0, 1]: all if accepted, else the share that a checker gave."""
    if verdict is Verdict.ACCEPTED:
        return 1.0
    return min(score or 0.0, MOST_BUT_NOT_ALL)


def by_group(earned_alone: Sequence[float], groups: Sequence[str | None]) -> list[float]:
    """What each test counts as in a partial reward: of a group, each as the one that earned least.

    Args:
        earned_alone: One per test, in [0, 1].
        groups: The name of each test's group; None for a test that counts by itself.
    """
    least: dict[str | None, float] = {}
    for earned, group in zip(earned_alone, groups, strict=True):
        least[group] = min(earned, least.get(group, 1.0))
    return [
        earned if group is None else least[group]
        for earned, group in zip(earned_alone, groups, strict=True)
    ]


class Penalties(NamedTuple):
    """The rewards of submissions that nothing could be run of, each in [-1, 0]."""

    no_code: float = 0.0
    compile_error: float = 0.0


NO_PENALTIES = Penalties()


def stops_for(mode: RewardMode, stop: str) -> str:
    """The effective ``stop``: partial rewards need every test, whatever was asked for."""
    return stop if mode == "all_or_nothing" else "never"


def reward(
    mode: RewardMode,
    verdict: Verdict,
    tests: Iterable[tuple[float, float]],
    *,
    first_k: int | None = None,
    penalties: Penalties = NO_PENALTIES,
) -> float | None:
    """The reward of one submission in [0, 1], a penalty in [-1, 0], or None when the judge itself failed.

    ``all_or_nothing``: 1 if accepted, else 0. ``fraction``: what the tests earned / all tests.
    ``weighted``: what they earned, each times its weight / weight of all tests. ``first_k``: what the first k
    earned / k, or / all tests where there are fewer. A test earns 1 if it is accepted, else the share that the
    problem's checker gave it, usually 0 (``credit``).

    Args:
        mode: How partial success counts.
        verdict: The folded verdict of the submission.
        tests: (credit, weight) of every test of the problem; weights are positive.
        first_k: How many tests count, with mode ``first_k``.
        penalties: The reward of what could not be run.
    """
    match verdict:
        case Verdict.JUDGE_ERROR:
            return None
        case Verdict.ACCEPTED:
            return 1.0
        case Verdict.NO_CODE:
            return penalties.no_code
        case Verdict.COMPILE_ERROR:
            return penalties.compile_error
    if mode == "all_or_nothing":
        return 0.0
    return _share(mode, list(tests)[:first_k])


def _share(mode: RewardMode, tests: Sequence[tuple[float, float]]) -> float:
    weighed = [(earned, weight if mode == "weighted" else 1.0) for earned, weight in tests]
    heaviest = max((weight for _, weight in weighed), default=0.0)
    if heaviest == 0:
        return 0.0
    # as parts of the heaviest: the sum of very large weights is infinite
    shares = [(earned, weight / heaviest) for earned, weight in weighed]
    share = sum(earned * part for earned, part in shares)
    return min(share / sum(part for _, part in shares), MOST_BUT_NOT_ALL)
