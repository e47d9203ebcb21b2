"""The answer for a submission that got no mark, by the service's own fault."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from evaluator_service.limits import effective_limits
from evaluator_service.schema import (
    Comparison,
    Extraction,
    Isolation,
    JudgeFault,
    Judgement,
    Timing,
)
from evaluator_service.settings import Settings
from evaluator_service.verdicts import Verdict
from sandbox.speed import REFERENCE, Speed

if TYPE_CHECKING:
    from evaluator_service.work import Work


def fault_judgement(
    work: Work, settings: Settings, error: JudgeFault, speed: Speed | None = None
) -> Judgement:
    """The judgement of a submission that the judge, by its own fault, could give no mark.

    Args:
        work: What was sent, and its problem.
        settings: For the limits that would have applied.
        error: The fault.
        speed: How fast the machine is; the reference machine's if that is not known.
    """
    submission, problem = work.submission, work.problem
    elapsed_seconds = time.monotonic() - work.arrived
    return Judgement(
        id=submission.id,
        problem_id=work.problem_id,
        verdict=Verdict.JUDGE_ERROR,
        reward=None,
        reward_mode=submission.reward,
        first_k=submission.first_k,
        passed=0,
        total=len(problem.tests),
        extraction=Extraction(method="none" if submission.code is None else "code", complete=True),
        limits=effective_limits(settings, problem.limits, submission.limits, speed or REFERENCE),
        comparison=submission.comparison or problem.comparison or Comparison(),
        isolation=Isolation(level="none", mode=submission.isolation_mode),
        timing=Timing(
            queue_seconds=elapsed_seconds,
            compile_seconds=0.0,
            run_seconds=0.0,
            compare_seconds=0.0,
            total_seconds=elapsed_seconds,
        ),
        error=error,
    )
