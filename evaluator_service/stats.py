"""``/stats``: the figures of one service as JSON, for people and scripts; for monitoring there is ``/metrics``."""

from __future__ import annotations

from datetime import datetime
from typing import Self

from pydantic import Field

from evaluator_service.engine import WorkerFigures
from evaluator_service.executor import Executor
from evaluator_service.judgement import Seconds
from evaluator_service.tally import Tally
from evaluator_service.wire import Wire
from sandbox.figures import JailFigures, PoolFigures
from sandbox.selfcheck import SelfCheck


class SelfCheckStats(Wire):
    """How the first jail came through the checks that every jail must pass."""

    passed: bool = Field(
        description="Whether all held; nothing is judged otherwise.", examples=[True]
    )
    ended_at: datetime = Field(description="When it ended, UTC.", examples=["2026-11-30T12:00:00Z"])
    elapsed_seconds: Seconds = Field(description="How long it took, seconds.", examples=[0.9])
    checks_count: int = Field(description="Checks that were made, a count.", examples=[27])
    failed: list[str] = Field(
        description="Names of the checks that did not hold; `microcoder doctor` explains them.",
        examples=[[]],
    )

    @classmethod
    def of(cls, check: SelfCheck) -> Self:
        """What may be said of it to anybody."""
        return cls(
            passed=check.passed,
            ended_at=check.ended_at,
            elapsed_seconds=check.elapsed_seconds,
            checks_count=len(check.findings),
            failed=[finding.name for finding in check.failed],
        )


class JailStats(Wire):
    """A living jail."""

    slot_number: int = Field(description="The slot it belongs to, from 0.", examples=[0])
    role: str = Field(
        description="`program`: runs what is judged; `tester`: runs the problem's own test code.",
        examples=["program"],
    )
    flavour: str = Field(
        description="The package it has imported ahead, or `base`.", examples=["base"]
    )
    sessions_count: int = Field(
        description="Sessions it has served so far, a count.", examples=[120]
    )

    @classmethod
    def of(cls, jail: JailFigures) -> Self:
        """The same, on the wire."""
        return cls(
            slot_number=jail.slot_number,
            role=jail.role,
            flavour=jail.flavour,
            sessions_count=jail.sessions_count,
        )


class SandboxStats(Wire):
    """Slots and jails."""

    level: str = Field(
        description="The walls that stand, as judgements name them; `none` before they are proved.",
        examples=["nsjail+cgroup"],
    )
    slots_count: int = Field(
        description="Submissions that may run at a time, a count.", examples=[2]
    )
    free_slots_count: int = Field(description="Slots that nothing runs in, a count.", examples=[1])
    jails: list[JailStats] = Field(description="The living jails.")
    started_jails_count: dict[str, int] = Field(
        description="Jails that came to serve, by flavour.", examples=[{"base": 2, "numpy": 2}]
    )
    start_seconds: dict[str, Seconds] = Field(
        description="Time that starting them took, a sum by flavour.", examples=[{"base": 0.3}]
    )
    ended_jails_count: dict[str, int] = Field(
        description="Jails that are no more, by reason.", examples=[{"recycled": 0, "died": 1}]
    )
    sessions_count: int = Field(description="Sessions opened, a count.", examples=[240])
    swept_cgroups_count: int = Field(
        description="Control groups of killed services that were removed at the start, a count.",
        examples=[0],
    )
    builds_count: dict[str, int] = Field(
        description="Programs that had to be compiled or checked first, by what came of it: `reused`, `made`, `failed`.",
        examples=[{"reused": 3, "made": 1, "failed": 0}],
    )
    self_check: SelfCheckStats | None = Field(description="The self-check, once it has ended.")
    machine_seconds_per_reference_second: float | None = Field(
        description="CPU seconds of this machine that are one of the reference machine, once that is known.",
        examples=[1.2],
    )

    @classmethod
    def of(cls, pool: PoolFigures) -> Self:
        """The same, on the wire."""
        check = pool.self_check
        return cls(
            level=pool.level,
            slots_count=pool.slots_count,
            free_slots_count=pool.free_slots_count,
            jails=[JailStats.of(jail) for jail in pool.jails],
            started_jails_count=dict(pool.started_jails_count),
            start_seconds=dict(pool.start_seconds),
            ended_jails_count={end.value: n for end, n in pool.ended_jails_count.items()},
            sessions_count=pool.sessions_count,
            swept_cgroups_count=pool.swept_cgroups_count,
            builds_count={end.value: n for end, n in pool.builds_count.items()},
            self_check=SelfCheckStats.of(check) if check is not None else None,
            machine_seconds_per_reference_second=(
                pool.speed.machine_seconds_per_reference_second if pool.speed is not None else None
            ),
        )


class WorkerStats(Wire):
    """A process elsewhere that judges, as it last said of itself."""

    name: str = Field(description="Its own name.", examples=["node-7.4711.5f2c9a1b"])
    slots_count: int = Field(
        description="Submissions that it runs at a time, a count.", examples=[16]
    )
    running_count: int = Field(description="Submissions that it runs now, a count.", examples=[3])
    level: str = Field(description="The walls around them.", examples=["nsjail+cgroup"])
    obstacle: str | None = Field(
        description="Why it would judge nothing now; null if it would.", examples=[None]
    )
    seen_seconds: Seconds = Field(description="How long ago it said so, seconds.", examples=[0.4])

    @classmethod
    def of(cls, worker: WorkerFigures) -> Self:
        """The same, on the wire."""
        return cls(**worker._asdict())


class PhaseStats(Wire):
    """One phase of all submissions that got a mark."""

    count: int = Field(description="Submissions.", examples=[120])
    sum_seconds: Seconds = Field(description="Time of all together, seconds.", examples=[1.8])


class Stats(Wire):
    """How the service stands."""

    obstacle: str | None = Field(
        description="Why new work is not taken, or would not be judged; null if it would be.",
        examples=[None],
    )
    waiting_count: int = Field(
        description="Submissions that no slot has taken yet, a count.", examples=[0]
    )
    running_count: int = Field(
        description="Submissions taken, not answered yet, a count.", examples=[1]
    )
    oldest_wait_seconds: Seconds = Field(
        description="How long the oldest of those that wait has waited, seconds; 0 if none waits.",
        examples=[0.0],
    )
    verdicts_count: dict[str, int] = Field(
        description="Submissions answered since the start, by verdict.", examples=[{"accepted": 80}]
    )
    judge_errors_count: dict[str, int] = Field(
        description="Those without a mark, by kind of fault.", examples=[{"deadline": 1}]
    )
    methods_count: dict[str, int] = Field(
        description="Outputs compared since the start, by the method that matched; `none`: none did.",
        examples=[{"exact": 80, "none": 2}],
    )
    phases: dict[str, PhaseStats] = Field(description="`queue`, `compile`, `run` and `compare`.")
    sandbox: SandboxStats | None = Field(
        description="Slots and jails; null if they are in other processes."
    )
    workers: list[WorkerStats] | None = Field(
        description="The processes that judge; null if this one does."
    )


def stats_of(executor: Executor, tally: Tally) -> Stats:
    """Everything, as it stands now. Call it on the event loop."""
    figures = executor.figures()
    return Stats(
        obstacle=executor.obstacle(),
        waiting_count=figures.waiting_count,
        running_count=figures.running_count,
        oldest_wait_seconds=figures.oldest_wait_seconds,
        verdicts_count={verdict.value: count for verdict, count in tally.verdicts.items()},
        judge_errors_count=dict(tally.judge_errors),
        methods_count={method: count for method, count in tally.methods.items() if count},
        phases={
            phase: PhaseStats(count=histogram.count, sum_seconds=histogram.sum_seconds)
            for phase, histogram in tally.phases.items()
        },
        sandbox=SandboxStats.of(figures.pool) if figures.pool is not None else None,
        workers=(
            [WorkerStats.of(worker) for worker in figures.workers]
            if figures.workers is not None
            else None
        ),
    )
