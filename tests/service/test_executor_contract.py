"""What every executor promises, whatever engine is behind it. No HTTP.

An answer may take as many turns of the event loop as it likes: nothing here counts them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from evaluator_service import judging
from evaluator_service.executor import Executor
from evaluator_service.refusals import BatchTooLarge, LanguageMissing, QueueFull, ShuttingDown
from evaluator_service.schema import Judgement
from evaluator_service.work import Work
from tests.service.executors import Start, fault_of, held, judged, problem, work

pytestmark = pytest.mark.anyio


class Clock:
    """By which every judging takes as long as it is told."""

    def __init__(self) -> None:
        self.judging_seconds = 0.0
        self._now_seconds = 0.0

    def monotonic(self) -> float:
        """Read once before and once after a judging."""
        self._now_seconds += self.judging_seconds
        return self._now_seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(judging, "time", SimpleNamespace(monotonic=found.monotonic))
    return found


# --- one answer each ------------------------------------------------------------------------------


async def test_each_is_run_once_and_answered_under_its_own_name(start: Start, judge: Any) -> None:
    async with start() as executor:
        names = ["a", "b", "c", "d", "e"]
        answers = await judged(executor, *(work(id=name) for name in names))
    assert [answer.id for answer in answers] == names
    assert sorted(judge.began) == names


async def test_an_answer_does_not_wait_for_those_before_it(start: Start, judge: Any) -> None:
    async with start() as executor:
        slow, quick = await executor.submit([work("hold"), work("wrong")])
        assert (await quick).verdict == "wrong_answer"
        assert not slow.done()
        judge.release.set()
        assert (await slow).verdict == "accepted"


async def test_a_judge_that_fails_is_a_retryable_error_of_ours(start: Start) -> None:
    async with start() as executor:
        (answer,) = await judged(executor, work("raise"))
    assert (answer.verdict, answer.reward, fault_of(answer)) == ("judge_error", None, "internal")
    assert answer.error is not None
    assert answer.error.retryable


# --- admission ------------------------------------------------------------------------------------


async def test_a_batch_is_admitted_whole_or_not_at_all(start: Start, judge: Any) -> None:
    async with start() as executor:
        futures = await executor.submit([work("hold") for _ in range(3)])
        with pytest.raises(QueueFull):
            await executor.submit([work(id="refused") for _ in range(3)])
        futures += await executor.submit([work() for _ in range(2)])
        judge.release.set()
        await asyncio.gather(*futures)
    assert judge.began == [None] * 5


async def test_what_can_never_fit_is_told_apart_from_a_full_queue(start: Start) -> None:
    async with start() as executor:
        with pytest.raises(BatchTooLarge, match="queue holds 5"):
            await executor.submit([work() for _ in range(6)])


async def test_a_batch_with_a_language_that_is_not_here_is_refused_whole(
    start: Start, judge: Any
) -> None:
    async with start() as executor:
        with pytest.raises(LanguageMissing, match="no go on the PATH"):
            await executor.submit([work(id="refused"), work(language="go")])
        await judged(executor, work(id="later"))
    assert judge.began == ["later"]


# --- the order ------------------------------------------------------------------------------------


async def test_training_goes_before_evaluation(start: Start, judge: Any) -> None:
    async with start(slots_count=1) as executor:
        futures = await executor.submit([work("hold", id="runs")])
        await held(judge)
        futures += await executor.submit([work(id="eval", priority="eval")])
        futures += await executor.submit([work(id="train", priority="train")])
        judge.release.set()
        await asyncio.gather(*futures)
    assert judge.began == ["runs", "train", "eval"]


async def test_within_a_batch_the_longest_expected_is_first(
    start: Start, judge: Any, clock: Clock
) -> None:
    async with start(slots_count=1) as executor:
        for name, clock.judging_seconds in (("short", 1.0), ("long", 100.0)):
            await judged(executor, work(problem=problem(name)))
        futures = await executor.submit([work("hold", problem=problem("runs"))])
        await held(judge)
        batch = [work(problem=problem(name), id=name) for name in ("new", "short", "long")]
        futures += await executor.submit(batch)
        judge.release.set()
        await asyncio.gather(*futures)
    assert judge.began[-3:] == ["long", "short", "new"]


# --- deadlines ------------------------------------------------------------------------------------


async def test_what_cannot_be_done_before_its_deadline_is_not_begun(
    start: Start, judge: Any, clock: Clock
) -> None:
    async with start() as executor:
        clock.judging_seconds = 10_000.0
        await judged(executor, work(id="learned"))
        (answer,) = await judged(executor, work(id="hopeless", deadline_seconds=5_000))
    assert fault_of(answer) == "deadline"
    assert judge.began == ["learned"]


async def test_work_that_arrives_past_its_deadline_never_runs(start: Start, judge: Any) -> None:
    late = work(deadline_seconds=1)
    late = Work(late.submission, late.problem, late.problem_id, arrived=late.arrived - 2)
    async with start() as executor:
        (answer,) = await judged(executor, late)
    assert (fault_of(answer), answer.reward) == ("deadline", None)
    assert judge.began == []


async def test_a_running_program_does_not_hold_back_its_deadline(start: Start, judge: Any) -> None:
    async with start(slots_count=1) as executor:
        (answer,) = await judged(executor, work("stay", deadline_seconds=0.5))
        assert fault_of(answer) == "deadline"
        (next_in_the_slot,) = await judged(executor, work())
        assert next_in_the_slot.verdict == "accepted"


# --- cancelling -----------------------------------------------------------------------------------


async def test_cancelled_work_gives_its_room_back_and_never_runs(start: Start, judge: Any) -> None:
    async with start() as executor:
        futures = await executor.submit([work("hold", id="held") for _ in range(2)])
        await held(judge, 2)
        for future in await executor.submit([work(id="cancelled") for _ in range(3)]):
            future.cancel()
        futures += await admitted(executor, lambda: [work(id="later") for _ in range(3)])
        judge.release.set()
        await asyncio.gather(*futures)
    assert judge.began == ["held"] * 2 + ["later"] * 3


async def admitted(
    executor: Executor, make: Callable[[], list[Work]]
) -> list[asyncio.Future[Judgement]]:
    """Submit new works, again and again, until there is room."""
    while True:
        try:
            return await executor.submit(make())
        except QueueFull:
            await asyncio.sleep(0.005)


async def test_cancelled_work_that_runs_stops_and_frees_its_slot(start: Start, judge: Any) -> None:
    async with start(slots_count=1) as executor:
        (future,) = await executor.submit([work("stay")])
        await held(judge)
        future.cancel()
        (next_in_the_slot,) = await judged(executor, work())
        assert next_in_the_slot.verdict == "accepted"


# --- the end --------------------------------------------------------------------------------------


async def test_draining_refuses_new_work_and_finishes_the_accepted(
    start: Start, judge: Any
) -> None:
    async with start() as executor:
        futures = await executor.submit([work("hold") for _ in range(3)])
        drain = asyncio.ensure_future(executor.drain(timeout_seconds=60))
        await asyncio.sleep(0)
        assert executor.obstacle() == "the service is shutting down"
        with pytest.raises(ShuttingDown):
            await executor.submit([work()])
        judge.release.set()
        await drain
        assert {future.result().verdict.value for future in futures} == {"accepted"}


async def test_what_a_drain_leaves_is_a_judge_error_and_not_lost(start: Start) -> None:
    async with start() as executor:
        futures = await executor.submit([work("hold") for _ in range(3)])
        await executor.drain(timeout_seconds=0)
        assert [fault_of(future.result()) for future in futures] == ["overload"] * 3
