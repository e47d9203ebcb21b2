"""The engine of an API process that has runs judged by workers: RQ and Redis behind the same interface.

Everything that happens to a run is on the event loop; three threads speak with Redis: one sends (admissions and
withdrawals, together what came together), one fetches answers, one looks around every second.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import structlog
from redis.exceptions import OutOfMemoryError, RedisError, ResponseError

from evaluator_service.distributed import chunks, keys
from evaluator_service.distributed.admission import Admission, Admitted, Entry
from evaluator_service.distributed.judged import Judged
from evaluator_service.distributed.link import connect, report
from evaluator_service.distributed.lookout import Lookout, View
from evaluator_service.distributed.replies import (
    Letter,
    Reply,
    ReplyReader,
    Withdrawal,
    by_our_clock,
)
from evaluator_service.engine import Answered, Figures, Languages, NoRoomError, Run, Withdraw
from evaluator_service.refusals import EngineDownError
from evaluator_service.schema import Judgement
from evaluator_service.settings import Settings
from sandbox.speed import Speed

log = structlog.get_logger(__name__)

_AGAIN_SECONDS = 1.0
_GATHER_SECONDS = 0.005
"""How long requests wait for more to come while there is a queue, in which they would wait anyhow."""
_TOGETHER_COUNT = 64
"""Requests for fewer runs share chunks with others of the same moment; larger ones fill their own."""


@dataclass(slots=True, eq=False)
class _Asked:
    """What one request wants judged, on its way to Redis.

    Attributes:
        runs: All of them are taken, or none.
        is_urgent: Whether they go before what is not.
        future: What became of it.
        is_alone: Whether it travels without others.
    """

    runs: Sequence[Run]
    is_urgent: bool
    future: asyncio.Future[Admitted]
    is_alone: bool


class RqEngine:
    """Has runs judged by the workers that share a Redis."""

    outlives_us = True

    def __init__(self, settings: Settings) -> None:
        """Connects to nothing yet; ``settings.redis_url`` says where."""
        self._settings = settings
        self._connection = connect(settings)
        self.api_id = uuid.uuid4().hex[:12]
        self._admission = Admission(
            self._connection, settings.queue_items_max, round(settings.problem_seconds)
        )
        self._sender = ThreadPoolExecutor(1, "redis-sender")
        self._runs: dict[str, Run] = {}
        self._asked: list[_Asked] = []
        self._withdrawn: list[str] = []
        self._sending: asyncio.Task[None] | None = None
        self._is_closed = False
        self._view = View()
        self._judged = Judged(settings)

    async def start(self, answered: Answered, withdraw: Withdraw) -> None:
        """Begin to look around and to fetch answers.

        Raises:
            EngineDownError: If Redis cannot be reached, or is too old.
        """
        self._loop = asyncio.get_running_loop()
        self._answered, self._withdraw_work = answered, withdraw
        self._lookout = Lookout(
            self._connection, self.api_id, self._settings, self._see, self._lost
        )
        self._see(await asyncio.to_thread(self._lookout.first_view))
        self._reader = ReplyReader(connect(self._settings), self.api_id, self._deliver)
        self._reader.start()
        self._lookout.start(lambda: list(self._runs.items()))

    # --- how it stands ----------------------------------------------------------------------------

    def _see(self, view: View) -> None:
        self._view = view

    def languages(self) -> Languages:
        """The languages that every worker has."""
        return self._view.roster.languages()

    def judged_by(self) -> str:
        """A name for the versions, settings and tools of all workers."""
        return self._view.roster.judged_by()

    def speed(self) -> Speed | None:
        """How fast the machine of a worker is."""
        return self._view.roster.speed()

    def slots_count(self) -> int:
        """Submissions that all workers run at a time."""
        return self._view.roster.slots_count()

    def obstacle(self) -> str | None:
        """Why new work would not be judged now; None if it would be."""
        if self._view.pending_count >= self._settings.queue_items_max:
            return "the queue is full"
        return self._view.obstacle() or self._view.roster.obstacle()

    def figures(self) -> Figures:
        """How queue and workers stood when they were looked at last, a second ago or so."""
        roster = self._view.roster
        running_count = min(roster.running_count(), self._view.pending_count)
        waiting_count = self._view.pending_count - running_count
        return Figures(
            waiting_count=waiting_count,
            running_count=running_count,
            oldest_wait_seconds=self._view.oldest_seconds if waiting_count else 0.0,
            pool=None,
            workers=tuple(card.figures() for card in roster.workers),
        )

    # --- runs in ----------------------------------------------------------------------------------

    async def admit(self, runs: Sequence[Run]) -> None:
        """Take all of ``runs`` or none.

        Raises:
            NoRoomError: If there is no room now.
            EngineDownError: If Redis cannot be reached, or no worker would understand us.
        """
        self._refuse_what_is_known(len(runs))
        by_key = {chunks.item_key(run, self.api_id): run for run in runs}
        self._runs |= by_key
        try:
            for urgent in (True, False):
                part = [r for r in runs if (r.work.submission.priority == "train") is urgent]
                if part:
                    await self._ask(part, is_urgent=urgent)
        except BaseException:
            for key in by_key:
                self._runs.pop(key, None)
            self._withdrawn += by_key  # part of them may have been taken
            self._send_soon()
            raise

    def _refuse_what_is_known(self, runs_count: int) -> None:
        """Save Redis the trouble where a look a moment ago tells how it would end."""
        if self._view.roster.speaks_otherwise:
            raise EngineDownError(self._view.roster.obstacle() or "")
        if self._view.is_short_of_memory:
            raise NoRoomError(runs_count)
        excess_count = self._known_excess_count(runs_count)
        if excess_count > 0:
            raise NoRoomError(excess_count)

    def _known_excess_count(self, runs_count: int) -> int:
        """How many more than there is room for, as far as is known without asking Redis; 0 if that is not recent."""
        pending_count = self._view.pending_count if self._view.is_recent else 0
        return max(0, pending_count + runs_count - self._settings.queue_items_max)

    async def _ask(self, runs: Sequence[Run], *, is_urgent: bool) -> None:
        future: asyncio.Future[Admitted] = self._loop.create_future()
        is_alone = len(runs) >= _TOGETHER_COUNT
        self._asked.append(_Asked(runs, is_urgent, future, is_alone))
        self._send_soon()
        try:
            admitted = await future
        except OutOfMemoryError:
            raise NoRoomError(len(runs)) from None
        self._view.pending_count = admitted.pending_count
        if admitted.excess_count > 0:
            raise NoRoomError(admitted.excess_count)

    def withdraw(self, run: Run) -> None:
        """Nobody waits for this any more: off the pending ones, whoever comes upon it passes on."""
        key = chunks.item_key(run, self.api_id)
        if self._runs.pop(key, None) is not None:
            self._view.pending_count -= 1
            self._withdrawn.append(key)
            self._send_soon()

    def _send_soon(self) -> None:
        if not self._is_closed and (self._sending is None or self._sending.done()):
            self._sending = self._loop.create_task(self._send())

    async def _send(self) -> None:
        """Send what has gathered, and what gathers meanwhile."""
        while self._asked or self._withdrawn:
            if self._view.pending_count > 2 * self.slots_count():
                await asyncio.sleep(_GATHER_SECONDS)
            parcels, self._asked = _parcels(self._asked), []
            withdrawn, self._withdrawn = self._withdrawn, []
            entries = [self._entry(parcel) for parcel in parcels]
            try:
                outcomes = await self._loop.run_in_executor(
                    self._sender, self._exchange, entries, withdrawn
                )
            except Exception as error:  # noqa: BLE001 - whatever it is, somebody waits to be told
                self._withdrawn = withdrawn + self._withdrawn
                for parcel in parcels:
                    _resolve(parcel, error)
                await asyncio.sleep(_AGAIN_SECONDS)
                continue
            for parcel, outcome in zip(parcels, outcomes, strict=True):
                if len(parcel) > 1 and not _is_taken(outcome):
                    self._asked += [replace(asked, is_alone=True) for asked in parcel]
                else:
                    _resolve(parcel, outcome)

    def _entry(self, parcel: Sequence[_Asked]) -> Entry:
        """Requests that travel together, as Redis is told of them: all of it is taken, or none."""
        runs = [run for asked in parcel for run in asked.runs]
        free_slots_count = self.slots_count() - self._view.pending_count
        packed = chunks.pack(runs, self.api_id, free_slots_count)
        problems = {run.work.problem_id: run.work.problem for run in runs}
        return Entry(packed, problems, parcel[0].is_urgent)

    def _exchange(
        self, entries: list[Entry], withdrawn: list[str]
    ) -> list[Admitted | ResponseError]:
        if withdrawn:
            self._connection.zrem(keys.PENDING, *withdrawn)
        return self._admission.send(entries) if entries else []

    async def recall(self, identities: Collection[str]) -> Mapping[str, Judgement]:
        """Judgements of earlier runs, on any worker, that may be given again."""
        wanted = list(identities)
        if not wanted or self._known_excess_count(1):  # a refusal should cost next to nothing
            return {}
        try:
            return await asyncio.to_thread(self._judged.recall, self._connection, wanted)
        except RedisError as error:  # admission will say what is wrong
            report("recall_failed", error)
            return {}

    # --- answers out ------------------------------------------------------------------------------

    def _deliver(self, letters: Sequence[Letter]) -> None:
        self._loop.call_soon_threadsafe(self._open, letters)

    def _open(self, letters: Sequence[Letter]) -> None:
        for letter in letters:
            if isinstance(letter, Withdrawal):
                self._withdraw_work(keys.key_of_item(letter.key))
            else:
                self._answer(letter)

    def _answer(self, reply: Reply) -> None:
        run = self._runs.pop(reply.key, None)
        if run is not None:
            self._view.pending_count -= 1
            self._answered(run, by_our_clock(reply, run.work.arrived), reply.judge_seconds)

    def _lost(self, lost: Sequence[str]) -> None:
        """These are pending no more, and no answer has come: Redis lost its last second, or we were taken for dead."""
        runs = {key: self._runs[key] for key in lost if key in self._runs}
        if runs:
            self._again = self._loop.create_task(self._admit_again(runs))

    async def _admit_again(self, runs: Mapping[str, Run]) -> None:
        """Have them judged after all."""
        log.warning("queue_entries_lost", count=len(runs))
        try:
            await self.admit(list(runs.values()))
        except (NoRoomError, EngineDownError) as error:  # the next look finds them again
            self._runs |= runs
            report("lost_entries_not_taken", error)

    async def close(self) -> None:
        """Take back what only this process wanted, and stop."""
        if hasattr(self, "_reader"):
            self._withdrawn += [key for key, run in self._runs.items() if run.work.kept_as is None]
            self._send_soon()
            if self._sending is not None:
                await asyncio.wait([self._sending], timeout=_AGAIN_SECONDS)
                self._sending.cancel()
            self._is_closed = True
            await asyncio.gather(
                asyncio.to_thread(self._reader.stop), asyncio.to_thread(self._lookout.stop)
            )
        self._sender.shutdown()
        self._connection.close()


def _parcels(asked: Sequence[_Asked]) -> list[list[_Asked]]:
    """What travels together: small requests that are equally urgent."""
    alone = [[each] for each in asked if each.is_alone]
    together = [
        [each for each in asked if not each.is_alone and each.is_urgent is urgent]
        for urgent in (True, False)
    ]
    return [*alone, *filter(None, together)]


def _is_taken(outcome: Admitted | ResponseError) -> bool:
    return isinstance(outcome, Admitted) and outcome.excess_count <= 0


def _resolve(parcel: Sequence[_Asked], outcome: Admitted | Exception) -> None:
    """Tell those who asked what came of it."""
    if isinstance(outcome, Exception):
        report("queue_unreachable", outcome)
        is_full = isinstance(outcome, OutOfMemoryError)
        outcome = outcome if is_full else EngineDownError("the queue cannot be reached")
    for future in [asked.future for asked in parcel if not asked.future.done()]:
        if isinstance(outcome, Exception):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)
