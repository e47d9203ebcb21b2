"""Each item is answered once, and what it took is given back."""

from __future__ import annotations

import asyncio
import signal

import pytest

from evaluator_service.distributed import keys
from evaluator_service.distributed.chunks import unpacked
from evaluator_service.distributed.jobs import ChunkQueue, enqueue
from evaluator_service.distributed.script import Script
from tests.faults.cluster import Cluster, until
from tests.service.executors import judged, work

pytestmark = pytest.mark.anyio

_TERMS = (600, 60_000, keys.judged(1), 60, 10)
_GROWTH_BYTES = 300_000


def answer(cluster: Cluster, item: str, text: str, kept: str = "") -> int:
    """Answer an item as workers do; how many were answered."""
    script = Script(cluster.client, "finish.lua")
    arguments = (item, "replies", text, kept and keys.kept(kept), "turn", 0, "")
    return int(script.run([keys.PENDING], [*_TERMS, *arguments]))


async def test_an_item_that_is_in_two_chunks_is_answered_once(cluster: Cluster) -> None:
    async with cluster.api(is_ready=False) as api:
        (future,) = await api.submit([work("hold", id="a")])
        (name,) = cluster.client.keys(keys.chunk("*"))
        chunk = unpacked(cluster.client.get(name))
        with cluster.client.pipeline() as pipeline:
            enqueue(ChunkQueue(connection=cluster.client), [chunk.part(chunk.items)], pipeline)
            pipeline.execute()
        cluster.worker()
        cluster.worker()
        await cluster.until_began(2)
        cluster.let_go("a")
        await future
        await until(cluster.is_quiet)
        assert cluster.client.llen(keys.replies(chunk.api_id)) == 0
    assert cluster.pending_count() == 0


def test_whoever_answers_second_changes_nothing(cluster: Cluster) -> None:
    cluster.client.zadd(keys.PENDING, {"item": 1})
    cluster.client.hset(keys.kept("name"), "turn", "turn")
    counts = [answer(cluster, "item", text, "name") for text in ("first", "second")]
    assert counts == [1, 0]
    assert cluster.client.lrange("replies", 0, -1) == [b"first"]
    assert cluster.client.hget(keys.kept("name"), "answer") == b"first"


def test_at_most_one_judgement_is_kept_under_a_name(cluster: Cluster) -> None:
    cluster.client.zadd(keys.PENDING, {"item": 1, "its twin": 1})
    cluster.client.hset(keys.kept("name"), "turn", "turn")
    assert answer(cluster, "item", "first", "name") == answer(cluster, "its twin", "second", "name")
    assert cluster.client.hget(keys.kept("name"), "answer") == b"first"


async def test_when_all_is_done_and_everybody_gone_nothing_lasts_in_redis(cluster: Cluster) -> None:
    worker = cluster.worker(slots_count=2)
    async with cluster.api(queue_items_max=1000) as api:
        await judged(api, work())
        await until(cluster.is_quiet)
        used_bytes = cluster.client.info("memory")["used_memory"]
        for _ in range(5):
            await judged(api, *(work(f"accept {i}", id=str(i)) for i in range(200)))
        withdrawn = await api.submit([work(f"accept {i}", id=str(i)) for i in range(200)])
        for future in withdrawn:
            future.cancel()
        await until(lambda: cluster.pending_count() == 0)
        await until(cluster.is_quiet)
        assert cluster.client.info("memory")["used_memory"] < used_bytes + _GROWTH_BYTES
    worker.send(signal.SIGTERM)
    assert await asyncio.to_thread(worker.ended) == 0
    assert cluster.lasting_keys() == []
