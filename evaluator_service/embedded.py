"""The embedded engine: a queue in this process, and a thread for each slot that judges from it."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import queue
import threading
import time
from collections.abc import Collection, Mapping, Sequence

import structlog

from evaluator_service.engine import Answered, Figures, Languages, NoRoomError, Run
from evaluator_service.fault import fault_judgement
from evaluator_service.judging import JudgeLike, judged, too_late
from evaluator_service.reuse import Remembered, judged_by
from evaluator_service.schema import Judgement
from evaluator_service.settings import Settings
from sandbox.speed import Speed

log = structlog.get_logger(__name__)

_RANKS = {"train": 0, "eval": 1}
_LAST = 2
"""Behind all runs stands, once for each thread, that it may end."""


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
        self._queue: queue.PriorityQueue[tuple[int, int, float, int, Run | None]] = (
            queue.PriorityQueue()
        )
        self._numbers = itertools.count()
        self._threads: list[threading.Thread] = []
        self._waiting: dict[Run, None] = {}
        self._running: dict[Run, None] = {}
        self._remembered = Remembered(settings.max_reused_bytes, settings.reuse_seconds)
        self._judged_by = ""

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
        if self._unanswered_count >= self._settings.queue_items_max:
            return "the queue is full"
        return self._judge.obstacle()

    def figures(self) -> Figures:
        """How the queue and the jails stand."""
        oldest = min((run.work.arrived for run in self._waiting), default=None)
        return Figures(
            waiting_count=len(self._waiting),
            running_count=len(self._running),
            oldest_wait_seconds=0.0 if oldest is None else time.monotonic() - oldest,
            pool=self._judge.figures(),
        )

    def languages(self) -> Languages:
        """The languages that programs may be written in, and why others may not."""
        found = self._judge.languages()
        versions = {name: toolchain.version for name, toolchain in found.toolchains.items()}
        return Languages(versions, found.missing)

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

    @property
    def _unanswered_count(self) -> int:
        return len(self._waiting) + len(self._running)

    async def admit(self, runs: Sequence[Run]) -> None:
        """Take all of ``runs`` or none, those first that are expected to take longest.

        Raises:
            NoRoomError: If there is no room now.
        """
        excess_count = self._unanswered_count + len(runs) - self._settings.queue_items_max
        if excess_count > 0:
            raise NoRoomError(excess_count)
        admission = next(self._numbers)
        for run in runs:
            self._waiting[run] = None
            rank = _RANKS[run.work.submission.priority]
            self._queue.put((rank, admission, -run.expected_seconds, next(self._numbers), run))

    def withdraw(self, run: Run) -> None:
        """Nobody waits for this any more: a thread that comes upon it passes on, one at work on it stops."""
        self._waiting.pop(run, None)
        self._running.pop(run, None)  # its room is free, if not yet its slot
        run.work.withdrawn.set()

    async def recall(self, identities: Collection[str]) -> Mapping[str, Judgement]:
        """Judgements of earlier runs that may be given again, by identity."""
        return self._remembered.recall(identities)

    # --- in the threads ---------------------------------------------------------------------------

    def _serve_slot(self) -> None:
        """Judge one run after the other, until there is a None; runs in a thread of its own."""
        while (run := self._queue.get()[-1]) is not None:
            if not run.work.withdrawn.is_set():
                self._tell(self._begin, run)
                run.context.run(self._judge_run, run)

    def _judge_run(self, run: Run) -> None:
        judgement, seconds = self._judged(run)
        self._remembered.remember(run.identity, judgement)
        self._tell(self._finish, run, judgement, seconds)

    def _judged(self, run: Run) -> tuple[Judgement, float]:
        if run.deadline_at is not None:
            left_seconds = run.deadline_at - time.monotonic()
            fault = too_late(run.work, left_seconds, run.expected_seconds)
            if fault is not None:
                return fault_judgement(run.work, self._settings, fault, self.speed()), 0.0
        return judged(self._judge, run.work, self._settings)

    def _tell(self, *call: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(*call)  # type: ignore[arg-type]

    def _begin(self, run: Run) -> None:
        if run in self._waiting:
            del self._waiting[run]
            self._running[run] = None

    def _finish(self, run: Run, judgement: Judgement, judge_seconds: float) -> None:
        if self._running.pop(run, run) is None:  # else it was withdrawn meanwhile
            self._answered(run, judgement, judge_seconds)

    async def close(self) -> None:
        """Stop the threads as soon as their runs end, and the judge now."""
        for _ in self._threads:
            self._queue.put((_LAST, 0, 0.0, next(self._numbers), None))
        await asyncio.to_thread(self._judge.close)
