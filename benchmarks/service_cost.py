"""What the service itself costs: CPU time of its processes for batches that a stub judges at once.

Run: ``python -m benchmarks.service_cost [--json] [--quick]``, from the root of the checkout; about three minutes. A
batch is 64 new programs of 1 KB for a problem of ten tests of 1 KB, over HTTP on loopback. Three services run at the
same time and are sent batches in turn: one that judges by itself, one with RQ, and the queue path that one would write
first (``naive_rq``). What the processes take while nothing is sent is left out. Exits with 1 if a bound is missed.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console
from rich.progress import Progress

from benchmarks import rollouts
from benchmarks.deployments import Deployment, Plan, deployed
from benchmarks.loopback import Connection
from benchmarks.processes import running
from benchmarks.redis_server import redis_server
from benchmarks.reporting import Bound, arguments, machine, spin_milliseconds, tell
from benchmarks.single_cost import measure_singles

EMBEDDED_MILLISECONDS = 6.0
RQ_MILLISECONDS = 40.0
NAIVE_RATIO = 8.0
SETTINGS = {"MICROCODER_SLOTS_COUNT": "2"}

NAIVE = ("-m", "benchmarks.naive_rq")
NDJSON = "application/x-ndjson"


@dataclass(slots=True)
class Way:
    """A way to have a batch judged, and what it took, in each round.

    Attributes:
        service: Who judges.
        problem: How its problem is named.
        deployment: The processes.
        body: Makes a new batch.
        accept: The form of the answer.
        share: Batches a round, of those of the others.
        rounds: CPU-ms a batch, by part, and elapsed ms a batch.
    """

    service: str
    problem: str
    deployment: Deployment
    body: Callable[[], bytes]
    accept: str = "application/json"
    share: float = 1.0
    rounds: list[dict[str, float]] = field(default_factory=list)

    async def measure(self, batches_count: int, idle: dict[str, float]) -> None:
        """Send batches one after the other; ``idle`` is what the parts take anyway, CPU seconds a second."""
        bodies = [self.body() for _ in range(max(1, round(self.share * batches_count)))]
        connection = Connection(self.deployment.url)
        before, started = self.deployment.cpu_seconds(), time.perf_counter()
        for body in bodies:
            answer = await connection.request("POST", "/judge/batch", body, self.accept)
            assert answer.status == 200, answer
        elapsed = time.perf_counter() - started
        after = self.deployment.cpu_seconds()
        connection.close()
        assert answer.body.count(b'"accepted"') > rollouts.BATCH_COUNT - 1, answer
        assert b'"cached":true' not in answer.body, "something was reused"
        taken = {part: after[part] - before[part] - idle[part] * elapsed for part in after}
        per_batch = {part: 1000 * seconds / len(bodies) for part, seconds in taken.items()}
        self.rounds.append(per_batch | {"elapsed": 1000 * elapsed / len(bodies)})

    def totals(self) -> list[float]:
        """CPU-ms a batch, all parts together, of each round."""
        return [sum(took.values()) - took["elapsed"] for took in self.rounds]

    def row(self) -> dict[str, Any]:
        """Medians over the rounds, and the quarter of them that was disturbed least."""
        parts = {
            f"{part}_cpu_ms": _median([took.get(part, 0.0) for took in self.rounds])
            for part in ("api", "worker", "redis")
        }
        return {
            "service": self.service,
            "problem": self.problem,
            **parts,
            "cpu_ms": _median(self.totals()),
            "cpu_ms_quiet": quiet(self.totals()),
            "elapsed_ms": _median([took["elapsed"] for took in self.rounds]),
        }


def _median(values: list[float]) -> float:
    return round(statistics.median(values), 2)


def quiet(values: list[float]) -> float:
    """The lower quartile: others on the machine only ever add."""
    return round(sorted(values)[len(values) // 4], 2)


@contextmanager
def naive() -> Iterator[Deployment]:
    """The naive service: an API process, a worker, a Redis."""
    with (
        redis_server() as redis,
        running((*NAIVE, "worker", redis.url), {}, until="works for") as (worker, _),
        running((*NAIVE, "api", redis.url), {}, until="listens on") as (api, line),
    ):
        processes = {"api": [api], "worker": [worker], "redis": [redis.pid]}
        yield Deployment(line.rpartition(" ")[2], processes, redis)


async def stored_problem(deployment: Deployment) -> str:
    """The id of a problem that the service has been given."""
    connection = Connection(deployment.url)
    body = json.dumps(rollouts.problem()).encode()
    answer = await connection.request("POST", "/problems", body)
    connection.close()
    return str(json.loads(answer.body)["problem_id"])


async def ways_of(service: str, deployment: Deployment) -> list[Way]:
    """How the product is asked."""
    stored = await stored_problem(deployment)

    def by_id() -> bytes:
        return rollouts.batch_by_id(stored)

    return [
        Way(service, "stored", deployment, by_id),
        Way(service, "in the batch", deployment, rollouts.batch_by_name),
        Way(service, "stored, NDJSON", deployment, by_id, accept=NDJSON),
    ]


async def idle_cost(deployment: Deployment, seconds: float) -> dict[str, float]:
    """CPU seconds a second of each part while nothing is sent."""
    before = deployment.cpu_seconds()
    await asyncio.sleep(seconds)
    after = deployment.cpu_seconds()
    return {part: (after[part] - before[part]) / seconds for part in after}


async def measure(*, is_quick: bool) -> tuple[list[Way], list[dict[str, Any]], list[float]]:
    """All ways in turn, round by round; then single submissions; and how slow the cores were meanwhile."""
    rounds_count, batches_count = (2, 3) if is_quick else (16, 10)
    spins: list[float] = []
    with ExitStack() as stack, Progress(console=Console(stderr=True), transient=True) as progress:
        alone = stack.enter_context(deployed(Plan(SETTINGS)))
        shared = stack.enter_context(deployed(Plan(SETTINGS, workers_count=1)))
        first = stack.enter_context(naive())
        naive_way = Way("naive RQ", "in the batch", first, rollouts.batch_by_name, share=0.2)
        ways = [*await ways_of("embedded", alone), *await ways_of("RQ", shared), naive_way]
        idle = await _warm(ways, batches_count, 0.5 if is_quick else 5.0)
        for _ in progress.track(range(rounds_count), description="batches"):
            for way in ways:
                spins.append(spin_milliseconds())
                await way.measure(batches_count, idle[way.deployment.url])
        singles = await measure_singles(
            {"embedded": alone, "RQ": shared}, idle, 40 if is_quick else 1500
        )
    return ways, singles, spins


async def _warm(
    ways: list[Way], batches_count: int, idle_seconds: float
) -> dict[str, dict[str, float]]:
    """Have everything loaded and learned; what each service takes when idle, by its URL."""
    nothing = {"api": 0.0, "worker": 0.0, "redis": 0.0}
    for way in ways:
        await way.measure(batches_count, nothing)
        way.rounds.clear()
    deployments = {way.deployment.url: way.deployment for way in ways}
    measured: list[Awaitable[dict[str, float]]] = [
        idle_cost(deployment, idle_seconds) for deployment in deployments.values()
    ]
    return dict(zip(deployments, await asyncio.gather(*measured), strict=True))


def bounds(ways: list[Way]) -> list[Bound]:
    """What has to hold of the first way of each service, and of the one with its problem in the batch."""
    embedded, embedded_named, _, shared, shared_named, _, first = ways
    ratios = [
        theirs / ours for theirs, ours in zip(first.totals(), shared_named.totals(), strict=True)
    ]
    most = {"most": EMBEDDED_MILLISECONDS}
    return [
        Bound("embedded, CPU-ms a batch", quiet(embedded.totals()), **most),
        Bound("embedded, problem in it, CPU-ms", quiet(embedded_named.totals()), **most),
        Bound("RQ, CPU-ms a batch", _median(shared.totals()), RQ_MILLISECONDS),
        Bound("RQ, problem in it, CPU-ms", _median(shared_named.totals()), RQ_MILLISECONDS),
        Bound("naive RQ, times as dear", statistics.median(ratios), least=NAIVE_RATIO),
    ]


def main() -> int:
    """Measure and print; returns the exit status."""
    asked = arguments(__doc__)
    ways, singles, spins = asyncio.run(measure(is_quick=asked.quick))
    found = {"name": "service_cost", "machine": machine(spins), "bounds": bounds(ways)}
    tables = {
        "a_batch_of_64": [way.row() for way in ways],
        "single_submissions": singles,
    }
    return tell(found, tables, as_json=asked.json)


if __name__ == "__main__":
    sys.exit(main())
