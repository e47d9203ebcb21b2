"""The embedded engine: a queue in this process, and a thread for each slot that judges from it."""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import itertools
import queue
import threading
import time
from collections import deque
from collections.abc import Collection, Mapping, Sequence

import structlog

from evaluator_service.engine import Answered, Figures, Languages, NoRoomError, Run
from evaluator_service.fault import fault_judgement
from evaluator_service.judging import JudgeLike, judged, too_late
from evaluator_service.reuse import Remembered, judged_by
from evaluator_service.schema import Judgement
from evaluator_service.settings import Settings
from sandbox.speed import Speed
from sandbox.toolchains import Found

log = structlog.get_logger(__name__)

_RANKS = {"train": 0, "eval": 1}
_MANY_COUNT = 16
_GATHER_SECONDS = 0.002

_Place = tuple[int, int, float, int]
_LAST: _Place = (2, 0, 0.0, 0)
"""Behind all runs stands, once for each thread, that it may end."""


class _Line:
    """Runs in order of their places, for threads to take; a third of the CPU time of the library's priority queue."""

    def __init__(self) -> None:
        self._heap: list[tuple[_Place, int, Run | None]] = []
        self._lock = threading.Lock()
        self._there: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._numbers = itertools.count()

    def put(self, place: _Place, run: Run | None) -> None:
        """Have it taken after all of lower places."""
        with self._lock:
            heapq.heappush(self._heap, (place, next(self._numbers), run))
        self._there.put(None)

    def get(self) -> Run | None:
        """Take the first; wait for it."""
        self._there.get()
        with self._lock:
            return heapq.heappop(self._heap)[-1]


class EmbeddedEngine:
    """Judges in this process, with one thread per slot."""

    outlives_us = False

    def __init__(self, judge: JudgeLike, settings: Settings) -> None:
        """Starts nothing.

        Args:
            judge: Does the work.
            settings: For ``slots_count``, ``queue_items_max``, and what is kept for reuse.
        """
        self._judge = judge
        self._settings = settings
        self._line = _Line()
        self._numbers = itertools.count()
        self._threads: list[threading.Thread] = []
        self._unanswered: dict[Run, None] = {}
        self._taken: set[Run] = set()
        self._remembered = Remembered(settings.max_reused_bytes, settings.reuse_seconds)
        self._found: Found | None = None
        self._judged_by = ""
        self._is_woken = False
        self._told: deque[tuple[Run, Judgement, float]] = deque()

    async def start(self, answered: Answered) -> None:
        """Start the judge and the threads.

        Raises:
            Exception: Whatever ``judge.start`` raises; nothing runs then.
        """
        self._loop = asyncio.get_running_loop()
        self._answered = answered
        await asyncio.to_thread(self._judge.start)
        for number in range(self._settings.slots_count):
            thread = threading.Thread(target=self._serve_slot, name=f"slot-{number}", daemon=True)
            thread.start()
            self._threads.append(thread)

    def obstacle(self) -> str | None:
        """Why new work would not be judged now; None if it would be."""
        if len(self._unanswered) >= self._settings.queue_items_max:
            return "the queue is full"
        return self._judge.obstacle()

    def figures(self) -> Figures:
        """How the queue and the jails stand."""
        taken = self._taken.copy()
        waiting = [run.work.arrived for run in self._unanswered if run not in taken]
        oldest = min(waiting, default=None)
        return Figures(
            waiting_count=len(waiting),
            running_count=len(self._unanswered) - len(waiting),
            oldest_wait_seconds=0.0 if oldest is None else time.monotonic() - oldest,
            pool=self._judge.figures(),
        )

    def languages(self) -> Languages:
        """The languages that programs may be written in, and why others may not."""
        found = self._judge.languages()
        if (
            found is not self._found
        ):  # asked for with every request, and never another once it is known
            versions = {name: toolchain.version for name, toolchain in found.toolchains.items()}
            self._found, self._languages = found, Languages(versions, found.missing)
        return self._languages

    def judged_by(self) -> str:
        """A name for this version, its settings and its tools; all of them stay as they are."""
        if not self._judged_by:
            self._judged_by = judged_by(self._settings, self.languages().versions)
        return self._judged_by

    def speed(self) -> Speed | None:
        """How fast this machine is, once that is known."""
        pool = self._judge.figures()
        return pool.speed if pool else None

    def slots_count(self) -> int:
        """Submissions that are run at a time."""
        return self._settings.slots_count

    # --- runs in ----------------------------------------------------------------------------------

    async def admit(self, runs: Sequence[Run]) -> None:
        """Take all of ``runs`` or none, those first that are expected to take longest.

        Raises:
            NoRoomError: If there is no room now.
        """
        excess_count = len(self._unanswered) + len(runs) - self._settings.queue_items_max
        if excess_count > 0:
            raise NoRoomError(excess_count)
        admission = next(self._numbers)
        for number, run in enumerate(runs):
            self._unanswered[run] = None
            rank = _RANKS[run.work.submission.priority]
            self._line.put((rank, admission, -run.expected_seconds, number), run)

    def withdraw(self, run: Run) -> None:
        """Nobody waits for this any more: a thread that comes upon it passes on, one at work on it stops."""
        self._unanswered.pop(run, None)  # its room is free, if not yet its slot
        run.work.withdrawn.set()

    async def recall(self, identities: Collection[str]) -> Mapping[str, Judgement]:
        """Judgements of earlier runs that may be given again, by identity."""
        return self._remembered.recall(identities)

    # --- in the threads ---------------------------------------------------------------------------

    def _serve_slot(self) -> None:
        """Judge one run after the other, until there is a None; runs in a thread of its own."""
        while (run := self._line.get()) is not None:
            if not run.work.withdrawn.is_set():
                self._taken.add(run)
                run.context.run(self._judge_run, run)

    def _judge_run(self, run: Run) -> None:
        judgement, seconds = self._judged(run)
        self._remembered.remember(run.identity, judgement)
        self._told.append((run, judgement, seconds))
        if (
            not self._is_woken
        ):  # waking the loop costs a system call, and more: once for all that gathers
            self._is_woken = True
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
                self._loop.call_soon_threadsafe(self._finish_soon)

    def _judged(self, run: Run) -> tuple[Judgement, float]:
        if run.deadline_at is not None:
            left_seconds = run.deadline_at - time.monotonic()
            fault = too_late(run.work, left_seconds, run.expected_seconds)
            if fault is not None:
                return fault_judgement(run.work, self._settings, fault, self.speed()), 0.0
        return judged(self._judge, run.work, self._settings)

    def _finish_soon(self) -> None:
        """While many wait, a moment's answers together: else threads and loop take turns for each of them."""
        if len(self._unanswered) > _MANY_COUNT:
            self._loop.call_later(_GATHER_SECONDS, self._finish)
        else:
            self._finish()

    def _finish(self) -> None:
        """Answer all that the threads have told of; on the event loop."""
        self._is_woken = False  # first: what is told from now on wakes it again
        while self._told:
            run, judgement, judge_seconds = self._told.popleft()
            self._taken.discard(run)
            if self._unanswered.pop(run, run) is None:  # else it was withdrawn meanwhile
                self._answered(run, judgement, judge_seconds)

    async def close(self) -> None:
        """Stop the threads as soon as their runs end, and the judge now."""
        for _ in self._threads:
            self._line.put(_LAST, None)
        await asyncio.to_thread(self._judge.close)
