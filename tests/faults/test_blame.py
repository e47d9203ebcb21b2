"""Who breaks its worker again and again is told so; who was only there is not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest

from evaluator_service.schema import Judgement
from tests.faults.cluster import LOOK_SECONDS, Cluster, Part
from tests.faults.obedient import noted
from tests.service.executors import fault_of, work

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def succession(cluster: Cluster) -> AsyncIterator[None]:
    """There is a worker, and another one as soon as that has died."""
    over = asyncio.Event()

    async def succeed() -> None:
        worker = await asyncio.to_thread(cluster.worker)
        while not over.is_set():
            if worker.has_ended():
                worker = await asyncio.to_thread(cluster.worker)
            await asyncio.sleep(LOOK_SECONDS)

    succeeding = asyncio.create_task(succeed())
    try:
        yield
    finally:
        over.set()
        await succeeding


async def judged(cluster: Cluster, *codes: str) -> list[Judgement]:
    """Their judgements, by one worker after the other."""
    async with cluster.api(is_ready=False) as api, succession(cluster):
        works = [work(code, id=str(place)) for place, code in enumerate(codes)]
        return await asyncio.gather(*await api.submit(works))


async def killed_while_held(cluster: Cluster, api: Any, times_count: int) -> Sequence[Any]:
    """Two submissions, each in its chunk, that were at work beside each other when so many workers were killed."""
    futures = [f for name in "ab" for f in await api.submit([work(f"hold {name}", id=name)])]
    for times in range(1, times_count + 1):
        worker: Part = await asyncio.to_thread(cluster.worker, slots_count=2)
        await cluster.until_began(2 * times)
        worker.kill()
    return futures


async def test_what_breaks_every_worker_is_a_runtime_error_and_the_rest_of_its_chunk_is_judged(
    cluster: Cluster,
) -> None:
    before, broken, behind = await judged(cluster, "accept", "break", "wrong")
    assert (broken.verdict, broken.reward) == ("runtime_error", 0.0)
    assert (before.verdict, behind.verdict) == ("accepted", "wrong_answer")
    assert [began.id for began in cluster.began()].count("1") == 3


async def test_where_nothing_gets_through_what_breaks_workers_is_a_fault_of_ours(
    cluster: Cluster,
) -> None:
    (cluster.folder / "unwell").touch()
    (broken,) = await judged(cluster, "break")
    assert (broken.verdict, broken.reward, fault_of(broken)) == ("judge_error", None, "sandbox")
    assert broken.error is not None
    assert broken.error.retryable


@pytest.mark.parametrize("times_count", [1, 2])
async def test_what_was_at_work_beside_others_when_workers_were_killed_is_not_blamed(
    cluster: Cluster, times_count: int
) -> None:
    async with cluster.api(is_ready=False) as api:
        futures = await killed_while_held(cluster, api, times_count)
        cluster.let_go(*"ab")
        await asyncio.to_thread(cluster.worker, slots_count=2)
        answers = await asyncio.gather(*futures)
    assert [answer.verdict for answer in answers] == ["accepted"] * 2


async def test_what_waited_to_be_alone_while_another_broke_the_worker_is_not_blamed(
    cluster: Cluster,
) -> None:
    async with cluster.api(is_ready=False) as api:
        futures = await killed_while_held(cluster, api, 2)
        third = await asyncio.to_thread(cluster.worker, slots_count=2)
        await cluster.until_began(5)
        alone = cluster.began()[-1].id
        third.kill()
        cluster.let_go(*"ab")
        await asyncio.to_thread(cluster.worker, slots_count=2)
        answers = await asyncio.gather(*futures)
    assert [began.id for began in noted(cluster.folder, "condemned")] == [alone]
    assert [answer.id for answer in answers if answer.verdict == "accepted"] == [
        name for name in "ab" if name != alone
    ]
