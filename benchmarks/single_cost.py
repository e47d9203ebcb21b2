"""Single submissions by ``POST /judge``: how many a second, how long each waits, what each costs."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Mapping
from typing import Any

from benchmarks import rollouts
from benchmarks.deployments import Deployment
from benchmarks.loopback import Connection

CONNECTIONS_COUNTS = (1, 16)
PROBLEM = rollouts.problem("single")


async def measure_singles(
    deployments: Mapping[str, Deployment],
    idle: Mapping[str, Mapping[str, float]],
    requests_count: int,
) -> list[dict[str, Any]]:
    """A row for each service and number of connections; ``idle`` by URL: CPU seconds a second of each part."""
    return [
        await _row(name, deployment, idle[deployment.url], connections_count, requests_count)
        for connections_count in CONNECTIONS_COUNTS
        for name, deployment in deployments.items()
    ]


async def _row(
    name: str,
    deployment: Deployment,
    idle: Mapping[str, float],
    connections_count: int,
    requests_count: int,
) -> dict[str, Any]:
    before, started = deployment.cpu_seconds(), time.perf_counter()
    each_count = max(1, requests_count // connections_count)
    latencies = await asyncio.gather(
        *(_ask(deployment.url, each_count) for _ in range(connections_count))
    )
    elapsed = time.perf_counter() - started
    after = deployment.cpu_seconds()
    found = sorted(seconds for part in latencies for seconds in part)
    cpu_seconds = sum(after[part] - before[part] - idle[part] * elapsed for part in after)
    return {
        "service": name,
        "connections": connections_count,
        "requests_per_second": round(len(found) / elapsed, 1),
        "p50_ms": round(1000 * statistics.median(found), 2),
        "p99_ms": round(1000 * found[int(0.99 * (len(found) - 1))], 2),
        "cpu_ms": round(1000 * cpu_seconds / len(found), 3),
    }


async def _ask(url: str, count: int) -> list[float]:
    """Seconds that each of so many requests took, one after the other."""
    connection = Connection(url)
    taken = []
    for _ in range(count):
        body = rollouts.submission(problem=PROBLEM)
        started = time.perf_counter()
        answer = await connection.request("POST", "/judge", body)
        taken.append(time.perf_counter() - started)
        assert answer.status == 200, answer
    connection.close()
    return taken
