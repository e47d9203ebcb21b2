"""Judgements kept under names in Redis: any API process may claim, ask and forget, whichever began the work.

Under each name stands a hash: the claim (``fingerprint``, ``turn``, and the ``item`` that is pending for it), and once it is done the ``answer``, as a worker
or an API process wrote it. What is under way is forgotten only after a day, when no chunk of it can be left.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Sequence
from typing import Any

from evaluator_service.distributed import keys, replies
from evaluator_service.distributed.jobs import CHUNK_SECONDS
from evaluator_service.distributed.link import RedisClient, RedisError
from evaluator_service.distributed.replies import Reply
from evaluator_service.distributed.script import Script
from evaluator_service.refusals import EngineDownError
from evaluator_service.results import Claim, Kept, is_final, name_and_turn
from evaluator_service.schema import Judgement

_GRACE_SECONDS = 300.0
"""What is claimed for longer and neither pending nor done was lost; or it shares the run of other work, and runs anew."""
_POLL_SECONDS = 0.1
"""How often all names that somebody waits for are looked at, in one round trip."""


class SharedResults:
    """Keeps judgements in Redis. Belongs to the event loop."""

    def __init__(self, connection: RedisClient, keep_seconds: float, api_id: str) -> None:
        """Keep what is done for so long; what is claimed here, the engine of ``api_id`` has judged."""
        self._connection = connection
        self._api_id = api_id
        self._keep_milliseconds = max(1, round(1000 * keep_seconds))
        self._claim_script = Script(connection, "claim.lua")
        self._keep_script = Script(connection, "keep.lua")
        self._drop_script = Script(connection, "drop.lua")
        self._waiting: dict[str, list[asyncio.Future[Kept | None]]] = {}
        self._polling: asyncio.Task[None] | None = None

    async def claim(self, claims: Sequence[Claim]) -> list[Kept | None]:
        """Claim names, each in one step: None where that is done, else what stands there already.

        Raises:
            EngineDownError: If Redis cannot be reached.
        """
        return [
            None if found is None else _kept(found)
            for found in await _reaching(self._claim, claims)
        ]

    def _claim(self, claims: Sequence[Claim]) -> list[Any]:
        arguments = [
            part
            for claim in claims
            for part in (
                claim.fingerprint,
                claim.turn,
                keys.item(self._api_id, claim.turn, is_kept=True),
            )
        ]
        names = [keys.PENDING, *(keys.kept(claim.name) for claim in claims)]
        terms = (1000 * CHUNK_SECONDS, time.time(), _GRACE_SECONDS)
        found = self._claim_script.run(names, [*terms, *arguments])
        return [entry or None for entry in found]

    async def keep(self, place: str, judgement: Judgement) -> Judgement:
        """Keep what came of a claim, and answer what stands there then: the first wins.

        Raises:
            EngineDownError: If Redis cannot be reached.
        """
        name, turn = name_and_turn(place)
        answer = replies.packed(place, judgement, 0.0)
        retryable = int(not is_final(judgement))
        found = await _reaching(
            self._keep_script.run,
            [keys.kept(name)],
            [turn, answer, retryable, self._keep_milliseconds],
        )
        return judgement if found is None else Reply.model_validate_json(found).judgement

    async def wait(self, name: str, seconds: float | None = 0.0) -> Kept | None:
        """What stands under a name, once it is done or gone, or after so long; None: nothing does.

        Raises:
            EngineDownError: If Redis cannot be reached.
        """
        found: Kept | None
        (found,) = await _reaching(self._look, [name])
        if found is None or found.judgement is not None or seconds == 0:
            return found
        done: asyncio.Future[Kept | None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(name, []).append(done)
        if self._polling is None or self._polling.done():
            self._polling = asyncio.get_running_loop().create_task(self._poll())
        try:
            await asyncio.wait([done], timeout=seconds)
            return done.result() if done.done() else found
        finally:
            done.cancel()  # also where a client has left: nobody looks for it any more

    async def _poll(self) -> None:
        """Look at all names that somebody waits for, until nobody does."""
        while self._waiting:
            await asyncio.sleep(_POLL_SECONDS)
            self._forget_impatient()
            names = list(self._waiting)
            try:
                found = await asyncio.to_thread(self._look, names)
            except RedisError:
                continue  # those who wait have all the time that they have
            for name, kept in zip(names, found, strict=True):
                if kept is None or kept.judgement is not None:
                    for done in self._waiting.pop(name, ()):
                        if not done.done():
                            done.set_result(kept)

    def _forget_impatient(self) -> None:
        for name, waiting in list(self._waiting.items()):
            waiting[:] = [done for done in waiting if not done.done()]
            if not waiting:
                del self._waiting[name]

    def _look(self, names: Sequence[str]) -> list[Kept | None]:
        with self._connection.pipeline(transaction=False) as pipeline:
            for name in names:
                pipeline.hmget(keys.kept(name), "fingerprint", "answer")
            found = pipeline.execute()
        return [None if entry[0] is None else _kept(entry) for entry in found]

    async def drop(self, names: Collection[str]) -> int:
        """Forget what stands under these names, done or under way, and say of how many there was something.

        What is under way is withdrawn by the process that began it.

        Raises:
            EngineDownError: If Redis cannot be reached.
        """
        dropped = [keys.PENDING, keys.APIS, *map(keys.kept, names)]
        terms = [self._api_id, keys.replies(""), replies.LIST_SECONDS]
        return int(await _reaching(self._drop_script.run, dropped, terms))


def _kept(found: Sequence[bytes | None]) -> Kept:
    fingerprint, answer = found
    judgement = None if not answer else Reply.model_validate_json(answer).judgement
    return Kept((fingerprint or b"").decode(), judgement)


async def _reaching(call: Any, *arguments: Any) -> Any:
    try:
        return await asyncio.to_thread(call, *arguments)
    except RedisError as error:
        raise EngineDownError("Redis, which keeps judgements, cannot be reached") from error
