"""Redis may crash, be away, forget everything or be full: API processes and workers bear it."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator

import httpx2
import pytest

from evaluator_service.distributed import keys, lookout
from evaluator_service.executor import Executor
from evaluator_service.local_service import running_process
from evaluator_service.refusals import EngineDownError, QueueFull
from evaluator_service.schema import Judgement
from tests.faults.cluster import Cluster, until
from tests.service.executors import judged, problem, work

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("hasty")]


# --- it crashes -----------------------------------------------------------------------------------


async def insistently_judged(api: Executor, name: str) -> Judgement:
    """The judgement of a submission that is sent until it is taken."""
    while True:
        try:
            return (await judged(api, work(f"accept {name}", id=name)))[0]
        except EngineDownError:
            await asyncio.sleep(0.1)


async def streamed(api: Executor, count: int) -> AsyncIterator[Judgement]:
    """So many judgements, 20 at a time."""
    for start in range(0, count, 20):
        names = map(str, range(start, start + 20))
        for judgement in await asyncio.gather(*(insistently_judged(api, n) for n in names)):
            yield judgement


async def test_a_redis_that_crashes_under_load_costs_nobody_an_answer(cluster: Cluster) -> None:
    workers = [cluster.worker(), cluster.worker()]
    answers = []
    async with cluster.api() as api:
        async for answer in streamed(api, 400):
            answers.append(answer)
            if len(answers) in (100, 300):
                cluster.redis.end(signal.SIGKILL)
                cluster.redis.start()
        await until(lambda: cluster.pending_count() == 0)
        await until(cluster.is_quiet)
        for worker in workers:
            worker.send(signal.SIGTERM)
        assert [worker.ended() for worker in workers] == [0, 0]
    assert [answer.verdict for answer in answers] == ["accepted"] * 400
    assert [int(answer.id or "") for answer in answers] == list(range(400))


async def test_what_was_at_work_when_redis_crashed_is_answered_when_it_is_back(
    cluster: Cluster,
) -> None:
    cluster.worker()
    async with cluster.api() as api:
        futures = await api.submit([work(f"hold {name}", id=name) for name in "abc"])
        await cluster.until_began(1)
        cluster.redis.end(signal.SIGKILL)
        cluster.let_go(*"abc")
        cluster.redis.start()
        answers = await asyncio.gather(*futures)
    assert [answer.verdict for answer in answers] == ["accepted"] * 3


# --- it is away -----------------------------------------------------------------------------------


async def test_while_redis_is_away_the_answer_is_503_and_all_works_again_when_it_is_back(
    cluster: Cluster,
) -> None:
    cluster.worker()
    submission = {"code": "accept", "problem": {"kind": "stdio", "tests": [{"expected": "7"}]}}
    with (
        running_process(cluster.environment()) as service,
        httpx2.Client(base_url=service.url, trust_env=False, timeout=60) as client,
    ):
        client.post("/judge", json=submission)
        cluster.redis.end()
        refused = client.post("/judge", json=submission)
        await until(lambda: client.get("/readyz").status_code == 503)
        reason = client.get("/readyz").json()["detail"]
        cluster.redis.start()
        await until(lambda: client.get("/readyz").status_code == 200)
        again = client.post("/judge", json=submission | {"id": "again"})
    assert (refused.status_code, refused.headers["Retry-After"].isdigit()) == (503, True)
    assert "has not answered" in reason
    assert again.json()["verdict"] == "accepted"


# --- it forgets -----------------------------------------------------------------------------------


async def test_what_redis_forgot_is_admitted_again(cluster: Cluster) -> None:
    cluster.worker()
    async with cluster.api() as api:
        futures = await api.submit([work(f"hold {name}", id=name) for name in "abc"])
        await cluster.until_began(1)
        cluster.client.flushall()
        cluster.let_go(*"abc")
        answers = await asyncio.gather(*futures)
    assert [answer.verdict for answer in answers] == ["accepted"] * 3
    assert cluster.pending_count() == 0


# --- it is full -----------------------------------------------------------------------------------


def fill(cluster: Cluster, ratio: float) -> None:
    """Have what Redis holds be so much of what it may hold."""
    used_bytes = cluster.client.info("memory")["used_memory"]
    cluster.client.config_set("maxmemory", int(used_bytes / ratio))


async def test_a_redis_that_is_nearly_full_takes_nothing_new_and_what_runs_is_answered(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lookout, "MEMORY_RATIO", 0.05)  # far below: buffers of clients come and go
    cluster.worker()
    async with cluster.api() as api:
        (held,) = await api.submit([work("hold", id="held")])
        await cluster.until_began(1)
        fill(cluster, 0.1)
        await until(lambda: api.obstacle() == "Redis is nearly out of memory")
        with pytest.raises(QueueFull):
            await api.submit([work()])
        cluster.let_go("held")
        assert (await held).verdict == "accepted"
        cluster.client.config_set("maxmemory", 0)
        await until(lambda: api.obstacle() is None)
        assert (await judged(api, work()))[0].verdict == "accepted"


async def test_a_redis_that_is_full_before_anybody_saw_it_is_no_room_either(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lookout, "MEMORY_RATIO", 2.0)
    worker = cluster.worker()
    async with cluster.api() as api:
        (held,) = await api.submit([work("hold", id="held")])
        await cluster.until_began(1)
        fill(cluster, 1.01)
        with pytest.raises(QueueFull):
            await api.submit([work(problem=problem("new"))])
        cluster.let_go("held")
        assert (await held).verdict == "accepted"
        cluster.client.config_set("maxmemory", 0)
        assert (await judged(api, work()))[0].verdict == "accepted"
        worker.send(signal.SIGTERM)
        assert worker.ended() == 0
    assert not cluster.client.exists(keys.PENDING)
