"""What a submission costs each part of the service, as a straight line: so much each, and so much for each job.

Fitted to two measurements: batches whose 64 submissions travel in two jobs, since two slots are there, and batches in
which each travels alone, since all of 64 slots are free. A stub judges at once; what the parts take while nothing is
sent is measured apart.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from benchmarks import rollouts
from benchmarks.deployments import Deployment
from benchmarks.loopback import Connection
from evaluator_service.distributed import keys

TARGET_SECONDS = 0.5
MOST_ITEMS_COUNT = 32
"""How chunks are cut (``evaluator_service/distributed/chunks.py``)."""

FIGURES = (
    *("redis_commands", "redis_cpu_ms", "redis_in_bytes", "redis_out_bytes"),
    *("api_cpu_ms", "worker_cpu_ms", "http_bytes"),
)

_CARDS_COUNT = 1000


@dataclass(frozen=True, slots=True)
class Costs:
    """Figures of the service.

    Attributes:
        each: Of each submission, by figure.
        job: Of each job, by figure.
        api_idle: Of an API process that does nothing, for each second; also ``connections``.
        worker_idle: Of a worker process that does nothing, for each second; also ``connections``.
        card: What each worker process adds to each API process, for each second: it reads of all that they live.
    """

    each: Mapping[str, float]
    job: Mapping[str, float]
    api_idle: Mapping[str, float]
    worker_idle: Mapping[str, float]
    card: Mapping[str, float]

    def of_submission(self, figure: str, items_count: float) -> float:
        """A figure of a submission that travels with so many in its job."""
        return self.each[figure] + self.job[figure] / items_count

    def as_data(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def items_in_a_job(judge_seconds: float) -> int:
    """How many submissions travel together where all slots are busy, and each takes so long."""
    return max(1, min(MOST_ITEMS_COUNT, int(TARGET_SECONDS / judge_seconds)))


class Reading(NamedTuple):
    """All counters of a deployment at one moment."""

    at: float
    cpu: Mapping[str, float]
    commands: float
    jobs: float
    in_bytes: float
    out_bytes: float

    @classmethod
    def of(cls, deployment: Deployment) -> Reading:
        """Now."""
        assert deployment.redis is not None
        with deployment.redis.client() as client:
            calls = {name: entry["calls"] for name, entry in client.info("commandstats").items()}
            net = client.info("stats")
        return cls(
            time.monotonic(),
            deployment.cpu_seconds(),
            sum(calls.values()),
            calls.get("cmdstat_lrem", 0),  # once for each job, when its worker begins
            net["total_net_input_bytes"],
            net["total_net_output_bytes"],
        )

    def since(self, before: Reading) -> dict[str, float]:
        """What has come about since then, by figure; and ``seconds`` and ``jobs``."""
        cpu = {part: 1000 * (self.cpu[part] - before.cpu[part]) for part in self.cpu}
        return {
            "seconds": self.at - before.at,
            "jobs": self.jobs - before.jobs,
            "redis_commands": self.commands - before.commands,
            "redis_cpu_ms": cpu["redis"],
            "redis_in_bytes": self.in_bytes - before.in_bytes,
            "redis_out_bytes": self.out_bytes - before.out_bytes,
            "api_cpu_ms": cpu["api"],
            "worker_cpu_ms": cpu["worker"],
            "http_bytes": 0.0,
        }


async def idle_second(deployment: Deployment, seconds: float) -> dict[str, float]:
    """What a second costs in which nothing is sent."""
    before = Reading.of(deployment)
    await asyncio.sleep(seconds)
    found = Reading.of(deployment).since(before)
    return {figure: found[figure] / found["seconds"] for figure in FIGURES}


async def submission_cost(
    deployment: Deployment, problem_id: str, batches_count: int, idle: Mapping[str, float]
) -> dict[str, float]:
    """What a submission costs in batches sent one after the other; and ``jobs``, a count."""
    connection = Connection(deployment.url)
    bodies = [rollouts.batch_by_id(problem_id) for _ in range(batches_count)]
    before, http_bytes = Reading.of(deployment), 0
    for body in bodies:
        answer = await connection.request("POST", "/judge/batch", body)
        assert answer.status == 200, answer
        http_bytes += len(body) + len(answer.body)
    found = Reading.of(deployment).since(before)
    connection.close()
    seconds, count = found["seconds"], batches_count * rollouts.BATCH_COUNT
    costs = {figure: (found[figure] - idle[figure] * seconds) / count for figure in FIGURES}
    return costs | {"http_bytes": http_bytes / count, "jobs": found["jobs"] / count}


def fitted(
    together: Mapping[str, float], alone: Mapping[str, float]
) -> tuple[dict[str, float], dict[str, float]]:
    """Two measurements as a straight line: of each submission, and of each job."""
    jobs = alone["jobs"] - together["jobs"]
    job = {figure: max(0.0, (alone[figure] - together[figure]) / jobs) for figure in FIGURES}
    each = {figure: together[figure] - together["jobs"] * job[figure] for figure in FIGURES}
    return each, job


async def card_cost(
    deployment: Deployment, idle: Mapping[str, float], seconds: float
) -> dict[str, float]:
    """What each further worker costs an API process and Redis each second, by letting a thousand seem to be there."""
    assert deployment.redis is not None
    with deployment.redis.client() as client:
        card = json.loads(next(iter(client.hgetall(keys.WORKERS).values())))
        names = [f"seeming-{number}" for number in range(_CARDS_COUNT)]
        cards = {
            name: json.dumps(card | {"name": name, "seen_at": time.time() + 3600}) for name in names
        }
        client.hset(keys.WORKERS, mapping=cards)
        await asyncio.sleep(2)
        crowded = await idle_second(deployment, seconds)
        client.hdel(keys.WORKERS, *names)
    return {figure: max(0.0, crowded[figure] - idle[figure]) / _CARDS_COUNT for figure in FIGURES}


def connections_count(deployment: Deployment) -> int:
    """Connections that Redis has, ours apart."""
    assert deployment.redis is not None
    with deployment.redis.client() as client:
        return int(client.info("clients")["connected_clients"]) - 1
