"""What each client may have at work at a time: submissions accepted and not answered yet, by the name of its key.

All state belongs to the event loop. Counts what passes through this process alone.
"""

import asyncio
import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from evaluator_service.executor import MAX_RETRY_SECONDS, MIN_RETRY_SECONDS
from evaluator_service.refusals import BatchTooLarge, QuotaFull

RECENT_SHARE = 0.1
"""How much the newest answer counts in the mean time until one."""


@dataclass(slots=True)
class _Standing:
    """How one owner stands: what is unanswered, and how long answers took of late."""

    unanswered_count: int = 0
    mean_seconds: float = 0.0

    def seconds_until_answered(self, count: int) -> float:
        """An estimate: what is unanswered took so long each, so many at a time."""
        return count / self.unanswered_count * self.mean_seconds


class Quotas:
    """Counts what is unanswered of each owner, and refuses what goes beyond its quota."""

    def __init__(self, quota_of: Callable[[str | None], int | None]) -> None:
        """Nothing is counted yet; ``quota_of`` an owner is the most it may have unanswered, or None."""
        self._quota_of = quota_of
        self._standings: defaultdict[str | None, _Standing] = defaultdict(_Standing)

    @contextmanager
    def room_for(self, owner: str | None, count: int) -> "Iterator[Room]":
        """Room for ``count`` more submissions of ``owner``, all or none; given back if the block fails.

        Raises:
            QuotaFull: If there is too little now.
            BatchTooLarge: If it can never be enough.
        """
        standing = self._standings[owner]
        quota = self._quota_of(owner)
        if quota is not None:
            _admit(standing, count, quota)
        standing.unanswered_count += count
        try:
            yield Room(standing)
        except BaseException:
            standing.unanswered_count -= count
            raise


def _admit(standing: _Standing, count: int, quota: int) -> None:
    if count > quota:
        raise BatchTooLarge(f"{count} submissions at once, but the quota of this key is {quota}")
    excess_count = standing.unanswered_count + count - quota
    if excess_count > 0:
        wait_seconds = math.ceil(standing.seconds_until_answered(excess_count))
        raise QuotaFull(quota, min(max(wait_seconds, MIN_RETRY_SECONDS), MAX_RETRY_SECONDS))


class Room:
    """Room that was admitted, for answers to give back one by one."""

    def __init__(self, standing: _Standing) -> None:
        """Room of this owner, from now on."""
        self._standing = standing
        self._began = time.monotonic()

    def until_answered[T: Sequence[asyncio.Future[Any]]](self, futures: T) -> T:
        """The same futures; each gives back the room of one submission once it is answered or withdrawn."""
        for future in futures:
            future.add_done_callback(self._give_back)
        return futures

    def _give_back(self, _: object) -> None:
        took_seconds = time.monotonic() - self._began
        self._standing.unanswered_count -= 1
        self._standing.mean_seconds += RECENT_SHARE * (took_seconds - self._standing.mean_seconds)
