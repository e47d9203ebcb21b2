"""A chunk on its way through a slot: whatever fails there, each of its items comes to an end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError

from evaluator_service.distributed import jobs, keys, runner
from evaluator_service.schema import Judgement
from tests.faults.cluster import Cluster
from tests.service.executors import fault_of, work

pytestmark = pytest.mark.anyio


def failing_once(call: Callable[..., Any], error: Exception) -> Callable[..., Any]:
    """The same, but for the first time."""
    errors = [error]

    def called(*args: Any, **kwargs: Any) -> Any:
        if errors:
            raise errors.pop()
        return call(*args, **kwargs)

    return called


async def test_what_redis_would_not_take_back_is_judged_all_the_same(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = RedisConnectionError("gone for a moment")
    monkeypatch.setattr(runner, "enqueue", failing_once(jobs.enqueue, error))
    with cluster.worker_here():
        async with cluster.api() as api:
            futures = await api.submit([work("hold", id="straggler"), work(id="behind")])
            await cluster.until_began(1)
            cluster.worker()
            assert (await futures[1]).verdict == "accepted"
            cluster.let_go("straggler")
            assert (await futures[0]).verdict == "accepted"


async def judged_after(cluster: Cluster, change: Callable[[str], None]) -> Judgement:
    """The judgement of a submission whose chunk, of this key, was changed before a worker came."""
    async with cluster.api(is_ready=False) as api:
        (future,) = await api.submit([work(id="a")])
        (name,) = cluster.client.keys(keys.chunk("*"))
        change(name.decode())
        with cluster.worker_here():
            return await asyncio.wait_for(future, 30)


async def test_what_was_cut_short_again_and_again_is_a_fault_of_ours(cluster: Cluster) -> None:
    def wear_out(name: str) -> None:
        job = name.rpartition(":")[2]
        cluster.client.hset(f"rq:job:{job}", "retries_left", 0)
        cluster.client.lrem(keys.QUEUE_KEY, 1, job)
        cluster.client.zadd(f"rq:wip:{keys.QUEUE}", {f"{job}:dead": 1})

    answer = await judged_after(cluster, wear_out)
    assert (answer.id, answer.reward, fault_of(answer)) == ("a", None, "internal")


async def test_what_a_worker_cannot_read_is_a_fault_of_ours(cluster: Cluster) -> None:
    def age(name: str) -> None:
        content = json.loads(cluster.client.get(name))
        content[2][0][1]["field_of_a_later_release"] = 1
        cluster.client.set(name, json.dumps(content))

    answer = await judged_after(cluster, age)
    assert (answer.id, answer.reward, fault_of(answer)) == ("a", None, "internal")


async def test_what_has_lost_its_problem_is_a_fault_of_ours(cluster: Cluster) -> None:
    def lose(_: str) -> None:
        cluster.client.delete(*cluster.client.keys(keys.problem("*")))

    answer = await judged_after(cluster, lose)
    assert (answer.id, answer.reward, fault_of(answer)) == ("a", None, "internal")
