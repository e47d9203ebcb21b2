"""``microcoder bench sandbox``: what isolation costs, ours beside others', in one interleaved run."""

from __future__ import annotations

import multiprocessing
import os
import platform
import statistics
import time
from collections import defaultdict
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any, NamedTuple

import psutil
from rich.console import Console
from rich.progress import track

from evaluator_service.bench.graders import Grader, all_graders
from evaluator_service.bench.workloads import Workload, sandbox_workloads
from evaluator_service.environment import load_settings
from sandbox.flavours import installed

ROUNDS_COUNT = 5
BURST_SECONDS = 0.6
"""How long one grader works on one workload before the next has its turn."""


def measure() -> dict[str, Any]:
    """Run every grader on every workload in turn, several rounds.

    Returns:
        ``{"name", "machine", "rows": [{"grader", "workload", "tests_count", …}]}``.
    """
    settings = load_settings(log_level="error")
    workloads = sandbox_workloads(with_numpy="numpy" in installed(settings.packages).packages)
    with all_graders(settings) as graders:
        bursts = _all_bursts(graders, workloads, settings.slots_count)
    rows = [
        _row(grader, workload, bursts[grader, workload.name])
        for workload in workloads
        for grader in graders
    ]
    return {"name": "sandbox", "machine": machine(), "rows": rows}


def machine() -> dict[str, Any]:
    """What it ran on."""
    return {
        "cores_count": len(os.sched_getaffinity(0)),
        "memory_bytes": psutil.virtual_memory().total,
        "kernel": platform.release(),
        "python": platform.python_version(),
        "load_before": os.getloadavg()[0],
    }


class Burst(NamedTuple):
    """What one grader did with one workload for a while, on all cores."""

    latencies_seconds: list[float]
    elapsed_seconds: float
    cpu_seconds: float


def _burst(workers: Executor, count: int, grader: Grader, workload: Workload) -> Burst:
    cpu_before, started = _cpu_seconds(), time.perf_counter()
    running = [workers.submit(grade_for, BURST_SECONDS, grader, workload) for _ in range(count)]
    latencies = [latency for future in running for latency in future.result()]
    return Burst(latencies, time.perf_counter() - started, _cpu_seconds() - cpu_before)


def grade_for(duration_seconds: float, grader: Grader, workload: Workload) -> list[float]:
    """Grade again and again; the seconds each submission took."""
    latencies: list[float] = []
    deadline = time.perf_counter() + duration_seconds
    while not latencies or time.perf_counter() < deadline:
        started = time.perf_counter()
        grader(workload)
        latencies.append(time.perf_counter() - started)
    return latencies


def _cpu_seconds() -> float:
    """CPU time of the whole machine: what runs in jails is not counted as a child of this process."""
    times = psutil.cpu_times()
    return float(times.user + times.system + times.nice)


def _all_bursts(
    graders: dict[str, Grader], workloads: list[Workload], workers_count: int
) -> dict[tuple[str, str], list[Burst]]:
    """Every grader at every workload, in turn: ours in threads as in service, others in processes."""
    bursts: dict[tuple[str, str], list[Burst]] = defaultdict(list)
    turns = [(w, g) for _ in range(ROUNDS_COUNT) for w in workloads for g in graders]
    spawn = multiprocessing.get_context("spawn")
    with (
        ThreadPoolExecutor(workers_count) as threads,
        ProcessPoolExecutor(workers_count, mp_context=spawn) as processes,
    ):
        for workload, name in track(turns, "measuring", console=Console(stderr=True)):
            workers: Executor = threads if name.startswith("ours") else processes
            burst = _burst(workers, workers_count, graders[name], workload)
            bursts[name, workload.name].append(burst)
    return bursts


def _row(grader: str, workload: Workload, bursts: list[Burst]) -> dict[str, Any]:
    rates = [len(burst.latencies_seconds) / burst.elapsed_seconds for burst in bursts]
    cpu = [
        burst.cpu_seconds / (len(burst.latencies_seconds) * workload.tests_count)
        for burst in bursts
    ]
    latencies = [latency for burst in bursts for latency in burst.latencies_seconds]
    rate = statistics.median(rates)
    return {
        "grader": grader,
        "workload": workload.name,
        "tests_count": workload.tests_count,
        "submissions_per_second": round(rate, 2),
        "tests_per_second": round(rate * workload.tests_count, 1),
        "latency_seconds_median": round(statistics.median(latencies), 6),
        "cpu_seconds_per_test": round(statistics.median(cpu), 6),
        "runs": len(latencies),
    }
