"""Submissions that are kept under a name, for clients that come back for the answer or send the same again.

Stands between the routes and the executor: whatever has a name is begun once, goes on when its client goes away,
and can be asked for until it expires. What has none passes through. All state belongs to the event loop.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import NamedTuple

import structlog

from evaluator_service.bodies import HeldBody
from evaluator_service.executor import Executor
from evaluator_service.idempotency import claim_of
from evaluator_service.quotas import Quotas
from evaluator_service.refusals import EngineDownError, KeyReused
from evaluator_service.results import Claim, Kept, Results
from evaluator_service.schema import Judgement
from evaluator_service.work import Work

AGAIN_SECONDS = 1.0
"""Between attempts to keep a judgement while that is not possible."""

log = structlog.get_logger(__name__)

type Answer = asyncio.Future[Judgement]


class _Wish(NamedTuple):
    """Work that is to be kept, its claim, and what stood there before; None: nothing, so it is to be begun."""

    work: Work
    claim: Claim
    kept: Kept | None


class Submissions:
    """Has submissions judged, and keeps what came of those that have a name."""

    def __init__(
        self, executor: Executor, quotas: Quotas, results: Results, *, engine_keeps: bool
    ) -> None:
        """Nothing is begun yet.

        Args:
            executor: Answers what is begun.
            quotas: What each client may have begun and not answered.
            results: Where names are claimed, and judgements kept.
            engine_keeps: Whether whoever judges keeps the judgement of what has a name.
        """
        self._executor = executor
        self._quotas = quotas
        self._results = results
        self._engine_keeps = engine_keeps
        self._begun: dict[str, Answer] = {}
        """The executor's answers to come, by name; those of work that was begun here."""
        self._carrying: set[asyncio.Task[Judgement]] = set()

    async def submit(self, works: Sequence[Work], body: HeldBody) -> list[Answer]:
        """Accept all of ``works`` or none.

        Cancel an answer to wait for it no more. Work without a name is withdrawn by that; work with a name goes on.

        Args:
            works: All of them have a name to be kept under, or none has.
            body: Where they came in; it is held until the last that has a name is done.

        Raises:
            KeyReused: If the name of one belongs to something else.
            QuotaFull: If the client has too much unanswered now.
            QueueFull: If all clients together have.
            BatchTooLarge: If there can never be room.
            ShuttingDown: If no new work is taken.
            LanguageMissing: If one of them needs a language that is not here.
        """
        if works[0].kept_as is None:
            return await self._begin(works)
        wishes = await self._claimed(works)
        granted = [wish for wish in wishes if wish.kept is None]
        try:
            _refuse_others(wishes)
            answers = await self._begin([wish.work for wish in granted])
        except BaseException:
            await self._results.drop([wish.claim.name for wish in granted])
            raise
        carried = {
            wish.claim.name: self._carry(wish, answer, body)
            for wish, answer in zip(granted, answers, strict=True)
        }
        return [
            asyncio.shield(carried[wish.claim.name]) if wish.kept is None else self._join(wish)
            for wish in wishes
        ]

    async def wait(self, name: str, seconds: float) -> Kept | None:
        """What is kept under a name, once it is done or gone, or after so long; None: nothing is."""
        return await self._results.wait(name, seconds)

    async def forget(self, name: str) -> bool:
        """Withdraw what is under way, or forget what is done; say whether there was anything."""
        found_count = await self._results.drop([name])
        if (answer := self._begun.pop(name, None)) is not None:
            answer.cancel()
            await asyncio.sleep(0)  # the executor hears of it before our client does
        return found_count > 0

    async def _claimed(self, works: Sequence[Work]) -> list[_Wish]:
        claims = [claim_of(work) for work in works]
        standing = await self._results.claim(claims)
        return [_Wish(*each) for each in zip(works, claims, standing, strict=True)]

    # --- work that is begun here ------------------------------------------------------------------

    async def _begin(self, works: Sequence[Work]) -> list[Answer]:
        if not works:  # what is done is answered even by a service that takes no work
            return []
        with self._quotas.room_for(works[0].owner, len(works)) as room:
            return room.until_answered(await self._executor.submit(works))

    def _carry(self, wish: _Wish, answer: Answer, body: HeldBody) -> Answer:
        """See to it that the answer is kept, whoever waits for it; the task has what is kept."""
        self._begun[wish.claim.name] = answer
        body.hold()
        task = asyncio.get_running_loop().create_task(self._carried(wish, answer))
        self._carrying.add(task)
        task.add_done_callback(self._carrying.discard)
        task.add_done_callback(lambda _: body.let_go())
        return task

    async def _carried(self, wish: _Wish, answer: Answer) -> Judgement:
        try:
            judgement = await answer
        except asyncio.CancelledError:  # by `forget`
            return self._withdrawn(wish.work)
        finally:
            if self._begun.get(wish.claim.name) is answer:
                del self._begun[wish.claim.name]
        return await self._keep(wish.claim.place, judgement)

    async def _keep(self, place: str, judgement: Judgement) -> Judgement:
        ran_for_itself = judgement.error is None and not judgement.cached
        if self._engine_keeps and ran_for_itself:
            return judgement
        while True:  # the claim stands until then, and who sends again would wait in vain
            try:
                return await self._results.keep(place, judgement)
            except EngineDownError as error:
                log.warning("judgement_not_kept_yet", error=str(error))
                await asyncio.sleep(AGAIN_SECONDS)

    # --- work that was begun before ---------------------------------------------------------------

    def _join(self, wish: _Wish) -> Answer:
        if wish.kept is None or wish.kept.judgement is None:
            return asyncio.ensure_future(self._joined(wish))
        answer: Answer = asyncio.get_running_loop().create_future()
        answer.set_result(wish.kept.judgement)
        return answer

    async def _joined(self, wish: _Wish) -> Judgement:
        """The answer to what somebody else had begun, in time for this one's deadline."""
        kept = await self._results.wait(wish.claim.name, _left_seconds(wish.work))
        if kept is None:
            return self._withdrawn(wish.work)
        if kept.judgement is None:
            seconds = wish.work.submission.deadline_seconds or 0.0
            message = (
                f"not judged within its deadline of {seconds:g} s; what was begun before goes on"
            )
            return self._executor.fault(wish.work, "deadline", message)
        return kept.judgement

    def _withdrawn(self, work: Work) -> Judgement:
        return self._executor.fault(work, "withdrawn", "it was withdrawn before it was judged")


def _refuse_others(wishes: Sequence[_Wish]) -> None:
    for wish in wishes:
        if wish.kept is not None and wish.kept.fingerprint != wish.claim.fingerprint:
            raise KeyReused(wish.work.where)


def _left_seconds(work: Work) -> float | None:
    seconds = work.submission.deadline_seconds
    return None if seconds is None else max(0.0, work.arrived + seconds - time.monotonic())
