"""Whoever can write to Redis can still not have a worker call what he likes, nor stop it."""

from __future__ import annotations

import socket
import time
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from rq import Callback
from rq.job import Job
from rq.webhook import Webhook

from evaluator_service import WIRE_VERSION
from evaluator_service.distributed import keys, roster
from evaluator_service.distributed.jobs import JUDGE_CHUNK, ChunkQueue
from evaluator_service.refusals import EngineDownError
from tests.faults.cluster import Cluster, until
from tests.faults.mark import VARIABLE
from tests.service.executors import judged, work

pytestmark = pytest.mark.anyio

_LEAVE = "tests.faults.mark.leave"
_OURS: dict[str, Any] = {"func": JUDGE_CHUNK, "args": (WIRE_VERSION, "no chunk")}


def enqueued(cluster: Cluster, changes: Callable[[Job], None] = lambda _: None, **job: Any) -> str:
    """Enqueue a job as anybody could; its name."""
    queue = ChunkQueue(connection=cluster.client)
    made = Job.create(
        connection=cluster.client, serializer=queue.serializer, origin=queue.name, **job
    )
    changes(made)
    made.save()
    cluster.client.rpush(queue.key, made.id)
    return made.id


def with_instance(job: Job) -> None:
    """Have the job call a method of something."""
    job._instance = "tests.faults.mark.Leaver"
    job._func_name = "leave"


HOSTILE: dict[str, dict[str, Any]] = {
    "function": {"func": _LEAVE},
    "system": {"func": "os.system", "args": ("touch mark",)},
    "success callback": _OURS | {"on_success": Callback(_LEAVE)},
    "failure callback": {"func": _LEAVE, "on_failure": Callback(_LEAVE)},
    "failure callback of one that was cut short": {
        "changes": lambda job: job.connection.zadd(f"rq:wip:{keys.QUEUE}", {f"{job.id}:1": 1}),
        "func": _LEAVE,
        "on_failure": Callback(_LEAVE),
    },
    "stopped callback": {"func": _LEAVE, "on_stopped": Callback(_LEAVE)},
    "instance": _OURS | {"changes": with_instance},
    "another wire version": {"func": JUDGE_CHUNK, "args": (WIRE_VERSION + 1, "no chunk")},
}


@pytest.mark.parametrize("job", HOSTILE.values(), ids=HOSTILE)
async def test_a_job_has_nothing_called_but_the_judge_and_keeps_nobody_from_it(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch, job: dict[str, Any]
) -> None:
    mark = cluster.folder / "mark"
    monkeypatch.setenv(VARIABLE, str(mark))
    monkeypatch.chdir(cluster.folder)
    cluster.worker()
    name = enqueued(cluster, **job)
    async with cluster.api() as api:
        assert (await judged(api, work()))[0].verdict == "accepted"
    await until(cluster.is_quiet)
    assert not mark.exists()
    assert cluster.client.ttl(f"rq:job:{name}") != -1


async def test_a_job_has_no_request_made(cluster: Cluster) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/"
        cluster.worker()
        enqueued(cluster, **_OURS, webhooks=[Webhook(url, "finished")])
        wrong = _OURS | {"args": (WIRE_VERSION + 1, "no chunk")}
        enqueued(cluster, **wrong, webhooks=[Webhook(url, "failed")])
        async with cluster.api() as api:
            await judged(api, work())
        await until(cluster.is_quiet)
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()


GARBAGE: dict[str, dict[str, Any]] = {
    "nothing": {},
    "data": {"data": b"\xff\xfe garbage"},
    "pickle": {"data": zlib.compress(b"cos\nsystem\n(S'touch mark'\ntR.")},
    "date": {"data": b"[]", "created_at": "never"},
    "number": {"data": b"[]", "result_ttl": "many"},
}


def strew(cluster: Cluster, place: str) -> None:
    """Put garbage where jobs wait, have been taken, or are at work."""
    queue = ChunkQueue(connection=cluster.client)
    places = {"queue": queue.key, "gap": queue.intermediate_queue_key}
    for name, fields in GARBAGE.items():
        if fields:
            cluster.client.hset(f"rq:job:{name}", mapping=fields)
        if place in places:
            cluster.client.lpush(places[place], name)
        else:
            cluster.client.zadd(queue.started_job_registry.key, {f"{name}:1": time.time()})


@pytest.mark.parametrize("place", ["queue", "gap", "lease"])
async def test_garbage_wherever_a_job_can_be_keeps_nobody_from_being_judged(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.chdir(cluster.folder)
    strew(cluster, place)
    first = cluster.worker()
    async with cluster.api() as api:
        (future,) = await api.submit([work("hold", id="a")])
        await cluster.until_began(1)
        first.kill()
        cluster.worker()
        cluster.let_go("a")
        assert (await future).verdict == "accepted"
    await until(cluster.is_quiet)
    assert not (cluster.folder / "mark").exists()


async def test_where_all_workers_are_of_another_wire_version_nothing_is_taken_and_that_is_said(
    cluster: Cluster,
) -> None:
    card = roster.WorkerCard(
        name="stranger", wire_version=WIRE_VERSION + 1, seen_at=time.time() + 60, slots_count=1,
        running_count=0, level="full", obstacle=None, judged_by="", languages={}, missing={},
        speed=None,
    )  # fmt: skip
    roster.announce(cluster.client, card)
    async with cluster.api(is_ready=False) as api:
        reason = f"workers speak wire version {WIRE_VERSION + 1}"
        assert reason in (api.obstacle() or "")
        with pytest.raises(EngineDownError, match=reason):
            await api.submit([work()])
    assert cluster.pending_count() == 0
