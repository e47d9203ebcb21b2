"""What a labelled submission is expected to do, and whether a judgement is that.

As in the format, an expectation is a list of rules on the verdicts of tests: those that may occur, and those of which
one must.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from evaluator_service.judgement import Judgement, TestResult
from evaluator_service.kattis.globs import matches
from evaluator_service.kattis.worth import Scoring, Worth
from evaluator_service.verdicts import Verdict, by_group, credit

CODES: frozenset[str] = frozenset({"AC", "WA", "TLE", "RTE"})
"""What the format calls the end of a test."""

_CODES_OF: Mapping[Verdict, frozenset[str]] = {
    Verdict.ACCEPTED: frozenset({"AC"}),
    Verdict.WRONG_ANSWER: frozenset({"WA"}),
    Verdict.TIME_LIMIT_EXCEEDED: frozenset({"TLE"}),
    Verdict.RUNTIME_ERROR: frozenset({"RTE"}),
    Verdict.MEMORY_LIMIT_EXCEEDED: frozenset({"RTE"}),
    Verdict.OUTPUT_LIMIT_EXCEEDED: frozenset({"WA", "RTE"}),  # the format leaves it open
}
_ROUNDING = 1e-6
"""Points are compared within this share of all points."""

Ran = tuple[TestResult, Worth]


@dataclass(frozen=True, slots=True)
class Rule:
    """What must hold for some of the tests.

    Attributes:
        scope: Which tests: a pattern of their names or groups; empty for all.
        permitted: How each may end.
        required: How at least one must end.
        score: The least and the most points they may earn; None for any.
        points: ``some``: more than none and fewer than all; ``all``; None for any.
    """

    scope: str = ""
    permitted: frozenset[str] = CODES
    required: frozenset[str] = CODES
    score: tuple[float, float] | None = None
    points: Literal["some", "all"] | None = None


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a submission is expected to do.

    Attributes:
        label: What people call it: the name of the submission's folder, or the verdicts that a comment names.
        rules: All of them must hold.
        verdicts: Those it may end with; empty for any.
        sets_time_limit: Whether the time limit follows from it where none is given.
    """

    label: str
    rules: tuple[Rule, ...] = ()
    verdicts: frozenset[Verdict] = frozenset()
    sets_time_limit: bool = False

    @property
    def needs_every_test(self) -> bool:
        """Whether it says nothing of a submission that was stopped at its first failure."""
        return any(rule.scope or rule.score or rule.points for rule in self.rules)


def unmet(expectation: Expectation, judgement: Judgement, scoring: Scoring) -> str | None:
    """Why a judgement is not what was expected, in words; None if it is.

    Args:
        expectation: What was expected.
        judgement: With its tests.
        scoring: What the tests are worth.
    """
    if judgement.error is not None:
        return f"the judge failed: {judgement.error.message}"
    if expectation.verdicts:
        if judgement.verdict not in expectation.verdicts:
            return f"it ended with {judgement.verdict}"
    elif judgement.verdict in (Verdict.COMPILE_ERROR, Verdict.NO_CODE):
        return f"nothing ran: {judgement.message or judgement.verdict}"
    ran = list(zip(judgement.tests, scoring.worths, strict=True))
    return next(filter(None, (_broken(rule, ran, scoring) for rule in expectation.rules)), None)


def earned(ran: Iterable[Ran]) -> float:
    """The points of these tests, as a weighted reward counts them."""
    tests = list(ran)
    alone = [credit(result.verdict, result.score) for result, _ in tests]
    counted = by_group(alone, [worth.group for _, worth in tests])
    return sum(share * worth.points for share, (_, worth) in zip(counted, tests, strict=True))


def _broken(rule: Rule, ran: Sequence[Ran], scoring: Scoring) -> str | None:
    """How a rule does not hold, if it does not."""
    chosen = [
        (result, worth)
        for result, worth in ran
        if result.verdict is not Verdict.SKIPPED and matches(rule.scope, worth.name)
    ]
    for result, worth in chosen:
        if not _codes(result) & rule.permitted:
            return f"{worth.name}: {result.verdict}; permitted: {_listed(rule.permitted)}"
    if not any(_codes(result) & rule.required for result, _ in chosen):
        where = f" of {rule.scope}" if rule.scope else ""
        return f"no test{where} ended with {_listed(rule.required)}"
    return _misscored(rule, chosen, scoring.points)


def _misscored(rule: Rule, chosen: Sequence[Ran], all_points: float) -> str | None:
    points, most = earned(chosen), sum(worth.points for _, worth in chosen)
    margin = _ROUNDING * all_points
    if rule.score is not None:
        least_allowed, most_allowed = rule.score
        if not least_allowed - margin <= points <= most_allowed + margin:
            return f"{points:g} points, not {least_allowed:g} to {most_allowed:g}"
    if rule.points == "all" and points < most - margin:
        return f"{points:g} of {most:g} points, not all"
    if rule.points == "some" and not margin < points < most - margin:
        return f"{points:g} of {most:g} points, not some"
    return None


def _codes(result: TestResult) -> frozenset[str]:
    """What the format calls this; with fewer points than there are a test is accepted, too."""
    if result.score:
        return _CODES_OF[Verdict.ACCEPTED]
    return _CODES_OF.get(result.verdict, frozenset())


def _listed(codes: frozenset[str]) -> str:
    return ", ".join(sorted(codes))
