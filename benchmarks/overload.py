"""What becomes of five times the load that a service can bear, for two minutes.

Run: ``python -m benchmarks.overload [--json] [--quick] [--real]``, from the root of the checkout; six minutes, with
``--quick`` one. Submissions come at a fixed rate, whatever is answered, each with a deadline of five seconds, to a service
whose queue holds 500: one that judges by itself, then one with RQ and two workers. The stub judge sleeps 20 ms over
each; ``--real`` runs real jails. Before and after, the load is what the service can just bear. Exits with 1 if memory
grows, answers come late, marks become fewer, anything is lost, or a judge error has a reward.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console

from benchmarks import rollouts
from benchmarks.deployments import Deployment, Plan, deployed
from benchmarks.reporting import Bound, arguments, machine, spin_milliseconds, tell
from benchmarks.storm import Outcomes, Storm
from benchmarks.stub_judge import SECONDS_VARIABLE

FACTOR = 5
QUEUE_ITEMS_COUNT = 500
DEADLINE_SECONDS = 5.0
GRACE_SECONDS = 0.5
"""From a deadline until the answer has reached a client that shares two cores with all else."""
LEAST_SHARE = 0.9
MOST_GROWTH_RATIO = 1.03
STUB_SECONDS = 0.02
POLITE_COUNT = 20
SATURATING_RATE = 300.0

_KEPT_BYTES = str(2 << 20)
"""Room for judgements to be given again: full long before half of the storm is over. What grows then leaks."""
_MEBIBYTE_BYTES = 1 << 20


@dataclass(slots=True)
class Memory:
    """Bytes of each part, looked at every second.

    Attributes:
        samples: By part.
    """

    samples: dict[str, list[float]] = field(default_factory=dict)

    def look(self, deployment: Deployment) -> None:
        """Add a sample."""
        found = deployment.resident_bytes()
        if deployment.redis is not None:
            found["redis"] = deployment.redis.client().info("memory")["used_memory"]
        for part, size in found.items():
            self.samples.setdefault(part, []).append(size)

    def peaks(self, part: str) -> tuple[float, float]:
        """The most in the second quarter of the time and in the last."""
        found = self.samples[part]
        quarter = max(1, len(found) // 4)
        return max(found[quarter : 2 * quarter]), max(found[-quarter:])


@dataclass(frozen=True, slots=True)
class Storms:
    """What came of one service.

    Attributes:
        service: Its name.
        capacity: Marks a second that it gives at most.
        calm: Marks a second that came of as much as that, before and after.
        storm: What came of five times as much.
        seconds: How long the storm was.
        memory: Meanwhile.
        tries: Of clients that obey ``Retry-After``, until they were let in; None: they were not.
        connections_count: Of all other clients.
    """

    service: str
    capacity: float
    calm: tuple[float, float]
    storm: Outcomes
    seconds: float
    memory: Memory
    tries: list[int | None]
    connections_count: int

    @property
    def calm_rate(self) -> float:
        """Marks a second under as much load as it can bear."""
        return sum(self.calm) / 2

    def row(self) -> dict[str, Any]:
        """In a table."""
        return {
            "service": self.service,
            "offered_a_second": round(self.storm.sent_count / self.seconds, 1),
            "connections": self.connections_count,
            "marks_a_second": round(self.storm.marks_rate, 1),
            "calm": round(self.calm_rate, 1),
            "refused_percent": round(100 * self.storm.refused_count / self.storm.sent_count, 1),
            "deadline_faults": self.storm.faults["deadline"],
            "p50_s": round(self.storm.percentile(0.5), 2),
            "p99_s": round(self.storm.percentile(0.99), 2),
            "retry_after_s": max(self.storm.retry_after, default=0),
            "tries_until_let_in": max((tries or 0 for tries in self.tries), default=0),
        }

    def memory_rows(self) -> list[dict[str, Any]]:
        """Of each part."""
        return [
            {
                "service": self.service,
                "part": part,
                "second_quarter_MiB": round(self.memory.peaks(part)[0] / _MEBIBYTE_BYTES, 1),
                "last_quarter_MiB": round(self.memory.peaks(part)[1] / _MEBIBYTE_BYTES, 1),
            }
            for part in self.memory.samples
        ]

    def bounds(self) -> list[Bound]:
        """What has to hold."""
        storm, name = self.storm, self.service
        growth = max(
            after / before for before, after in map(self.memory.peaks, self.memory.samples)
        )
        latest = DEADLINE_SECONDS + GRACE_SECONDS
        return [
            Bound(f"{name}, p99 of accepted, s", storm.percentile(0.99), most=latest),
            Bound(
                f"{name}, marks beside calm",
                self.storm.marks_rate / self.calm_rate,
                least=LEAST_SHARE,
            ),
            Bound(f"{name}, memory, last beside second quarter", growth, most=MOST_GROWTH_RATIO),
            *self.honest_bounds(),
        ]

    def honest_bounds(self) -> list[Bound]:
        """What has to hold however busy the machine is."""
        storm, name = self.storm, self.service
        return [
            Bound(f"{name}, lost", storm.sent_count - storm.answered_count, most=0),
            Bound(f"{name}, faults with a reward", storm.rewarded_faults_count, most=0),
            Bound(f"{name}, refused", storm.refused_count, least=1),
            Bound(f"{name}, obedient clients not let in", self.tries.count(None), most=0),
        ]


async def measure(service: str, plan: Plan, *, is_quick: bool, spins: list[float]) -> Storms:
    """Calm, storm, calm."""
    calm_seconds, storm_seconds = (4.0, 20.0) if is_quick else (20.0, 120.0)
    memory = Memory()
    with deployed(plan) as deployment:
        storm = Storm(deployment.url, _body)
        capacity = (await storm.blow(SATURATING_RATE, calm_seconds)).marks_rate
        calm = [(await storm.blow(capacity, calm_seconds)).marks_rate]
        async with _watched(deployment, memory, spins):
            obedient = [asyncio.create_task(storm.obey(storm_seconds)) for _ in range(POLITE_COUNT)]
            outcomes = await storm.blow(FACTOR * capacity, storm_seconds)
            tries = await asyncio.gather(*obedient)
        calm.append((await storm.blow(capacity, calm_seconds)).marks_rate)
        storm.close()
    return Storms(
        service,
        capacity,
        (calm[0], calm[1]),
        outcomes,
        storm_seconds,
        memory,
        list(tries),
        storm.connections_count,
    )


@asynccontextmanager
async def _watched(
    deployment: Deployment, memory: Memory, spins: list[float]
) -> AsyncIterator[None]:
    """Look at the memory every second of the block."""

    async def look() -> None:
        while True:
            memory.look(deployment)
            spins.append(spin_milliseconds())
            await asyncio.sleep(1)

    looking = asyncio.create_task(look())
    try:
        yield
    finally:
        looking.cancel()


_PROBLEM = {"kind": "stdio", "tests": [{"input": "7", "expected": "7"}]}


def _body() -> bytes:
    code = rollouts.program() + "print(7)\n"
    return rollouts.submission(code=code, problem=_PROBLEM, deadline_seconds=DEADLINE_SECONDS)


def plans(*, is_real: bool) -> dict[str, Plan]:
    """The services, by name."""
    settings = {
        "MICROCODER_QUEUE_ITEMS_MAX": str(QUEUE_ITEMS_COUNT),
        "MICROCODER_MAX_REUSED_BYTES": _KEPT_BYTES,
        "MALLOC_ARENA_MAX": "1",  # one for all threads: else what each once needed looks like a leak
        SECONDS_VARIABLE: str(STUB_SECONDS),
    }
    return {
        "embedded": Plan(settings | {"MICROCODER_SLOTS_COUNT": "2"}, is_real=is_real),
        "RQ": Plan(settings | {"MICROCODER_SLOTS_COUNT": "1"}, workers_count=2, is_real=is_real),
    }


def main() -> int:
    """Measure and print; returns the exit status."""
    asked = arguments(__doc__, real="judge with real jails")
    spins = [spin_milliseconds()]
    found: list[Storms] = []
    console = Console(stderr=True)
    for name, plan in plans(is_real=asked.real).items():
        with console.status(f"{name}: calm, storm, calm"):
            found.append(asyncio.run(measure(name, plan, is_quick=asked.quick, spins=spins)))
    report = {
        "name": "overload",
        "machine": machine(spins),
        "bounds": [bound for storms in found for bound in storms.bounds()],
    }
    tables = {
        f"{FACTOR}_times_what_it_can_bear": [storms.row() for storms in found],
        "memory": [row for storms in found for row in storms.memory_rows()],
    }
    return tell(report, tables, as_json=asked.json)


if __name__ == "__main__":
    sys.exit(main())
