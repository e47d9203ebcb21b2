"""The executor: a bounded queue in front of the judge, and the threads that drive it.

Owns admission, order (first in, first out), deadlines, cancelling and draining. Knows nothing of HTTP, and
nothing of how a submission is judged. All its state belongs to the event loop; a thread only takes the
next item, calls the judge and hands the answer back.
"""

import asyncio
import contextlib
import contextvars
import math
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import structlog

from evaluator_service.fault import fault_judgement
from evaluator_service.fits import languages_of
from evaluator_service.outputs import Archive
from evaluator_service.refusals import (
    BatchTooLarge,
    LanguageMissing,
    QueueFull,
    ShuttingDown,
    WithdrawnError,
)
from evaluator_service.schema import AnyProblem, JudgeFault, Judgement, SubmissionBase
from evaluator_service.settings import Settings
from sandbox.figures import PoolFigures
from sandbox.toolchains import Found

log = structlog.get_logger(__name__)

MIN_RETRY_SECONDS = 1
MAX_RETRY_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Work:
    """One submission with its problem at hand, ready to be judged.

    Attributes:
        submission: What was sent; its ``problem`` field is not looked at any more.
        problem: The problem, resolved.
        problem_id: Content hash of the problem.
        arrived: ``time.monotonic()`` when the request arrived, in seconds.
        where: The place of the submission in the request, if it is not the request itself.
        withdrawn: Set once nobody waits for the answer; judging on would only hold a slot.
    """

    submission: SubmissionBase
    problem: AnyProblem
    problem_id: str
    arrived: float
    where: tuple[int | str, ...] = ()
    withdrawn: threading.Event = field(default_factory=threading.Event)


@dataclass(frozen=True, slots=True)
class Figures:
    """How an executor stands at one moment.

    Attributes:
        waiting_count: Submissions that no slot has taken yet.
        running_count: Submissions taken and not answered yet.
        oldest_wait_seconds: How long ago the oldest of those that wait arrived; 0 if none waits.
        pool: Slots and jails, if they are in this process.
    """

    waiting_count: int
    running_count: int
    oldest_wait_seconds: float
    pool: PoolFigures | None


class JudgeLike(Archive, Protocol):
    """What the service needs of a judge."""

    def start(self) -> None:
        """Make everything warm; blocks; called once before any ``judge``."""

    def judge(self, work: Work) -> Judgement:
        """Judge one submission; blocks; called from at most ``slots_count`` threads at a time.

        Raises:
            WithdrawnError: If the work was withdrawn meanwhile.
        """

    def languages(self) -> Found:
        """The languages that programs may be written in, and why others may not; known once it is started."""

    def obstacle(self) -> str | None:
        """Why a submission judged now would get no mark, in words for anybody; None if it would get one."""

    def figures(self) -> PoolFigures | None:
        """How slots and jails stand; None if it has none."""

    def close(self) -> None:
        """Kill and release everything; runs under way end soon after."""


class Executor(Protocol):
    """What the routes need: submissions in, futures of judgements out."""

    async def start(self) -> None:
        """Become ready for work."""

    def submit(self, works: Sequence[Work]) -> "list[asyncio.Future[Judgement]]":
        """Accept all of ``works`` or none. Cancel a future to withdraw its work.

        Raises:
            QueueFull: If there is no room now.
            BatchTooLarge: If there can never be room.
            ShuttingDown: If no new work is taken.
            LanguageMissing: If one of them needs a language that is not here.
        """

    def languages(self) -> Found:
        """The languages that programs may be written in, and why others may not."""

    def obstacle(self) -> str | None:
        """Why new work is not taken now, or would not be judged; None if it would be."""

    def figures(self) -> Figures:
        """How queue and jails stand."""

    async def drain(self, timeout_seconds: float) -> None:
        """Take no new work; return when what was accepted is answered, at the latest after the timeout."""

    async def close(self) -> None:
        """Stop the judge."""


@dataclass(slots=True, eq=False)
class _Item:
    work: Work
    future: "asyncio.Future[Judgement]"
    context: contextvars.Context
    taken: bool = False


class EmbeddedExecutor:
    """Judges in this process, with one thread per slot."""

    def __init__(
        self,
        judge: JudgeLike,
        settings: Settings,
        observe: Callable[[Judgement], None] = lambda _: None,
    ) -> None:
        """Starts nothing.

        Args:
            judge: Does the work.
            settings: For ``slots_count``, ``queue_items_max`` and the limits.
            observe: Is shown every answer, on the event loop.
        """
        self._judge = judge
        self._settings = settings
        self._observe = observe
        self._queue: queue.SimpleQueue[_Item | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._unanswered: set[_Item] = set()
        self._idle = asyncio.Event()
        self._idle.set()
        self._draining = False
        self._mean_judge_seconds = 0.1

    async def start(self) -> None:
        """Start the judge and the threads.

        Raises:
            Exception: Whatever ``judge.start`` raises; nothing runs then.
        """
        self._loop = asyncio.get_running_loop()
        await asyncio.to_thread(self._judge.start)
        for number in range(self._settings.slots_count):
            thread = threading.Thread(target=self._serve_slot, name=f"slot-{number}", daemon=True)
            thread.start()
            self._threads.append(thread)

    def obstacle(self) -> str | None:
        """Why new work is not taken now, or would not be judged; None if it would be."""
        if not self._threads:
            return "the service is starting"
        if self._draining:
            return "the service is shutting down"
        if len(self._unanswered) >= self._settings.queue_items_max:
            return "the queue is full"
        return self._judge.obstacle()

    def figures(self) -> Figures:
        """How queue and jails stand. Call it on the event loop."""
        now = time.monotonic()
        waits_seconds = [now - item.work.arrived for item in self._unanswered if not item.taken]
        return Figures(
            waiting_count=len(waits_seconds),
            running_count=len(self._unanswered) - len(waits_seconds),
            oldest_wait_seconds=max(waits_seconds, default=0.0),
            pool=self._judge.figures(),
        )

    def submit(self, works: Sequence[Work]) -> "list[asyncio.Future[Judgement]]":
        """Accept all of ``works`` or none; see ``Executor.submit``. Call it on the event loop."""
        for work in works:
            self._refuse_missing(work)
        self._admit(len(works))
        return [self._enqueue(work) for work in works]

    def languages(self) -> Found:
        """The languages that programs may be written in, and why others may not."""
        return self._judge.languages()

    def _refuse_missing(self, work: Work) -> None:
        found = self._judge.languages()
        for field_, language in languages_of(work.submission, work.problem):
            if language in found.missing:
                there = ", ".join(found.toolchains)
                why = f"'{language}' is not available here: {found.missing[language]}; there are: {there}"
                raise LanguageMissing((*work.where, *field_), why)

    def _admit(self, works_count: int) -> None:
        if self._draining:
            raise ShuttingDown("the service is shutting down")
        if works_count > self._settings.queue_items_max:
            raise BatchTooLarge(
                f"{works_count} submissions at once, but the queue holds {self._settings.queue_items_max}"
            )
        if len(self._unanswered) + works_count > self._settings.queue_items_max:
            raise QueueFull(self._retry_after_seconds(works_count))

    def _retry_after_seconds(self, works_count: int) -> int:
        """Seconds until enough of the queue should be done, from how long judging took of late."""
        excess_count = len(self._unanswered) + works_count - self._settings.queue_items_max
        wait_seconds = excess_count * self._mean_judge_seconds / self._settings.slots_count
        return min(max(math.ceil(wait_seconds), MIN_RETRY_SECONDS), MAX_RETRY_SECONDS)

    def _enqueue(self, work: Work) -> "asyncio.Future[Judgement]":
        item = _Item(work, self._loop.create_future(), contextvars.copy_context())
        self._unanswered.add(item)
        self._idle.clear()
        self._expire_in_time(item)
        item.future.add_done_callback(lambda _: self._forget(item))
        item.future.add_done_callback(lambda _: work.withdrawn.set())
        self._queue.put(item)
        return item.future

    def _expire_in_time(self, item: _Item) -> None:
        """Answer at the deadline, whether the work waits or runs by then."""
        deadline_seconds = item.work.submission.deadline_seconds
        if deadline_seconds is None:
            return
        left_seconds = item.work.arrived + deadline_seconds - time.monotonic()
        if left_seconds <= 0:
            self._expire(item)
            return
        timer = self._loop.call_later(left_seconds, self._expire, item)
        item.future.add_done_callback(lambda _: timer.cancel())

    def _expire(self, item: _Item) -> None:
        message = f"not judged within its deadline of {item.work.submission.deadline_seconds:g} s"
        self._settle(item, self._fault(item.work, "deadline", message))

    def _forget(self, item: _Item) -> None:
        self._unanswered.discard(item)
        if not self._unanswered:
            self._idle.set()

    def _settle(self, item: _Item, judgement: Judgement) -> None:
        if not item.future.done():
            item.future.set_result(judgement)
            self._observe(judgement)
            self._forget(item)  # now, not a turn of the loop later: its room is free

    def _serve_slot(self) -> None:
        """Judge one item after the other, until there is a None; runs in a thread of its own."""
        while (item := self._queue.get()) is not None:
            if item.future.done():  # withdrawn, or past its deadline
                continue
            item.taken = True
            item.context.run(self._judge_item, item)

    def _judge_item(self, item: _Item) -> None:
        structlog.contextvars.bind_contextvars(submission_id=item.work.submission.id)
        started = time.monotonic()
        judgement = self._judgement(item.work)
        judge_seconds = time.monotonic() - started
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(self._answer, item, judgement, judge_seconds)
        log.info(
            "judged",
            verdict=judgement.verdict.value,
            reward=judgement.reward,
            problem_id=item.work.problem_id,
            judge_seconds=round(judge_seconds, 6),
            metadata=item.work.submission.metadata,
        )

    def _judgement(self, work: Work) -> Judgement:
        try:
            return self._judge.judge(work)
        except WithdrawnError:
            return self._fault(work, "deadline", "nobody waited for this any more")
        except Exception as error:  # whatever it is, the client gets an answer
            log.exception("judge_failed", problem_id=work.problem_id)
            return self._fault(work, "internal", f"the judge failed: {type(error).__name__}")

    def _answer(self, item: _Item, judgement: Judgement, judge_seconds: float) -> None:
        self._mean_judge_seconds += 0.1 * (judge_seconds - self._mean_judge_seconds)
        self._settle(item, judgement)

    def _fault(self, work: Work, kind: str, message: str) -> Judgement:
        fault = JudgeFault(kind=kind, message=message, retryable=True)
        pool = self._judge.figures()
        return fault_judgement(work, self._settings, fault, pool.speed if pool else None)

    async def drain(self, timeout_seconds: float) -> None:
        """Take no new work and wait for the accepted; what is left at the timeout is a judge_error."""
        self._draining = True
        try:
            await asyncio.wait_for(self._idle.wait(), timeout_seconds)
        except TimeoutError:
            log.warning("drain_incomplete", unanswered_count=len(self._unanswered))
            for item in list(self._unanswered):
                message = "the service was shut down before this was judged"
                self._settle(item, self._fault(item.work, "overload", message))

    async def close(self) -> None:
        """Stop the threads as soon as their runs end, and the judge now."""
        self._draining = True
        for _ in self._threads:
            self._queue.put(None)
        await asyncio.to_thread(self._judge.close)
