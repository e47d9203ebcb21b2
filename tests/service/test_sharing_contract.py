"""What every executor promises of work that was done before, or is being done: nothing twice in vain."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.service.executors import Start, fault_of, held, judged, problem, work

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("batches_count", [1, 2])
async def test_equal_submissions_of_one_moment_share_a_run(
    start: Start, judge: Any, batches_count: int
) -> None:
    async with start(reuse_judgements=True) as executor:
        works = [work("hold", id="first"), work("hold", id="second")]
        batches = [works] if batches_count == 1 else [[each] for each in works]
        futures = [future for batch in batches for future in await executor.submit(batch)]
        await held(judge)
        judge.release.set()
        answers = await asyncio.gather(*futures)
    assert judge.began == ["first"]
    assert [(answer.id, answer.cached) for answer in answers] == [
        ("first", False),
        ("second", True),
    ]


async def test_what_was_judged_before_is_recalled(start: Start, judge: Any) -> None:
    async with start(reuse_judgements=True) as executor:
        await judged(executor, work(id="first"))
        (again,) = await judged(executor, work(id="again"))
    assert judge.began == ["first"]
    assert (again.id, again.cached, again.verdict) == ("again", True, "accepted")


@pytest.mark.parametrize(("code", "reuse"), [("accept", False), ("raise", True), ("close", True)])
async def test_nothing_is_recalled_if_that_is_off_nor_an_error_nor_what_was_near_a_limit(
    start: Start, judge: Any, code: str, reuse: bool
) -> None:
    async with start(reuse_judgements=reuse) as executor:
        answers = [(await judged(executor, work(code)))[0] for _ in range(2)]
    assert len(judge.began) == 2
    assert [answer.cached for answer in answers] == [False, False]


@pytest.mark.parametrize(
    "change",
    [
        {"problem": problem("8")},
        {"limits": {"cpu_time_seconds": 1.0}},
        {"comparison": {"profile": "strict"}},
        {"stop": "never"},
        {"isolation_mode": "auto"},
        {"report": "full"},
        {"reward": "fraction"},
    ],
    ids=lambda change: next(iter(change)),
)
async def test_other_terms_are_another_run(
    start: Start, judge: Any, change: dict[str, Any]
) -> None:
    async with start(reuse_judgements=True) as executor:
        await judged(executor, work())
        (other,) = await judged(executor, work(**change))
    assert len(judge.began) == 2
    assert not other.cached


async def test_a_shared_run_goes_on_while_somebody_waits(start: Start, judge: Any) -> None:
    async with start(reuse_judgements=True) as executor:
        first, second = await executor.submit([work("hold"), work("hold")])
        await held(judge)
        first.cancel()
        judge.release.set()
        assert (await second).verdict == "accepted"
    assert len(judge.began) == 1


async def test_a_shared_run_is_withdrawn_with_the_last_who_waits(start: Start, judge: Any) -> None:
    async with start(reuse_judgements=True, slots_count=1) as executor:
        futures = await executor.submit([work("stay"), work("stay")])
        await held(judge)
        for future in futures:
            future.cancel()
        (next_in_the_slot,) = await judged(executor, work())
        assert next_in_the_slot.verdict == "accepted"


async def test_who_waits_longer_is_not_cut_short_by_who_came_first(
    start: Start, judge: Any
) -> None:
    async with start(reuse_judgements=True, slots_count=1) as executor:
        await executor.submit([work("hold")])
        await held(judge)
        first, second = await executor.submit([work(deadline_seconds=0.05), work()])
        assert fault_of(await first) == "deadline"
        judge.release.set()
        assert (await second).verdict == "accepted"


async def test_who_waits_less_long_leaves_the_shared_run_alone(start: Start, judge: Any) -> None:
    async with start(reuse_judgements=True) as executor:
        first, second = await executor.submit([work("hold"), work("hold", deadline_seconds=0.05)])
        assert fault_of(await second) == "deadline"
        judge.release.set()
        assert (await first).verdict == "accepted"
    assert len(judge.began) == 1
