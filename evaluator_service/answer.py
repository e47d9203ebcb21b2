"""The Judgement of a case: fold, reward, and no more detail than was asked for."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from evaluator_service.case import Case, Trial
from evaluator_service.extraction import Extracted
from evaluator_service.near_limit import any_near_limit
from evaluator_service.schema import (
    Extraction,
    Isolation,
    JudgeFault,
    Judgement,
    TestResult,
    Timing,
)
from evaluator_service.verdicts import NOT_MATCHED, Verdict, by_group, credit, fold, reward


def answer(
    case: Case,
    extracted: Extracted,
    trial: Trial,
    *,
    level: str,
    queue_seconds: float,
    before_tests: Verdict | None = None,
    message: str | None = None,
    error: JudgeFault | None = None,
) -> Judgement:
    """Put together what the client gets.

    Args:
        case: What was judged.
        extracted: Where its program was found.
        trial: What came of running it; empty if nothing ran.
        level: What held the program, for example ``nsjail+cgroup``.
        queue_seconds: Time it waited for a slot.
        before_tests: The verdict, when no test could run.
        message: Why nothing ran.
        error: Why the judge failed, with ``before_tests=judge_error``.
    """
    submission = case.submission
    total = len(trial.weights) or max(1, len(case.problem.tests))
    results = in_declared_order(trial.results, total)
    verdicts = [result.verdict for result in results]
    verdict = fold(verdicts, mode=submission.reward, before_tests=before_tests)
    return Judgement(
        id=submission.id,
        problem_id=case.work.problem_id,
        language=submission.language,
        verdict=verdict,
        reward=reward(
            submission.reward,
            verdict,
            _earned(results, trial),
            first_k=submission.first_k,
            penalties=case.penalties,
        ),
        reward_mode=submission.reward,
        first_k=submission.first_k,
        passed=verdicts.count(Verdict.ACCEPTED),
        total=total,
        methods=methods_of(results),
        tests=[] if submission.report == "summary" else results,
        extraction=_extraction(extracted, trial),
        limits=case.limits,
        comparison=case.policy,
        isolation=Isolation(level=level, mode="auto" if trial.shared else "strict"),
        forgeable=trial.forgeable,
        near_limit=_starved(error) or any_near_limit(trial.results, trial.compiled, case.limits),
        message=message,
        timing=_timing(case, trial, queue_seconds),
        error=error,
    )


def in_declared_order(ran: Iterable[TestResult], total: int) -> list[TestResult]:
    """A result for each test of the problem: of those that did not run, that they were skipped."""
    results = {result.index: result for result in ran}
    return [
        results.get(index) or TestResult(index=index, verdict=Verdict.SKIPPED)
        for index in range(total)
    ]


def _starved(error: JudgeFault | None) -> bool:
    return error is not None and error.kind == "overload"


def _earned(results: Sequence[TestResult], trial: Trial) -> Iterator[tuple[float, float]]:
    """(credit, weight) of every test."""
    alone = [credit(result.verdict, result.score) for result in results]
    credited = by_group(alone, trial.groups or [None] * len(results))
    return zip(credited, trial.weights or [1.0] * len(results), strict=True)


def methods_of(results: Iterable[TestResult]) -> dict[str, int]:
    """How many outputs each method matched, and how many none did."""
    compared = (result.comparison for result in results if result.comparison is not None)
    return dict(Counter(comparison.method or NOT_MATCHED for comparison in compared))


def _extraction(extracted: Extracted, trial: Trial) -> Extraction:
    breaks_off = trial.compiled is not None and not trial.compiled.complete
    return Extraction(method=extracted.method, complete=extracted.complete and not breaks_off)


def _timing(case: Case, trial: Trial, queue_seconds: float) -> Timing:
    return Timing(
        queue_seconds=queue_seconds,
        compile_seconds=trial.compile_seconds,
        run_seconds=trial.run_seconds,
        compare_seconds=trial.compare_seconds,
        total_seconds=time.monotonic() - case.work.arrived,
    )
