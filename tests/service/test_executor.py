"""The executor alone: admission, cancelling, deadlines, draining. No HTTP."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from evaluator_service.embedded import EmbeddedEngine
from evaluator_service.executor import Executor
from evaluator_service.refusals import BatchTooLarge, QueueFull, ShuttingDown
from evaluator_service.schema import Limits, StdioProblem, Submission, problem_id
from evaluator_service.settings import Settings
from evaluator_service.work import Work
from sandbox.pool import Pool

PROBLEM = StdioProblem.model_validate({"kind": "stdio", "tests": [{"expected": "7"}]})


def work(code: str = "accept", **fields: Any) -> Work:
    submission = Submission(code=code, problem=PROBLEM, **fields)
    return Work(submission, PROBLEM, problem_id(PROBLEM), time.monotonic())


@asynccontextmanager
async def running(judge: Any, settings: Settings) -> AsyncIterator[Executor]:
    executor = Executor(EmbeddedEngine(judge, settings), settings)
    await executor.start()
    try:
        yield executor
    finally:
        judge.release.set()
        await executor.close()


def in_loop(judge: Any, settings: Settings, scenario: Callable[[Executor], Any]) -> None:
    async def run() -> None:
        async with running(judge, settings) as executor:
            await scenario(executor)

    asyncio.run(run())


def test_a_batch_is_admitted_whole_or_not_at_all(judge: Any, settings: Settings) -> None:
    async def scenario(executor: Executor) -> None:
        futures = await executor.submit([work("hold")] * 3)
        with pytest.raises(QueueFull):
            await executor.submit([work()] * 3)
        futures += await executor.submit([work()] * 2)
        judge.release.set()
        assert len(await asyncio.gather(*futures)) == 5
        assert len(judge.began) == 5

    in_loop(judge, settings, scenario)


def test_what_can_never_fit_is_told_apart_from_a_full_queue(judge: Any, settings: Settings) -> None:
    async def scenario(executor: Executor) -> None:
        with pytest.raises(BatchTooLarge, match="queue holds 5"):
            await executor.submit([work()] * 6)

    in_loop(judge, settings, scenario)


def test_cancelled_work_gives_its_room_back_and_never_runs(judge: Any, settings: Settings) -> None:
    async def scenario(executor: Executor) -> None:
        held = await executor.submit([work("hold")] * 2)
        waiting = await executor.submit([work(id="waiting")] * 3)
        for future in waiting:
            future.cancel()
        await asyncio.sleep(0)
        held += await executor.submit([work(id="later")] * 3)
        judge.release.set()
        await asyncio.gather(*held)
        assert "waiting" not in judge.began

    in_loop(judge, settings, scenario)


def test_work_that_arrives_past_its_deadline_never_runs(judge: Any, settings: Settings) -> None:
    async def scenario(executor: Executor) -> None:
        late = work(deadline_seconds=1)
        late = Work(late.submission, late.problem, late.problem_id, arrived=late.arrived - 2)
        (future,) = await executor.submit([late])
        judgement = future.result()  # at once: no thread has taken it
        assert judgement.error is not None
        assert (judgement.error.kind, judgement.reward) == ("deadline", None)
        assert judge.began == []

    in_loop(judge, settings, scenario)


def test_an_answer_without_a_mark_tells_the_limits_of_this_machine(
    judge: Any, settings: Settings
) -> None:
    judge.pool = Pool(1, machine_seconds_per_reference_second=3)

    async def scenario(executor: Executor) -> None:
        limits = Limits(cpu_time_reference_seconds=2)
        (judgement,) = await asyncio.gather(*await executor.submit([work("raise", limits=limits)]))
        assert judgement.limits.cpu_time_seconds == 6

    in_loop(judge, settings, scenario)


def test_a_running_program_does_not_hold_back_its_deadline(judge: Any, settings: Settings) -> None:
    async def scenario(executor: Executor) -> None:
        (future,) = await executor.submit([work("hold", deadline_seconds=0.02)])
        judgement = await future
        assert judgement.error is not None
        assert judgement.error.kind == "deadline"

    in_loop(judge, settings, scenario)


def test_draining_refuses_new_work_and_finishes_the_accepted(
    judge: Any, settings: Settings
) -> None:
    async def scenario(executor: Executor) -> None:
        futures = await executor.submit([work("hold")] * 3)
        drain = asyncio.ensure_future(executor.drain(timeout_seconds=60))
        await asyncio.sleep(0)
        assert executor.obstacle() == "the service is shutting down"
        with pytest.raises(ShuttingDown):
            await executor.submit([work()])
        judge.release.set()
        await drain
        assert {future.result().verdict.value for future in futures} == {"accepted"}

    in_loop(judge, settings, scenario)


def test_what_a_drain_leaves_is_a_judge_error_and_not_lost(judge: Any, settings: Settings) -> None:
    async def scenario(executor: Executor) -> None:
        futures = await executor.submit([work("hold")] * 3)
        await executor.drain(timeout_seconds=0)
        kinds = {getattr(future.result().error, "kind", None) for future in futures}
        assert kinds == {"overload"}

    in_loop(judge, settings, scenario)


def test_an_executor_that_was_not_started_is_not_ready(judge: Any, settings: Settings) -> None:
    assert (
        Executor(EmbeddedEngine(judge, settings), settings).obstacle() == "the service is starting"
    )


def test_closing_closes_the_judge(judge: Any, settings: Settings) -> None:
    async def scenario(_: Executor) -> None: ...

    in_loop(judge, settings, scenario)
    assert judge.closed
