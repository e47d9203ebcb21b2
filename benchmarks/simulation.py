"""The service at a size that no machine here has: a simulation of discrete events.

Batches arrive at API processes, go through one Redis, and are judged in slots, each on a core of its own. Every part
takes as long as was measured of it (``service_model``). API processes and Redis do one thing at a time, in the order in
which it comes; what is judged takes a time drawn anew for each submission. Seeded, and so the same every time.
"""

from __future__ import annotations

import heapq
import itertools
import math
import random
import statistics
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.service_model import Costs, items_in_a_job

BATCH_COUNT = 64
ROUND_TRIPS_OF_A_JOB = 18
"""Of which each takes ``Setup.network_seconds``, one after the other, while the slot waits."""
WAY_IN_SHARE = 0.5
"""Of an API process's time for a submission, what it takes before it is in the queue."""
ADMISSION_SHARE = 0.3
"""The same of Redis's time."""
SPREAD = 0.5
"""Judging takes from so much less to so much more than its mean."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What is simulated.

    Attributes:
        slots_count: Slots, each with a core of its own.
        judge_seconds: What judging a submission takes, in the mean.
        apis_count: API processes.
        slots_of_a_worker: Slots that share a worker process, and its reports.
        network_seconds: From a process to Redis and back.
        is_fixed: Whether judging always takes just the mean.
        seed: Of what is drawn.
    """

    slots_count: int
    judge_seconds: float
    apis_count: int = 1
    slots_of_a_worker: int = 1
    network_seconds: float = 0.0002
    is_fixed: bool = False
    seed: int = 6


@dataclass(frozen=True, slots=True)
class Simulated:
    """What came of it.

    Attributes:
        submissions_per_second: Judged and answered.
        slots_share: Of the time of all slots, what was spent judging.
        redis_share: Of Redis's one thread, what was taken.
        api_share: Of all API processes.
        wait_seconds: From sending a batch to its last answer, the median.
    """

    submissions_per_second: float
    slots_share: float
    redis_share: float
    api_share: float
    wait_seconds: float


@dataclass(slots=True)
class Server:
    """Does one thing at a time, in the order in which it comes.

    Attributes:
        background_share: Of its time, what goes to reports of who lives, whatever comes.
        free_at: When all that has come is done.
        busy_seconds: What it has worked.
    """

    background_share: float
    free_at: float = 0.0
    busy_seconds: float = 0.0

    def done_at(self, now: float, seconds: float) -> float:
        """When something is done that comes now and takes so long."""
        stretched = seconds / max(0.001, 1 - self.background_share)
        self.free_at = max(self.free_at, now) + stretched
        self.busy_seconds += stretched
        return self.free_at


@dataclass(slots=True)
class Batch:
    """A batch on its way.

    Attributes:
        sent_at: When.
        left_count: Submissions without an answer.
        api: Who has it.
    """

    sent_at: float
    left_count: int
    api: Server


@dataclass(slots=True)
class Job:
    """Submissions of a batch that travel together."""

    batch: Batch
    count: int


class Simulation:
    """One run; clients keep twice as many submissions under way as there are slots."""

    def __init__(self, costs: Costs, setup: Setup) -> None:
        """Nothing has happened yet."""
        self._setup = setup
        self._items_count = items_in_a_job(setup.judge_seconds)
        self._cost = {
            figure: costs.of_submission(figure, self._items_count) / 1000
            for figure in ("api_cpu_ms", "redis_cpu_ms", "worker_cpu_ms")
        }
        self._random = random.Random(setup.seed)  # noqa: S311 - a simulation
        redis_share, api_share = background_shares(costs, setup)
        self._redis = Server(redis_share)
        self._apis = [Server(api_share) for _ in range(setup.apis_count)]
        self._free_count = setup.slots_count
        self._queue: deque[Job] = deque()
        self._events: list[tuple[float, int, Callable[[float], None]]] = []
        self._numbers = itertools.count()
        self._answered_count = 0
        self._waits: list[float] = []

    def run(self) -> Simulated:
        """Simulate; what happens before slots have done half of it does not count."""
        slots_fill = self._items_count * self._setup.judge_seconds
        half = max(2.0, 4 * slots_fill)
        batches_count = self._setup.apis_count + -(-2 * self._setup.slots_count // BATCH_COUNT)
        for number in range(batches_count):
            self._send(0.0, self._apis[number % len(self._apis)])
        self._until(half)
        before = self._answered_count, self._redis.busy_seconds, self._apis_busy_seconds()
        self._waits.clear()
        self._until(2 * half)
        rate = (self._answered_count - before[0]) / half
        background = self._redis.background_share
        return Simulated(
            submissions_per_second=rate,
            slots_share=rate * self._setup.judge_seconds / self._setup.slots_count,
            redis_share=min(
                1.0, background + (self._redis.busy_seconds - before[1]) * (1 - background) / half
            ),
            api_share=(self._apis_busy_seconds() - before[2]) / half / len(self._apis),
            wait_seconds=statistics.median(self._waits) if self._waits else math.inf,
        )

    def _apis_busy_seconds(self) -> float:
        return sum(api.busy_seconds for api in self._apis)

    def _until(self, end: float) -> None:
        while self._events and self._events[0][0] <= end:
            now, _, happens = heapq.heappop(self._events)
            happens(now)

    def _at(self, when: float, happens: Callable[[float], None]) -> None:
        heapq.heappush(self._events, (when, next(self._numbers), happens))

    # --- the way of a batch -----------------------------------------------------------------------

    def _send(self, now: float, api: Server) -> None:
        """A client sends a batch, which an API process reads."""
        batch = Batch(now, BATCH_COUNT, api)
        read_at = api.done_at(now, WAY_IN_SHARE * BATCH_COUNT * self._cost["api_cpu_ms"])
        self._at(read_at, lambda now: self._admit(now, batch))

    def _admit(self, now: float, batch: Batch) -> None:
        """Redis takes it."""
        seconds = ADMISSION_SHARE * BATCH_COUNT * self._cost["redis_cpu_ms"]
        admitted_at = self._redis.done_at(now, seconds) + self._setup.network_seconds
        self._at(admitted_at, lambda now: self._enqueue(now, batch))

    def _enqueue(self, now: float, batch: Batch) -> None:
        for start in range(0, BATCH_COUNT, self._items_count):
            self._queue.append(Job(batch, min(self._items_count, BATCH_COUNT - start)))
        self._fill_slots(now)

    def _fill_slots(self, now: float) -> None:
        while self._free_count and self._queue:
            self._free_count -= 1
            self._begin(now, self._queue.popleft())

    def _begin(self, now: float, job: Job) -> None:
        """A slot takes a job: Redis's part of it, the worker's, and the programs."""
        redis_seconds = (1 - ADMISSION_SHARE) * job.count * self._cost["redis_cpu_ms"]
        taken_at = self._redis.done_at(now, redis_seconds)
        trips_seconds = ROUND_TRIPS_OF_A_JOB * self._setup.network_seconds
        own_seconds = job.count * self._cost["worker_cpu_ms"]
        judging_seconds = sum(self._judge_seconds() for _ in range(job.count))
        done_at = taken_at + trips_seconds + own_seconds + judging_seconds
        self._at(done_at, lambda now: self._end(now, job))

    def _judge_seconds(self) -> float:
        mean = self._setup.judge_seconds
        if self._setup.is_fixed:
            return mean
        return mean * self._random.uniform(1 - SPREAD, 1 + SPREAD)

    def _end(self, now: float, job: Job) -> None:
        """A job is done: the slot takes the next, and the answers go to the API process."""
        self._free_count += 1
        self._fill_slots(now)
        seconds = (1 - WAY_IN_SHARE) * job.count * self._cost["api_cpu_ms"]
        answered_at = job.batch.api.done_at(now + self._setup.network_seconds, seconds)
        self._at(answered_at, lambda now: self._answer(now, job))

    def _answer(self, now: float, job: Job) -> None:
        self._answered_count += job.count
        job.batch.left_count -= job.count
        if not job.batch.left_count:
            self._waits.append(now - job.batch.sent_at)
            self._send(now, job.batch.api)


def background_shares(costs: Costs, setup: Setup) -> tuple[float, float]:
    """Of Redis, and of each API process, what goes to reports of who lives."""
    workers_count = -(-setup.slots_count // setup.slots_of_a_worker)
    redis_ms = (
        workers_count * costs.worker_idle["redis_cpu_ms"]
        + setup.apis_count * costs.api_idle["redis_cpu_ms"]
        + setup.apis_count * workers_count * costs.card["redis_cpu_ms"]
    )
    api_ms = costs.api_idle["api_cpu_ms"] + workers_count * costs.card["api_cpu_ms"]
    return min(1.0, redis_ms / 1000), min(1.0, api_ms / 1000)
