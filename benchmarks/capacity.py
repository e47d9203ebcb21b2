"""What a thousand and ten thousand cores would need, and where that would break first.

Run: ``python -m benchmarks.capacity [--json] [--quick]``, from the root of the checkout; about four minutes. What a
submission costs each part is measured on a real deployment (``service_model``); what follows for many cores is said
twice, by multiplication and by a simulation in which things queue (``simulation``). The simulation is held against the
real system with one worker and with two. Exits with 1 if it is off by more than an eighth there.
"""

from __future__ import annotations

import asyncio
import math
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

from rich.console import Console

from benchmarks import rollouts
from benchmarks.deployments import Deployment, Plan, deployed
from benchmarks.loopback import Connection
from benchmarks.reporting import Bound, arguments, machine, spin_milliseconds, tell
from benchmarks.service_cost import stored_problem
from benchmarks.service_model import (
    FIGURES,
    Costs,
    card_cost,
    connections_count,
    fitted,
    idle_second,
    items_in_a_job,
    submission_cost,
)
from benchmarks.simulation import Setup, Simulation, background_shares
from benchmarks.stub_judge import SECONDS_VARIABLE

CORES_COUNTS = (1_000, 10_000)
JUDGE_SECONDS = (0.03, 0.1, 0.3, 1.0)
SLOTS_OF_A_WORKER = 16
API_SHARE = 0.6
"""Of an API process's core, what is planned to be used."""
LEAST_SLOTS_SHARE = 0.9
"""Below it, cores wait for the service: it has broken."""
MOST_ERROR_RATIO = 0.125

_VALIDATION_JUDGE_SECONDS = 0.03
_VALIDATION_CLIENTS_COUNT = 3


# --- what is measured -----------------------------------------------------------------------------


async def measured_costs(*, is_quick: bool) -> Costs:
    """Costs of a submission and of processes, from three deployments."""
    batches_count, idle_seconds = (5, 1.0) if is_quick else (60, 8.0)
    points, idles, connections = {}, {}, {}
    for name, plan in {
        "together": Plan({"MICROCODER_SLOTS_COUNT": "2"}, workers_count=1),
        "alone": Plan({"MICROCODER_SLOTS_COUNT": "64"}, workers_count=1),
        "more": Plan({"MICROCODER_SLOTS_COUNT": "2"}, workers_count=3),
    }.items():
        with deployed(plan) as deployment:
            problem_id = await stored_problem(deployment)
            nothing = dict.fromkeys(FIGURES, 0.0)
            await submission_cost(deployment, problem_id, batches_count // 4 + 3, nothing)
            idles[name] = await idle_second(deployment, idle_seconds)
            points[name] = await submission_cost(deployment, problem_id, batches_count, idles[name])
            connections[name] = connections_count(deployment)
            if name == "together":
                card = await card_cost(deployment, idles[name], idle_seconds)
    each, job = fitted(points["together"], points["alone"])
    worker_idle = {f: (idles["more"][f] - idles["together"][f]) / 2 for f in FIGURES}
    worker_connections = (connections["more"] - connections["together"]) / 2
    api_idle = {f: max(0.0, idles["together"][f] - worker_idle[f]) for f in FIGURES}
    return Costs(
        each,
        job,
        api_idle | {"connections": connections["together"] - worker_connections},
        worker_idle | {"connections": worker_connections},
        card,
    )


async def measured_rate(workers_count: int, seconds: float) -> float:
    """Submissions a second of a real deployment that is never idle; each sleeps in its slot."""
    settings = {"MICROCODER_SLOTS_COUNT": "1", SECONDS_VARIABLE: str(_VALIDATION_JUDGE_SECONDS)}
    with deployed(Plan(settings, workers_count)) as deployment:
        problem_id = await stored_problem(deployment)
        await _send_batches(deployment, problem_id, 0.0)
        started = time.monotonic()
        counts = await asyncio.gather(
            *(
                _send_batches(deployment, problem_id, seconds)
                for _ in range(_VALIDATION_CLIENTS_COUNT)
            )
        )
        return sum(counts) / (time.monotonic() - started)


async def _send_batches(deployment: Deployment, problem_id: str, seconds: float) -> int:
    """Send one batch after the other for so long, one at least; how many submissions that were."""
    connection, count, started = Connection(deployment.url), 0, time.monotonic()
    while not count or time.monotonic() - started < seconds:
        await connection.request("POST", "/judge/batch", rollouts.batch_by_id(problem_id))
        count += rollouts.BATCH_COUNT
    connection.close()
    return count


# --- what follows ---------------------------------------------------------------------------------


def setup_for(costs: Costs, slots_count: int, judge_seconds: float) -> Setup:
    """So many slots with as many API processes as they need."""
    items_count = items_in_a_job(judge_seconds)
    rate = slots_count / judge_seconds
    api_seconds = costs.of_submission("api_cpu_ms", items_count) / 1000
    apis_count = max(1, math.ceil(rate * api_seconds / API_SHARE))
    return Setup(slots_count, judge_seconds, apis_count, SLOTS_OF_A_WORKER)


def needs(costs: Costs, slots_count: int, judge_seconds: float) -> dict[str, Any]:
    """What all slots at work would ask of each part, by multiplication."""
    setup = setup_for(costs, slots_count, judge_seconds)
    items_count = items_in_a_job(judge_seconds)
    own_seconds = costs.of_submission("worker_cpu_ms", items_count) / 1000
    rate = slots_count / (judge_seconds + own_seconds)
    workers_count = math.ceil(slots_count / SLOTS_OF_A_WORKER)
    redis_background, _ = background_shares(costs, setup)
    redis_cores = redis_background + rate * costs.of_submission("redis_cpu_ms", items_count) / 1000
    bytes_each = sum(
        costs.of_submission(f"redis_{way}_bytes", items_count) for way in ("in", "out")
    )
    connections = (
        workers_count * (costs.worker_idle["connections"] + SLOTS_OF_A_WORKER - 1)
        + setup.apis_count * costs.api_idle["connections"]
    )
    return {
        "cores": slots_count,
        "judge_ms": round(1000 * judge_seconds),
        "items_a_job": items_count,
        "submissions_a_s": round(rate),
        "redis_commands_a_s": round(rate * costs.of_submission("redis_commands", items_count)),
        "redis_cores": round(redis_cores, 2),
        "redis_MB_a_s": round(rate * bytes_each / 1e6, 1),
        "api_processes": setup.apis_count,
        "redis_connections": round(connections),
    }


def simulated(costs: Costs, slots_count: int, judge_seconds: float) -> dict[str, Any]:
    """The same, where things queue."""
    setup = setup_for(costs, slots_count, judge_seconds)
    found = Simulation(costs, setup).run()
    return {
        "cores": slots_count,
        "judge_ms": round(1000 * judge_seconds),
        "submissions_a_s": round(found.submissions_per_second),
        "judging_percent": round(100 * found.slots_share, 1),
        "redis_percent": round(100 * found.redis_share, 1),
        "api_percent": round(100 * found.api_share, 1),
        "batch_s": round(found.wait_seconds, 2),
    }


def breaks_at(costs: Costs, judge_seconds: float) -> dict[str, Any]:
    """From how many cores on they wait for the service, to an eighth; found by the simulation."""
    fits, breaks = 16, 16
    best = _slots_share(costs, fits, judge_seconds)
    while (
        breaks < 32_768 and _slots_share(costs, breaks, judge_seconds) >= LEAST_SLOTS_SHARE * best
    ):
        fits, breaks = breaks, breaks * 2
    while breaks - fits > fits // 8:
        middle = (fits + breaks) // 2
        if _slots_share(costs, middle, judge_seconds) >= LEAST_SLOTS_SHARE * best:
            fits = middle
        else:
            breaks = middle
    return {
        "judge_ms": round(1000 * judge_seconds),
        "judging_percent_of_16_cores": round(100 * best, 1),
        "cores_that_one_redis_serves": fits,
        "submissions_a_s": round(fits * best / judge_seconds),
    }


def _slots_share(costs: Costs, slots_count: int, judge_seconds: float) -> float:
    return Simulation(costs, setup_for(costs, slots_count, judge_seconds)).run().slots_share


async def validations(costs: Costs, *, is_quick: bool) -> list[dict[str, Any]]:
    """Predicted and measured submissions a second, of one worker and of two."""
    rows = []
    for workers_count in (1, 2):
        setup = Setup(
            workers_count,
            _VALIDATION_JUDGE_SECONDS,
            network_seconds=0.0001,
            is_fixed=True,
        )
        predicted = Simulation(costs, setup).run().submissions_per_second
        found = await measured_rate(workers_count, 2.0 if is_quick else 20.0)
        rows.append(
            {
                "workers": workers_count,
                "predicted_a_s": round(predicted, 1),
                "measured_a_s": round(found, 1),
                "ratio": round(predicted / found, 3),
            }
        )
    return rows


def cost_rows(costs: Costs) -> Iterator[dict[str, Any]]:
    """What was measured, a row for each figure."""
    for figure in FIGURES:
        yield {
            "figure": figure.replace("_", " "),
            "a_submission": round(costs.each[figure], 3),
            "a_job": round(costs.job[figure], 3),
            "alone": round(costs.of_submission(figure, 1), 3),
            "16_in_a_job": round(costs.of_submission(figure, 16), 3),
            "an_API_a_second": round(costs.api_idle[figure], 2),
            "a_worker_a_second": round(costs.worker_idle[figure], 2),
            "a_worker_to_each_API_a_second": round(costs.card[figure], 4),
        }


def main() -> int:
    """Measure, simulate and print; returns the exit status."""
    asked = arguments(__doc__)
    spins = [spin_milliseconds()]
    with ExitStack() as stack:
        stack.enter_context(Console(stderr=True).status("measuring"))
        costs = asyncio.run(measured_costs(is_quick=asked.quick))
        checked = asyncio.run(validations(costs, is_quick=asked.quick))
        spins.append(spin_milliseconds())
    cores_counts = CORES_COUNTS[:1] if asked.quick else CORES_COUNTS
    sizes = [(cores, seconds) for cores in cores_counts for seconds in JUDGE_SECONDS]
    tables = {
        "measured_costs": list(cost_rows(costs)),
        "what_is_needed": [needs(costs, *size) for size in sizes],
        "simulated": [simulated(costs, *size) for size in sizes],
        "the_simulation_beside_the_real_system": checked,
    }
    if not asked.quick:
        tables["where_one_Redis_ends"] = [breaks_at(costs, seconds) for seconds in JUDGE_SECONDS]
    error = max(abs(row["ratio"] - 1) for row in checked)
    bound = Bound("the simulation's error at one and two workers", error, most=MOST_ERROR_RATIO)
    report = {"name": "capacity", "machine": machine(spins), "bounds": [bound]}
    return tell(report | {"costs": costs.as_data()}, tables, as_json=asked.json)


if __name__ == "__main__":
    sys.exit(main())
