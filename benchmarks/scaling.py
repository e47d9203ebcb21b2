"""Whether two workers on two cores do nearly twice what one does, on programs that compute.

Run: ``python -m benchmarks.scaling [--json] [--quick]``, from the root of the checkout, on two cores or more; some
minutes. The real judge, with jails: each submission is a new program with ten tests, and takes 30 CPU-ms for each. One
deployment has one worker of one slot, the other two; both stand at the same time and are sent the same kind of batch in
turn. Two workers need both cores, so a pair during which other processes took more than a twentieth of the machine says
nothing: it is set aside, and another follows. Exits with 1 if the median ratio is below 1.7.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import psutil
from rich.console import Console
from rich.progress import Progress

from benchmarks.deployments import Deployment, Plan, deployed
from benchmarks.loopback import Connection
from benchmarks.processes import family_cpu_seconds
from benchmarks.reporting import Bound, arguments, machine, spin_milliseconds, tell
from benchmarks.rollouts import computing_batch

LEAST_RATIO = 1.7
MOST_OTHERS_SHARE = 0.05
TEST_CPU_SECONDS = 0.03
SETTINGS = {"MICROCODER_SLOTS_COUNT": "1"}


class Took(NamedTuple):
    """A batch.

    Attributes:
        seconds: From sending it to its answer, for each of its submissions.
        others_share: Of the machine's CPU time meanwhile, what others than the service and we took.
    """

    seconds: float
    others_share: float


async def judged(deployment: Deployment, count: int) -> Took:
    """Have a batch of so many new programs judged."""
    connection = Connection(deployment.url)
    body = computing_batch(count, TEST_CPU_SECONDS)
    busy, ours, started = _busy_seconds(), _our_seconds(deployment), time.perf_counter()
    answer = await connection.request("POST", "/judge/batch", body)
    elapsed = time.perf_counter() - started
    others = _busy_seconds() - busy - (_our_seconds(deployment) - ours)
    connection.close()
    assert json.loads(answer.body)["summary"]["verdicts"] == {"accepted": count}, answer.body[-500:]
    return Took(elapsed / count, max(0.0, others) / elapsed / len(os.sched_getaffinity(0)))


def _busy_seconds() -> float:
    times = psutil.cpu_times()
    return sum(times) - times.idle - times.iowait - times.guest - times.guest_nice


def _our_seconds(deployment: Deployment) -> float:
    return sum(deployment.measured(family_cpu_seconds).values()) + time.process_time()


@dataclass(slots=True)
class Pairs:
    """Batches of one worker and of two, in turn.

    Attributes:
        quiet: Those that count.
        disturbed: Those that were set aside.
        spins: How slow the cores were meanwhile, CPU-ms of a loop.
    """

    quiet: list[tuple[Took, Took]] = field(default_factory=list)
    disturbed: list[tuple[Took, Took]] = field(default_factory=list)
    spins: list[float] = field(default_factory=list)

    def add(self, pair: tuple[Took, Took]) -> None:
        """Count a pair, or set it aside."""
        is_quiet = max(took.others_share for took in pair) <= MOST_OTHERS_SHARE
        (self.quiet if is_quiet else self.disturbed).append(pair)

    @property
    def counted(self) -> list[tuple[Took, Took]]:
        """Those that were quiet; where none was, all."""
        return self.quiet or self.disturbed


async def measure(*, is_quick: bool) -> Pairs:
    """Pairs, until enough of them were quiet or too many were not."""
    wanted_count, most_count, batch_count = (1, 1, 4) if is_quick else (9, 40, 24)
    pairs = Pairs()
    with ExitStack() as stack, Progress(console=Console(stderr=True), transient=True) as progress:
        one, two = (
            stack.enter_context(deployed(Plan(SETTINGS, count, is_real=True))) for count in (1, 2)
        )
        for deployment in (one, two):
            await judged(deployment, batch_count)
        task = progress.add_task("quiet pairs", total=wanted_count)
        while len(pairs.quiet) < wanted_count and len(pairs.quiet + pairs.disturbed) < most_count:
            pairs.spins.append(spin_milliseconds())
            pairs.add((await judged(one, batch_count), await judged(two, batch_count)))
            progress.update(task, completed=len(pairs.quiet))
    return pairs


def rows(pairs: Pairs) -> list[dict[str, Any]]:
    """One for each number of workers."""
    return [
        {
            "workers": workers_count,
            "submissions_per_second": round(1 / statistics.median(t.seconds for t in took), 2),
            "ms_a_submission": round(1000 * statistics.median(t.seconds for t in took), 1),
            "others_percent": round(100 * statistics.median(t.others_share for t in took), 1),
        }
        for workers_count, took in enumerate(zip(*pairs.counted, strict=True), start=1)
    ]


def main() -> int:
    """Measure and print; returns the exit status."""
    asked = arguments(__doc__)
    pairs = asyncio.run(measure(is_quick=asked.quick))
    ratios = [one.seconds / two.seconds for one, two in pairs.counted]
    bound = Bound(
        f"two workers beside one, median of {len(ratios)} pairs ({min(ratios):.2f} to {max(ratios):.2f}), "
        f"{len(pairs.disturbed)} set aside",
        round(statistics.median(ratios), 3),
        least=LEAST_RATIO,
    )
    report = {"name": "scaling", "machine": machine(pairs.spins), "bounds": [bound]}
    return tell(
        report | {"ratios": ratios}, {"programs_that_compute": rows(pairs)}, as_json=asked.json
    )


if __name__ == "__main__":
    sys.exit(main())
