"""Runs that wait for a slot: those of training first, then by admission, the longest expected first."""

from __future__ import annotations

import heapq
import itertools
import threading
from collections.abc import Sequence

from evaluator_service.engine import Run

_RANKS = {"train": 0, "eval": 1}


class WaitingLine:
    """Runs come in together, and threads take them one by one."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, float, int, Run]] = []
        self._numbers = itertools.count()
        self._changed = threading.Condition()
        self._is_closed = False

    def put(self, runs: Sequence[Run]) -> None:
        """Add runs that were admitted together."""
        admission = next(self._numbers)
        with self._changed:
            for run in runs:
                rank = _RANKS[run.work.submission.priority]
                entry = (rank, admission, -run.expected_seconds, next(self._numbers), run)
                heapq.heappush(self._heap, entry)
            self._changed.notify(len(runs))

    def take(self) -> Run | None:
        """The next run, once there is one; None when no more can come."""
        with self._changed:
            self._changed.wait_for(lambda: self._heap or self._is_closed)
            return heapq.heappop(self._heap)[-1] if self._heap else None

    def close(self) -> None:
        """Nothing comes any more; what waits is still taken."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
