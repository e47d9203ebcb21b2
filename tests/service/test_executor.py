"""The executor around the embedded engine: what the contract of all executors does not say."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from evaluator_service.embedded import EmbeddedEngine
from evaluator_service.executor import Executor
from evaluator_service.schema import Limits, StdioProblem, Submission, problem_id
from evaluator_service.settings import Settings
from evaluator_service.work import Work
from sandbox.pool import Pool

PROBLEM = StdioProblem.model_validate({"kind": "stdio", "tests": [{"expected": "7"}]})


def in_loop(judge: Any, settings: Settings, scenario: Callable[[Executor], Any]) -> None:
    async def run() -> None:
        executor = Executor(EmbeddedEngine(judge, settings), settings)
        await executor.start()
        try:
            await scenario(executor)
        finally:
            await executor.close()

    asyncio.run(run())


def test_an_answer_without_a_mark_tells_the_limits_of_this_machine(
    judge: Any, settings: Settings
) -> None:
    judge.pool = Pool(1, machine_seconds_per_reference_second=3)
    limits = Limits(cpu_time_reference_seconds=2)
    submission = Submission(code="raise", problem=PROBLEM, limits=limits)

    async def scenario(executor: Executor) -> None:
        work = Work(submission, PROBLEM, problem_id(PROBLEM), time.monotonic())
        (judgement,) = await asyncio.gather(*await executor.submit([work]))
        assert judgement.limits.cpu_time_seconds == 6

    in_loop(judge, settings, scenario)


def test_an_executor_that_was_not_started_is_not_ready(judge: Any, settings: Settings) -> None:
    assert (
        Executor(EmbeddedEngine(judge, settings), settings).obstacle() == "the service is starting"
    )


def test_closing_closes_the_judge(judge: Any, settings: Settings) -> None:
    async def scenario(_: Executor) -> None: ...

    in_loop(judge, settings, scenario)
    assert judge.closed
