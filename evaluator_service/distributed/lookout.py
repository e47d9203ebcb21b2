"""A thread of an API process that looks around every second.

It says that we live, sees the queue and the workers, notices what Redis has lost, and clears away what dead API
processes left.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import structlog
from redis.exceptions import RedisError

from evaluator_service.distributed import keys, roster
from evaluator_service.distributed.link import RedisClient, report, shown
from evaluator_service.distributed.roster import BEAT_SECONDS, SILENCE_SECONDS, Roster
from evaluator_service.engine import Run
from evaluator_service.refusals import EngineDownError
from evaluator_service.settings import Settings

log = structlog.get_logger(__name__)

MEMORY_RATIO = 0.8
"""Of Redis's ``maxmemory``; beyond it nothing new is taken, since a full Redis cannot even be answered to."""

_OLDEST_REDIS = (7, 0)
"""The first with BLMPOP."""
_LOST_SECONDS = 5.0
_AT_A_TIME_COUNT = 1000


@dataclass(slots=True)
class View:
    """What was seen last.

    Attributes:
        roster: The workers.
        pending_count: Items that are not answered yet.
        oldest_seconds: How long ago the oldest of them was taken; 0 if there is none.
        is_short_of_memory: Whether Redis is nearly full.
        seen_at: When, ``time.monotonic()``; 0: never.
        where: Of Redis.
    """

    roster: Roster = field(default_factory=Roster)
    pending_count: int = 0
    oldest_seconds: float = 0.0
    is_short_of_memory: bool = False
    seen_at: float = 0.0
    where: str = ""

    @property
    def is_recent(self) -> bool:
        """Whether it says how things stand."""
        return time.monotonic() - self.seen_at < 2 * BEAT_SECONDS

    def obstacle(self) -> str | None:
        """Why nothing new is taken, whoever is there to judge it."""
        silent_seconds = time.monotonic() - self.seen_at
        if silent_seconds > SILENCE_SECONDS / 2:
            return f"Redis at {self.where} has not answered for {silent_seconds:.0f} s"
        if self.is_short_of_memory:
            return "Redis is nearly out of memory"
        return None


class Lookout:
    """Looks around for one API process."""

    def __init__(
        self,
        connection: RedisClient,
        api_id: str,
        settings: Settings,
        see: Callable[[View], None],
        lost: Callable[[Sequence[str]], None],
    ) -> None:
        """Tell what is seen to ``see``, and keys of items that Redis lost to ``lost``, on the event loop."""
        self._connection = connection
        self._api_id = api_id
        self._settings = settings
        self._see = see
        self._lost = lost
        self._absent: set[str] = set()
        self._checked_at = time.monotonic()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._look_around, name="lookout", daemon=True)

    def first_view(self) -> View:
        """Look around once.

        Raises:
            EngineDownError: If Redis cannot be reached, or is too old.
        """
        where = shown(self._connection)
        try:
            info = self._connection.info("server")
            version = tuple(int(part) for part in str(info["redis_version"]).split(".")[:2])
            if version < _OLDEST_REDIS:
                raise EngineDownError(
                    f"Redis at {where} is {info['redis_version']}, and 7.0 is needed"
                )
            return self._look()
        except RedisError as error:
            raise EngineDownError(
                f"MICROCODER_REDIS_URL: Redis at {where} cannot be used: {error}"
            ) from error

    def start(self, runs: Callable[[], Iterable[tuple[str, Run]]]) -> None:
        """Look around from now on; ``runs`` are those without an answer, asked for on the event loop."""
        self._loop = asyncio.get_running_loop()
        self._runs = runs
        self._thread.start()

    def stop(self) -> None:
        """Say that we are no more, and end."""
        self._stopping.set()
        self._thread.join()
        try:
            self._connection.zrem(keys.APIS, self._api_id)
        except RedisError as error:
            report("farewell_failed", error)

    def _look_around(self) -> None:
        while not self._stopping.wait(BEAT_SECONDS):
            try:
                view = self._look()
                self._tell(self._see, view)
                if time.monotonic() - self._checked_at > _LOST_SECONDS:
                    self._checked_at = time.monotonic()
                    self._look_for_lost()
                    self._clear_up()
            except (RedisError, TimeoutError) as error:
                report("redis_unreachable", error)

    def _tell(self, call: Callable[[Any], None], what: Any) -> None:
        try:
            self._loop.call_soon_threadsafe(call, what)
        except RuntimeError:  # the loop is closed
            self._stopping.set()

    def _look(self) -> View:
        now = time.time()
        with self._connection.pipeline(transaction=False) as pipeline:
            pipeline.zadd(keys.APIS, {self._api_id: now})
            pipeline.zcard(keys.PENDING)
            pipeline.zrange(keys.PENDING, 0, 0, withscores=True)
            pipeline.hgetall(keys.WORKERS)
            pipeline.info("memory")
            _, pending_count, oldest, workers, memory = pipeline.execute(raise_on_error=False)
        for outcome in (pending_count, oldest, workers):
            if isinstance(outcome, Exception):
                raise outcome
        return View(
            roster=Roster(roster.cards(workers)),
            pending_count=pending_count,
            oldest_seconds=max(0.0, now - oldest[0][1]) if oldest else 0.0,
            is_short_of_memory=_is_short(memory),
            seen_at=time.monotonic(),
            where=shown(self._connection),
        )

    def _look_for_lost(self) -> None:
        """Items of ours that are not pending, twice in a row, though no answer has come."""
        runs = asyncio.run_coroutine_threadsafe(self._snapshot(), self._loop).result(
            SILENCE_SECONDS
        )
        now = time.monotonic()
        mine = [key for key, arrived in runs if now - arrived > _LOST_SECONDS]
        absent: set[str] = set()
        for start in range(0, len(mine), _AT_A_TIME_COUNT):
            part = mine[start : start + _AT_A_TIME_COUNT]
            scores = self._connection.zmscore(keys.PENDING, part)
            absent.update(key for key, score in zip(part, scores, strict=True) if score is None)
        lost = sorted(absent & self._absent)
        self._absent = absent - set(lost)
        if lost:
            self._tell(self._lost, lost)

    async def _snapshot(self) -> list[tuple[str, float]]:
        return [(key, run.work.arrived) for key, run in self._runs()]

    def _clear_up(self) -> None:
        """Nobody waits for what only a dead API process wanted; forget it, and long silent workers."""
        silent = self._connection.zrangebyscore(keys.APIS, "-inf", time.time() - SILENCE_SECONDS)
        for name in silent:
            api_id = name.decode()
            pattern = keys.live_items(api_id)
            orphans = [item for item, _ in self._connection.zscan_iter(keys.PENDING, pattern, 1000)]
            for start in range(0, len(orphans), _AT_A_TIME_COUNT):
                self._connection.zrem(keys.PENDING, *orphans[start : start + _AT_A_TIME_COUNT])
            self._connection.delete(keys.replies(api_id))
            self._connection.zrem(keys.APIS, name)
            log.warning("api_process_gone", api_id=api_id, orphans_count=len(orphans))
        gone = roster.forgotten(self._connection.hgetall(keys.WORKERS))
        if gone:
            self._connection.hdel(keys.WORKERS, *gone)


def _is_short(memory: Any) -> bool:
    if not isinstance(memory, dict) or not memory.get("maxmemory"):
        return False
    return bool(memory["used_memory"] > MEMORY_RATIO * memory["maxmemory"])
