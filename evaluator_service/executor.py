"""The executor: submissions in, one answer for each of them out, whatever becomes of the engine behind it.

Owns what is the same however judging is done: admission, deadlines, cancelling, draining, and that nothing is
judged twice in vain. Knows nothing of HTTP, and nothing of how a submission is judged. All its state belongs
to the event loop.
"""

import asyncio
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import structlog

from evaluator_service.engine import Engine, Figures, Languages, NoRoomError, Run
from evaluator_service.expected import Expected
from evaluator_service.fault import fault_judgement
from evaluator_service.fits import languages_of
from evaluator_service.refusals import BatchTooLarge, LanguageMissing, QueueFull, ShuttingDown
from evaluator_service.reuse import given_again, identity_of
from evaluator_service.schema import JudgeFault, Judgement
from evaluator_service.settings import Settings
from evaluator_service.work import Work

log = structlog.get_logger(__name__)

MIN_RETRY_SECONDS = 1
MAX_RETRY_SECONDS = 60


@dataclass(slots=True, eq=False)
class _Ticket:
    """Somebody who waits for the answer to a submission."""

    work: Work
    future: "asyncio.Future[Judgement]"
    shared: "_Shared | None" = None
    timer: asyncio.TimerHandle | None = None


@dataclass(slots=True, eq=False)
class _Shared:
    """A run and all who wait for it; the first of them asked for it."""

    run: Run
    tickets: list[_Ticket] = field(default_factory=list)


class Executor:
    """Takes submissions and answers each of them once."""

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        observe: Callable[[Judgement], None] = lambda _: None,
    ) -> None:
        """Starts nothing.

        Args:
            engine: Has runs judged.
            settings: For ``queue_items_max``, ``reuse_judgements`` and the limits.
            observe: Is shown every answer, on the event loop.
        """
        self._engine = engine
        self._settings = settings
        self._observe = observe
        self._expected = Expected()
        self._shared: dict[Run, _Shared] = {}
        self._by_identity: dict[str, _Shared] = {}
        self._unanswered: dict[str, _Ticket] = {}
        """By the key of their work."""
        self._is_started = False
        self._draining = False

    async def start(self) -> None:
        """Start the engine.

        Raises:
            Exception: Whatever the engine raises; nothing runs then.
        """
        await self._engine.start(self._answered, self._withdraw)
        self._is_started = True

    def obstacle(self) -> str | None:
        """Why new work is not taken now, or would not be judged; None if it would be."""
        if not self._is_started:
            return "the service is starting"
        if self._draining:
            return "the service is shutting down"
        return self._engine.obstacle()

    def figures(self) -> Figures:
        """How queue and jails stand. Call it on the event loop."""
        return self._engine.figures()

    def languages(self) -> Languages:
        """The languages that programs may be written in, and why others may not."""
        return self._engine.languages()

    # --- submissions in ---------------------------------------------------------------------------

    async def submit(self, works: Sequence[Work]) -> "list[asyncio.Future[Judgement]]":
        """Accept all of ``works`` or none. Cancel a future to withdraw its work.

        Raises:
            QueueFull: If there is no room now.
            BatchTooLarge: If there can never be room.
            ShuttingDown: If no new work is taken.
            LanguageMissing: If one of them needs a language that is not here.
        """
        self._refuse_missing(works)
        self._refuse_hopeless(len(works))
        identities = self._identities(works)
        known = await self._engine.recall({name for name in identities if name is not None})
        new: dict[str | Run, _Shared] = {}
        tickets = [
            self._ticket(work) if name in known else self._wait(work, name, new)
            for work, name in zip(works, identities, strict=True)
        ]
        await self._admit(list(new.values()), tickets)
        for ticket, name in zip(tickets, identities, strict=True):
            if (judgement := known.get(name or "")) is not None:
                self._settle(ticket, given_again(judgement, ticket.work))
        return [ticket.future for ticket in tickets]

    def _refuse_missing(self, works: Sequence[Work]) -> None:
        here = self._engine.languages()
        for work in works if here.missing else ():
            for field_, language in languages_of(work.submission, work.problem):
                if language in here.missing:
                    there = ", ".join(here.versions)
                    why = f"'{language}' is not available here: {here.missing[language]}; there are: {there}"
                    raise LanguageMissing((*work.where, *field_), why)

    def _refuse_hopeless(self, works_count: int) -> None:
        if self._draining:
            raise ShuttingDown("the service is shutting down")
        if works_count > self._settings.queue_items_max:
            raise BatchTooLarge(
                f"{works_count} submissions at once, but the queue holds {self._settings.queue_items_max}"
            )

    def _identities(self, works: Sequence[Work]) -> list[str | None]:
        if not self._settings.reuse_judgements:
            return [None] * len(works)
        judged_by = self._engine.judged_by()
        return [identity_of(work, judged_by) for work in works]

    def _wait(self, work: Work, identity: str | None, new: dict[str | Run, _Shared]) -> _Ticket:
        """A ticket for the run that will answer ``work``: one under way, one of its own batch, or a new one."""
        deadline_at = _deadline_at(work)
        for shared in (self._by_identity.get(identity or ""), new.get(identity or "")):
            if shared is not None and _lasts(shared.run, deadline_at):
                return self._join(work, shared)
        run = Run(work, identity, self._expected.of(work.problem_id), deadline_at)
        shared = new[identity or run] = self._shared[run] = _Shared(run)
        return self._join(work, shared)

    def _join(self, work: Work, shared: _Shared) -> _Ticket:
        ticket = self._ticket(work)
        ticket.shared = shared
        shared.tickets.append(ticket)
        self._expire_in_time(ticket)
        return ticket

    def _ticket(self, work: Work, shared: _Shared | None = None) -> _Ticket:
        ticket = _Ticket(work, asyncio.get_running_loop().create_future(), shared)
        self._unanswered[work.key] = ticket
        ticket.future.add_done_callback(partial(self._forget, ticket))
        return ticket

    async def _admit(self, new: Sequence[_Shared], tickets: Sequence[_Ticket]) -> None:
        """Have new runs taken, all or none, and let others join them from then on."""
        wanted = [
            shared for shared in new if any(not ticket.future.done() for ticket in shared.tickets)
        ]
        try:
            if wanted:
                await self._engine.admit([shared.run for shared in wanted])
        except BaseException as error:
            for ticket in tickets:
                ticket.future.cancel()
            if isinstance(error, NoRoomError):
                raise QueueFull(self._retry_after_seconds(error.excess_count)) from error
            raise
        for shared in wanted:
            if shared.run.identity is not None and shared.run in self._shared:
                self._by_identity[shared.run.identity] = shared

    def _retry_after_seconds(self, excess_count: int) -> int:
        """Seconds until enough of the queue should be done, from how long judging took of late."""
        slots_count = max(1, self._engine.slots_count())
        wait_seconds = excess_count * self._expected.mean_seconds / slots_count
        return min(max(math.ceil(wait_seconds), MIN_RETRY_SECONDS), MAX_RETRY_SECONDS)

    # --- answers out ------------------------------------------------------------------------------

    def _answered(self, run: Run, judgement: Judgement, judge_seconds: float) -> None:
        """The engine has judged a run: answer all who wait for it."""
        self._expected.learn(run.work.problem_id, judge_seconds)
        shared = self._end(run)
        for ticket in list(shared.tickets) if shared is not None else ():
            own = judgement if ticket.work is run.work else given_again(judgement, ticket.work)
            self._settle(ticket, own)

    def _settle(self, ticket: _Ticket, judgement: Judgement) -> None:
        if not ticket.future.done():
            ticket.future.set_result(judgement)
            self._observe(judgement)
            self._unanswered.pop(ticket.work.key, None)  # now, not a turn of the loop later

    def _expire_in_time(self, ticket: _Ticket) -> None:
        """Answer at the deadline, whether the work waits or runs by then."""
        deadline_at = _deadline_at(ticket.work)
        if deadline_at is None:
            return
        left_seconds = deadline_at - time.monotonic()
        if left_seconds <= 0:
            self._expire(ticket)
            return
        ticket.timer = asyncio.get_running_loop().call_later(left_seconds, self._expire, ticket)

    def _expire(self, ticket: _Ticket) -> None:
        message = f"not judged within its deadline of {ticket.work.submission.deadline_seconds:g} s"
        self._fail(ticket, "deadline", message)

    def _fail(self, ticket: _Ticket, kind: str, message: str) -> None:
        self._settle(ticket, self.fault(ticket.work, kind, message))

    def fault(self, work: Work, kind: str, message: str) -> Judgement:
        """The answer to work that got no mark, not by its own fault: sending it again may help."""
        fault = JudgeFault(kind=kind, message=message, retryable=True)
        return fault_judgement(work, self._settings, fault, self._engine.speed())

    def _withdraw(self, key: str) -> None:
        """Somebody elsewhere withdrew work: as if its future were cancelled here."""
        if (ticket := self._unanswered.get(key)) is not None:
            ticket.future.cancel()

    def _forget(self, ticket: _Ticket, _: object) -> None:
        """A ticket is answered, or its future was cancelled; a run that nobody waits for any more is withdrawn."""
        self._unanswered.pop(ticket.work.key, None)
        if ticket.timer is not None:
            ticket.timer.cancel()
        shared, ticket.shared = ticket.shared, None
        if shared is not None:
            shared.tickets.remove(ticket)
            if not shared.tickets and self._end(shared.run) is not None:
                self._engine.withdraw(shared.run)

    def _end(self, run: Run) -> _Shared | None:
        """Let nobody join a run any more; None if that was done before."""
        shared = self._shared.pop(run, None)
        if shared is not None and self._by_identity.get(run.identity or "") is shared:
            del self._by_identity[run.identity or ""]
        return shared

    # --- the end ----------------------------------------------------------------------------------

    async def drain(self, timeout_seconds: float) -> None:
        """Take no new work and wait for the accepted; what is left at the timeout is a judge_error.

        Work that goes on without this process is neither waited for nor failed: whoever asks later gets its answer.
        """
        self._draining = True
        left = [ticket for ticket in self._unanswered.values() if not self._outlives_us(ticket)]
        if left:
            await asyncio.wait([ticket.future for ticket in left], timeout=timeout_seconds)
        unanswered = [ticket for ticket in left if not ticket.future.done()]
        if unanswered:
            log.warning("drain_incomplete", unanswered_count=len(unanswered))
        for ticket in unanswered:
            self._fail(ticket, "overload", "the service was shut down before this was judged")

    def _outlives_us(self, ticket: _Ticket) -> bool:
        return self._engine.outlives_us and ticket.work.kept_as is not None

    async def close(self) -> None:
        """Stop the engine."""
        self._draining = True
        await self._engine.close()


def _deadline_at(work: Work) -> float | None:
    seconds = work.submission.deadline_seconds
    return None if seconds is None else work.arrived + seconds


def _lasts(run: Run, deadline_at: float | None) -> bool:
    """Whether a run goes on at least as long as somebody with this deadline waits."""
    if run.deadline_at is None:
        return True
    return deadline_at is not None and deadline_at <= run.deadline_at
