"""The embedded engine: a queue in this process, and a thread for each slot that judges from it."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Collection, Mapping, Sequence

import structlog

from evaluator_service.engine import Answered, Figures, Languages, NoRoomError, Run, Withdraw
from evaluator_service.fault import fault_judgement
from evaluator_service.judging import JudgeLike, judged, too_late
from evaluator_service.letterbox import Letterbox
from evaluator_service.reuse import Remembered, judged_by
from evaluator_service.schema import Judgement
from evaluator_service.settings import Settings
from evaluator_service.waiting_line import WaitingLine
from sandbox.speed import Speed

type _Finished = tuple[Run, Judgement, float]


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
        self._line = WaitingLine()
        self._waiting: dict[Run, None] = {}
        self._running: dict[Run, None] = {}
        self._lock = threading.Lock()
        """Held wherever a run is moved between the two."""
        self._remembered = Remembered(settings.max_reused_bytes, settings.reuse_seconds)
        self._judged_by = ""

    async def start(self, answered: Answered, _: Withdraw) -> None:
        """Start the judge and the threads.

        Raises:
            Exception: Whatever ``judge.start`` raises; nothing runs then.
        """
        self._answered = answered
        self._letterbox = Letterbox(asyncio.get_running_loop(), self._finish)
        await asyncio.to_thread(self._judge.start)
        for number in range(self._settings.slots_count):
            thread = threading.Thread(target=self._serve_slot, name=f"slot-{number}", daemon=True)
            thread.start()

    def obstacle(self) -> str | None:
        """Why new work would not be judged now; None if it would be."""
        if self._unanswered_count >= self._settings.queue_items_max:
            return "the queue is full"
        return self._judge.obstacle()

    def figures(self) -> Figures:
        """How the queue and the jails stand."""
        with self._lock:
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
        with self._lock:
            self._waiting |= dict.fromkeys(runs)
        self._line.put(runs)

    def withdraw(self, run: Run) -> None:
        """Nobody waits for this any more: a thread that comes upon it passes on, one at work on it stops."""
        with self._lock:
            self._waiting.pop(run, None)
            self._running.pop(run, None)  # its room is free, if not yet its slot
        run.work.withdrawn.set()

    async def recall(self, identities: Collection[str]) -> Mapping[str, Judgement]:
        """Judgements of earlier runs that may be given again, by identity."""
        return self._remembered.recall(identities)

    # --- in the threads ---------------------------------------------------------------------------

    def _serve_slot(self) -> None:
        """Judge one run after the other, until no more can come; runs in a thread of its own."""
        while (run := self._line.take()) is not None:
            if self._begins(run):
                run.context.run(self._judge_run, run)

    def _begins(self, run: Run) -> bool:
        """Note that a run is at work, unless it was withdrawn."""
        with self._lock:
            is_wanted = self._waiting.pop(run, run) is None
            if is_wanted:
                self._running[run] = None
            return is_wanted

    def _judge_run(self, run: Run) -> None:
        structlog.contextvars.bind_contextvars(submission_id=run.work.submission.id)
        judgement, seconds = self._judged(run)
        self._remembered.remember(run.identity, judgement)
        self._letterbox.put((run, judgement, seconds))

    def _judged(self, run: Run) -> tuple[Judgement, float]:
        if run.deadline_at is not None:
            left_seconds = run.deadline_at - time.monotonic()
            fault = too_late(run.work, left_seconds, run.expected_seconds)
            if fault is not None:
                return fault_judgement(run.work, self._settings, fault, self.speed()), 0.0
        return judged(self._judge, run.work, self._settings)

    def _finish(self, finished: _Finished) -> None:
        run, judgement, judge_seconds = finished
        if self._running.pop(run, run) is None:  # else it was withdrawn meanwhile
            self._answered(run, judgement, judge_seconds)

    async def close(self) -> None:
        """Stop the threads as soon as their runs end, and the judge now."""
        self._line.close()
        await asyncio.to_thread(self._judge.close)
