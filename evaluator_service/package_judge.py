"""Judging the labelled submissions of a problem package: what each was expected to do, and what it did.

Where the package gives no time limit, its accepted submissions are judged first, with a wide one; the limit follows
from the slowest of them, as the tools of the format have it.
"""

import asyncio
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from evaluator_service.kattis import Labelled, Package, earned, unmet
from evaluator_service.kattis.metadata import Timing
from evaluator_service.refusals import LanguageMissing
from evaluator_service.schema import Judgement, Limits, SubmissionBase, problem_id
from evaluator_service.settings import Settings
from evaluator_service.verdicts import Verdict
from evaluator_service.work import Work

_NAMED_BY_ITS_CLASS = frozenset({"java"})
"""Languages in which the name of a file is part of the program."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One submission: what was expected, and what came of it.

    Attributes:
        path: Its name below ``submissions/``.
        language: As the wire or the package calls it, if it is known.
        expected: Its label.
        judgement: None if it was not judged.
        points: What it earned; None where there are no points, or no judgement.
        skipped: Why it was not judged; None if it was.
        unmet: Why the judgement is not what was expected; None if it is.
    """

    path: str
    language: str | None
    expected: str | None = None
    judgement: Judgement | None = None
    points: float | None = None
    skipped: str | None = None
    unmet: str | None = None

    @property
    def cpu_time_seconds(self) -> float | None:
        """CPU time of its slowest test, in seconds; None if none ran."""
        tests = self.judgement.tests if self.judgement is not None else []
        return max(
            (test.cpu_time_seconds for test in tests if test.cpu_time_seconds is not None),
            default=None,
        )


@dataclass(frozen=True, slots=True)
class PackageReport:
    """What came of all submissions of a package.

    Attributes:
        name: The package's.
        outcomes: By path.
        time_limit_seconds: CPU time of one test that applied.
        time_limit_is_found: Whether it follows from the slowest accepted submission.
        all_points: What can be earned; None where there are no points.
        departures: In what the problem is not what the package says.
    """

    name: str
    outcomes: Sequence[Outcome]
    time_limit_seconds: float
    time_limit_is_found: bool
    all_points: float | None
    departures: Sequence[str]

    @property
    def judged_count(self) -> int:
        """Submissions that were judged."""
        return sum(outcome.skipped is None for outcome in self.outcomes)

    @property
    def not_reproduced(self) -> list[Outcome]:
        """Those that did not do what was expected of them."""
        return [outcome for outcome in self.outcomes if outcome.unmet is not None]


def time_limit_seconds(timing: Timing, slowest_seconds: float) -> float:
    """The time limit that follows from the slowest accepted submission: a multiple of the resolution, at least one."""
    multiples = math.ceil(slowest_seconds * timing.multiplier / timing.resolution_seconds)
    return max(multiples, 1) * timing.resolution_seconds


class Submits(Protocol):
    """What takes submissions; an executor does."""

    async def submit(self, works: Sequence[Work]) -> list[asyncio.Future[Judgement]]:
        """Futures of their judgements."""


async def judge_package(
    package: Package,
    executor: Submits,
    settings: Settings,
    advance: Callable[[], None] = lambda: None,
) -> PackageReport:
    """Judge all labelled submissions of a package.

    Args:
        package: The package.
        executor: Started; left running.
        settings: For the widest and the usual time limit.
        advance: Called after each submission.

    Raises:
        LanguageMissing: If the problem itself has a program in a language that is not here.
    """
    judge = _PackageJudge(package, executor, advance)
    limit_seconds = package.timing.limit_seconds
    outcomes: list[Outcome] = []
    if limit_seconds is None:
        timed = [each for each in package.submissions if each.expectation.sets_time_limit]
        outcomes = await judge.all_of(timed, settings.max_cpu_time_seconds)
        slowest_seconds = _slowest_accepted(outcomes)
        if slowest_seconds is not None:
            limit_seconds = time_limit_seconds(package.timing, slowest_seconds)
    done = {outcome.path for outcome in outcomes}
    rest = [each for each in package.submissions if each.path not in done]
    applied_seconds = limit_seconds or settings.default_cpu_time_seconds
    outcomes += await judge.all_of(rest, applied_seconds)
    outcomes += [Outcome(each.path, each.language, skipped=each.why) for each in package.skipped]
    return PackageReport(
        name=package.name,
        outcomes=sorted(outcomes, key=lambda outcome: outcome.path),
        time_limit_seconds=min(applied_seconds, settings.max_cpu_time_seconds),
        time_limit_is_found=package.timing.limit_seconds is None and limit_seconds is not None,
        all_points=package.scoring.points if package.scores else None,
        departures=package.departures,
    )


def _slowest_accepted(outcomes: Sequence[Outcome]) -> float | None:
    times = [
        outcome.cpu_time_seconds
        for outcome in outcomes
        if outcome.judgement is not None and outcome.judgement.verdict is Verdict.ACCEPTED
    ]
    return max((seconds for seconds in times if seconds is not None), default=None)


class _PackageJudge:
    def __init__(self, package: Package, executor: Submits, advance: Callable[[], None]) -> None:
        self._package = package
        self._problem_id = problem_id(package.problem)
        self._executor = executor
        self._advance = advance

    async def all_of(self, submissions: Sequence[Labelled], limit_seconds: float) -> list[Outcome]:
        """Judge these, as many at a time as there are slots."""
        return list(
            await asyncio.gather(*(self._outcome(each, limit_seconds) for each in submissions))
        )

    async def _outcome(self, labelled: Labelled, limit_seconds: float) -> Outcome:
        """Judge one; its first failure is enough where that is what was expected."""
        submission = _submission(labelled, limit_seconds)
        try:
            outcome = self._compared(labelled, await self._judged(submission))
            if outcome.unmet is not None and _stopped_early(outcome):
                every_test = submission.model_copy(update={"stop": "never"})
                outcome = self._compared(labelled, await self._judged(every_test))
        except LanguageMissing as error:
            if "problem" in error.where:  # nothing can be judged then
                raise
            outcome = replace(_outcome_of(labelled), skipped=str(error))
        self._advance()
        return outcome

    async def _judged(self, submission: SubmissionBase) -> Judgement:
        problem = self._package.problem
        work = Work(submission, problem, self._problem_id, arrived=time.monotonic())
        (future,) = await self._executor.submit([work])
        return await future

    def _compared(self, labelled: Labelled, judgement: Judgement) -> Outcome:
        scoring = self._package.scoring
        points = earned(zip(judgement.tests, scoring.worths, strict=True))
        return replace(
            _outcome_of(labelled),
            judgement=judgement,
            points=points if self._package.scores else None,
            unmet=unmet(labelled.expectation, judgement, scoring),
        )


def _outcome_of(labelled: Labelled) -> Outcome:
    """What is known before it is judged."""
    return Outcome(labelled.path, labelled.source.language, labelled.expectation.label)


def _stopped_early(outcome: Outcome) -> bool:
    judgement = outcome.judgement
    if judgement is None or judgement.verdict is Verdict.JUDGE_ERROR:
        return False
    verdicts = [test.verdict for test in judgement.tests]
    return Verdict.SKIPPED in verdicts and set(verdicts) != {Verdict.SKIPPED}


def _submission(labelled: Labelled, limit_seconds: float) -> SubmissionBase:
    source = labelled.source
    is_named = source.files or source.language in _NAMED_BY_ITS_CLASS
    return SubmissionBase(
        id=labelled.path[-128:],
        language=source.language,
        code=source.code,
        files=dict(source.files),
        file_name=source.file_name if is_named else None,
        limits=Limits(cpu_time_seconds=limit_seconds),
        stop="never" if labelled.expectation.needs_every_test else "first_failure",
        report="tests",
    )
