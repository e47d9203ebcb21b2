"""One work in, one judgement out, whatever happens: what every engine does in the threads of its slots."""

from __future__ import annotations

import time
from typing import Protocol

import structlog

from evaluator_service.boundaries import note
from evaluator_service.fault import fault_judgement
from evaluator_service.outputs import Archive
from evaluator_service.refusals import WithdrawnError
from evaluator_service.schema import JudgeFault, Judgement
from evaluator_service.settings import Settings
from evaluator_service.work import Work
from sandbox.figures import PoolFigures
from sandbox.toolchains import Found

log = structlog.get_logger(__name__)


class JudgeLike(Archive, Protocol):
    """What the service needs of a judge."""

    def start(self) -> None:
        """Make everything warm; blocks; called once before any ``judge``."""

    def judge(self, work: Work) -> Judgement:
        """Judge one submission; blocks; called from at most ``slots_count`` threads at a time.

        Raises:
            WithdrawnError: If the work was withdrawn meanwhile.
        """

    def condemned(self, work: Work) -> Judgement:
        """The judgement of a submission that broke whoever judged it, if a program known to be good gets through."""

    def languages(self) -> Found:
        """The languages that programs may be written in, and why others may not; known once it is started."""

    def obstacle(self) -> str | None:
        """Why a submission judged now would get no mark, in words for anybody; None if it would get one."""

    def figures(self) -> PoolFigures | None:
        """How slots and jails stand; None if it has none."""

    def close(self) -> None:
        """Kill and release everything; runs under way end soon after."""


def judged(judge: JudgeLike, work: Work, settings: Settings) -> tuple[Judgement, float]:
    """The judgement of ``work`` and the seconds that it took; a fault of ours is a judgement, too."""
    started = time.monotonic()
    judgement = _judgement(judge, work, settings)
    judge_seconds = time.monotonic() - started
    log.info(
        "judged",
        verdict=judgement.verdict.value,
        reward=judgement.reward,
        problem_id=work.problem_id,
        judge_seconds=round(judge_seconds, 6),
        metadata=work.submission.metadata,
    )
    return judgement, judge_seconds


def _judgement(judge: JudgeLike, work: Work, settings: Settings) -> Judgement:
    try:
        return judge.judge(work)
    except WithdrawnError:
        fault = JudgeFault(
            kind="deadline", message="nobody waited for this any more", retryable=True
        )
    except Exception as error:  # whatever it is, the client gets an answer
        note("judge")
        log.exception("judge_failed", problem_id=work.problem_id)
        message = f"the judge failed: {type(error).__name__}"
        fault = JudgeFault(kind="internal", message=message, retryable=True)
    pool = judge.figures()
    return fault_judgement(work, settings, fault, pool.speed if pool else None)


def too_late(work: Work, left_seconds: float, expected_seconds: float) -> JudgeFault | None:
    """Why work is not worth beginning: by all that is known it cannot end before its deadline.

    Args:
        work: What would begin now.
        left_seconds: Until the deadline; negative beyond it.
        expected_seconds: How long judging takes for its problem; 0 if nothing is known.
    """
    if left_seconds > expected_seconds:
        return None
    message = (
        f"{max(0.0, left_seconds):.3g} s were left of its deadline of {work.submission.deadline_seconds:g} s, "
        f"and its problem takes {expected_seconds:.3g} s"
    )
    return JudgeFault(kind="deadline", message=message, retryable=True)
