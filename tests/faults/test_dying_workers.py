"""A worker that dies, or lies frozen, costs seconds and nothing else."""

from __future__ import annotations

import asyncio
import signal
import time

import pytest

from evaluator_service.distributed import keys
from evaluator_service.distributed.jobs import ChunkQueue
from tests.faults.cluster import HASTY_LEASE_SECONDS, Cluster, until
from tests.service.executors import work

pytestmark = pytest.mark.anyio


async def test_what_a_killed_worker_was_at_is_judged_again_within_20_seconds(
    cluster: Cluster,
) -> None:
    first = cluster.worker(lease_seconds=0)
    async with cluster.api() as api:
        futures = await api.submit([work(f"hold {name}", id=name) for name in "abc"])
        await cluster.until_began(1)
        cluster.worker(lease_seconds=0)
        first.kill()
        killed_at = time.monotonic()
        cluster.let_go(*"abc")
        answers = await asyncio.gather(*futures)
    assert time.monotonic() - killed_at < 20
    assert [(answer.id, answer.verdict) for answer in answers] == [(n, "accepted") for n in "abc"]


async def test_what_a_killed_worker_has_answered_is_not_judged_again(cluster: Cluster) -> None:
    first = cluster.worker()
    async with cluster.api() as api:
        futures = await api.submit([work(id="done"), work("hold", id="held")])
        await cluster.until_began(2)
        await futures[0]
        first.kill()
        cluster.worker()
        await cluster.until_began(3)
        cluster.let_go("held")
        await futures[1]
        await until(cluster.is_quiet)
    assert [began.id for began in cluster.began()] == ["done", "held", "held"]
    assert not cluster.client.keys("rq:job:*")


async def test_what_a_frozen_worker_says_once_it_is_thawed_changes_nothing(
    cluster: Cluster,
) -> None:
    first = cluster.worker()
    async with cluster.api() as api:
        futures = await api.submit([work(f"hold {name}", id=name) for name in "ab"])
        await cluster.until_began(1)
        first.freeze()
        cluster.let_go(*"ab")
        second = cluster.worker()
        answers = await asyncio.gather(*futures)
        for part, number in (
            (first, signal.SIGCONT),
            (first, signal.SIGTERM),
            (second, signal.SIGTERM),
        ):
            part.send(number)
        assert [first.ended(), second.ended()] == [0, 0]
    assert [answer.verdict for answer in answers] == ["accepted"] * 2
    assert cluster.lasting_keys() == []
    assert not cluster.client.keys(keys.replies("*"))


async def test_every_slot_of_a_worker_keeps_its_lease(cluster: Cluster) -> None:
    cluster.worker(slots_count=2)
    async with cluster.api() as api:
        futures = [future for n in "ab" for future in await api.submit([work(f"hold {n}", id=n)])]
        await until(lambda: len(cluster.lease_ends()) == 2)
        first_ends = max(cluster.lease_ends())
        await until(lambda: min(cluster.lease_ends()) > first_ends + HASTY_LEASE_SECONDS)
        assert len(cluster.lease_ends()) == 2
        cluster.let_go(*"ab")
        await asyncio.gather(*futures)


async def test_every_slot_of_a_worker_is_used_again(cluster: Cluster) -> None:
    cluster.worker(slots_count=2)
    async with cluster.api() as api:
        for count, pair in ((2, "ab"), (4, "cd"), (6, "ef")):
            futures = [f for n in pair for f in await api.submit([work(f"hold {n}", id=n)])]
            await cluster.until_began(count)
            cluster.let_go(*pair)
            await asyncio.gather(*futures)


async def test_what_was_taken_and_never_begun_is_judged_within_15_seconds(cluster: Cluster) -> None:
    async with cluster.api(is_ready=False) as api:
        (future,) = await api.submit([work()])
        gap = ChunkQueue(connection=cluster.client).intermediate_queue_key
        assert cluster.client.lmove(keys.QUEUE_KEY, gap), "nothing was enqueued"
        cluster.worker(lease_seconds=0)
        assert (await asyncio.wait_for(future, 15)).verdict == "accepted"
    assert not cluster.client.keys(f"{gap}*")


async def test_whoever_cleans_up_and_dies_keeps_others_from_it_for_seconds(
    cluster: Cluster,
) -> None:
    first = cluster.worker()
    async with cluster.api() as api:
        (future,) = await api.submit([work("hold", id="a")])
        await cluster.until_began(1)
        cluster.let_go("a")
        first.kill()
        await until(ChunkQueue(connection=cluster.client).acquire_maintenance_lock)
        cluster.worker()
        await asyncio.wait_for(future, 20)
