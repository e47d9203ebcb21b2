"""A service whose parts are killed at random moments: no wrong verdict, and nothing that lives on.

Kills nsjails, zygotes, sessions, tests, and now and then the service itself: always what is found below the
process of the service that was started here, and nothing else.
"""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import httpx2
import psutil
from rich.console import Console
from rich.progress import track

from benchmarks.soak_kill_report import PARTS, Answer, KillReport
from benchmarks.soak_load import CLIENTS_PER_SLOT_COUNT
from benchmarks.soak_service import ANSWER_SECONDS, SoakedService, soaked_service
from benchmarks.soak_tasks import Task, endless_tasks
from benchmarks.soak_traces import deserted_groups, left_behind, wait_until
from sandbox import cgroup

_WEIGHTS = (6, 6, 6, 6, 1)
"""How often each of PARTS is killed, in proportion."""
_PAUSE_SECONDS_MEAN = 0.25
_RETRY_SECONDS = 0.1
_END_SECONDS = 20.0
"""How long jails may take to end after their service was killed."""


def soak_with_kills(kills_count: int, seed: int, slots_count: int | None = None) -> KillReport:
    """Keep a service at full load, and kill so many of its parts (by default it has a slot per core)."""
    slots_count = slots_count or len(os.sched_getaffinity(0))
    with soaked_service(slots_count) as service:
        clients = _Clients(service, endless_tasks(service.level(), seed))
        killer = _Killer(service, random.Random(seed))  # noqa: S311 - no secret
        before = service.traces()
        with clients.at_work(CLIENTS_PER_SLOT_COUNT * slots_count):
            killer.kill(kills_count)
        report = killer.report
        report.grade(clients.answers)
        report.left += left_behind(before, service.traces())
        service.stop()
        report.left += killer.outlived()
    return report


class _Clients:
    """Several clients of a service, which outlive it: they ask again until it is back."""

    def __init__(self, service: SoakedService, tasks: Iterator[Task]) -> None:
        self._service = service
        self._tasks = tasks
        self._lock = threading.Lock()
        self._enough = threading.Event()
        self.answers: list[Answer] = []

    @contextmanager
    def at_work(self, clients_count: int) -> Iterator[None]:
        """Submit tasks for the length of the block, and then until each that was begun is answered."""
        with ThreadPoolExecutor(clients_count) as threads:
            running = [threads.submit(self._work) for _ in range(clients_count)]
            try:
                yield
            finally:
                self._enough.set()
        for future in running:
            future.result()

    def _work(self) -> None:
        while not self._enough.is_set():
            with self._lock:
                task = next(self._tasks)
            self.answers.append(self._answer(task))

    def _answer(self, task: Task) -> Answer:
        give_up = time.monotonic() + ANSWER_SECONDS
        while True:
            began = time.monotonic()
            try:
                judgement = self._service.judge(task)
            except httpx2.TransportError:
                if time.monotonic() > give_up:
                    raise
                time.sleep(_RETRY_SECONDS)
            else:
                return Answer(task, judgement, began, time.monotonic())


class _Killer:
    """Kills parts of one service, and sees to it that they are gone."""

    def __init__(self, service: SoakedService, chance: random.Random) -> None:
        self._service = service
        self._chance = chance
        self._seen: set[psutil.Process] = set()
        self.report = KillReport()

    def kill(self, kills_count: int) -> None:
        """Kill so many parts at random moments, the service last; with a progress bar on a terminal."""
        console = Console(stderr=True)
        hidden = not console.is_terminal
        parts = [*self._chance.choices(PARTS, _WEIGHTS, k=kills_count - 1), "service"]
        for part in track(parts, "killing", console=console, transient=True, disable=hidden):
            time.sleep(self._chance.expovariate(1 / _PAUSE_SECONDS_MEAN))
            if part == "service":
                self._kill_service()
            else:
                self._kill_part(part)

    def outlived(self) -> list[str]:
        """What was once below the service, lives on after its end or would after the next start, in words."""
        alive = _alive(self._seen)
        cgroup.sweep()  # as every start does: an nsjail killed on its own way up leaves its group to that
        return [*alive, *_groups_of(self._seen)]

    def _kill_part(self, part: str) -> None:
        """Kill one of the living; look again until there is one."""
        give_up = time.monotonic() + ANSWER_SECONDS
        while time.monotonic() < give_up:
            self._seen.update(self._service.process.children(recursive=True))
            found = _living(self._service.process, part)
            if found and _killed(self._chance.choice(found)):
                self.report.kills[part].append(time.monotonic())
                return
        raise TimeoutError(f"no {part} was seen below the service in {ANSWER_SECONDS:.0f} s")

    def _kill_service(self) -> None:
        """Kill the service at work; its jails have to end, and its successor to clear their groups away."""
        self._seen |= self._service.kill()
        self.report.kills["service"].append(time.monotonic())
        self.report.left += _alive(self._seen)
        self._service.start()
        self.report.left += _groups_of(self._seen)
        self._seen.clear()


def _alive(processes: set[psutil.Process]) -> list[str]:
    """Those that do not end in time, in words; one that only waits to be reaped has ended."""
    wait_until(lambda: not any(process.is_running() for process in processes), _END_SECONDS)
    return [f"lives on: {process}" for process in processes if _lives(process)]


def _lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _groups_of(processes: set[psutil.Process]) -> set[str]:
    """The control groups that are left of dead jails, in words."""
    names = {f"NSJAIL.{process.pid}" for process in processes} & deserted_groups()
    return {f"was not removed: {name}" for name in names}


def _living(service: psutil.Process, part: str) -> list[psutil.Process]:
    """The service's nsjails, or zygotes, or sessions, or running tests."""
    found = service.children()
    for _ in range(PARTS.index(part)):
        found = [child for parent in found for child in _first_child(parent)]
    return found


def _first_child(parent: psutil.Process) -> list[psutil.Process]:
    """The oldest: what a test leaves to its session came after the test."""
    try:
        return sorted(parent.children(), key=lambda child: child.create_time())[:1]
    except psutil.NoSuchProcess:
        return []


def _killed(process: psutil.Process) -> bool:
    try:
        process.kill()
    except psutil.NoSuchProcess:
        return False
    return True
