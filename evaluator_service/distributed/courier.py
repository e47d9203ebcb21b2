"""A thread of a worker that brings answers to Redis: what came together goes together, and nothing is given up.

An answer is in Redis soon after it exists, whatever its chunk still has to do; the last of a chunk at once. While Redis
cannot be reached answers wait here; they are dropped by ``finish.lua`` if others were faster by then.
"""

from __future__ import annotations

import queue
import threading
from concurrent.futures import Future
from typing import NamedTuple

import structlog

from evaluator_service.distributed import keys, replies
from evaluator_service.distributed.chunks import Item
from evaluator_service.distributed.judged import MAX_ENTRY_BYTES, Judged
from evaluator_service.distributed.link import RedisClient, RedisError, report
from evaluator_service.distributed.script import Script
from evaluator_service.results import is_final, name_and_turn
from evaluator_service.reuse import is_reusable
from evaluator_service.schema import Judgement
from evaluator_service.settings import Settings

log = structlog.get_logger(__name__)

_AT_A_TIME_COUNT = 200
_GATHER_SECONDS = 0.01
"""How long an answer waits for those of the quick items behind it."""
_PAUSE_SECONDS = 1.0


class Delivery(NamedTuple):
    """An answer on its way.

    Attributes:
        item: What it answers.
        api_id: Whose it is.
        judgement: The answer.
        judge_seconds: How long judging took.
        is_last: Whether its chunk has nothing else to do.
        arrival: Done once Redis has it.
    """

    item: Item
    api_id: str
    judgement: Judgement
    judge_seconds: float
    is_last: bool
    arrival: Future[None]


class Courier:
    """Brings answers to Redis, in a thread of its own."""

    def __init__(self, connection: RedisClient, settings: Settings) -> None:
        """Keep answers for as long as the settings say, where they are kept at all."""
        self._connection = connection
        self._keep_milliseconds = round(1000 * settings.result_seconds)
        self._judged = Judged(settings)
        self._script = Script(connection, "finish.lua")
        self._gives_up = threading.Event()
        self._waiting: queue.SimpleQueue[Delivery | None] = queue.SimpleQueue()
        self._hurries = threading.Event()
        self._thread = threading.Thread(target=self._carry, name="courier", daemon=True)

    def start(self) -> None:
        """Begin to carry."""
        self._thread.start()

    def send(self, delivery: Delivery) -> None:
        """Bring this to Redis soon; ``delivery.arrival`` is done then, or has a RedisError if it was given up."""
        self._waiting.put(delivery)
        if delivery.is_last:
            self._hurries.set()

    def give_up(self) -> None:
        """Try no longer what Redis does not take: it is pending still, and others will do it again."""
        self._gives_up.set()

    def stop(self) -> None:
        """End when all that was sent has arrived, or was given up."""
        self._waiting.put(None)
        self._thread.join()
        self._connection.close()

    def _carry(self) -> None:
        while (first := self._waiting.get()) is not None:
            self._hurries.wait(_GATHER_SECONDS)
            self._hurries.clear()  # before the rest is taken: what hurries from now on is not among it
            parcel = self._gathered(first)
            failure = self._deliver(parcel)
            for delivery in parcel:
                if failure is None:
                    delivery.arrival.set_result(None)
                else:
                    delivery.arrival.set_exception(failure)

    def _gathered(self, first: Delivery) -> list[Delivery]:
        parcel = [first]
        while len(parcel) < _AT_A_TIME_COUNT and not self._waiting.empty():
            following = self._waiting.get()
            if following is None:
                self._waiting.put(None)
                break
            parcel.append(following)
        return parcel

    def _deliver(self, parcel: list[Delivery]) -> RedisError | None:
        judged = self._judged
        terms = (replies.LIST_SECONDS, self._keep_milliseconds)
        reuse = (judged.key(), judged.seconds, judged.max_count)
        arguments = [part for delivery in parcel for part in self._arguments(delivery)]
        while True:
            try:
                self._script.run([keys.PENDING], [*terms, *reuse, *arguments])
                return None
            except RedisError as error:
                if self._gives_up.is_set():
                    return error
                report("answers_wait", error, count=len(parcel))
                self._gives_up.wait(_PAUSE_SECONDS)

    def _arguments(self, delivery: Delivery) -> tuple[str | int, ...]:
        item = delivery.item
        answer = replies.packed(item.key, delivery.judgement, delivery.judge_seconds)
        is_kept_for_reuse = (
            self._judged.is_on
            and item.identity is not None
            and is_reusable(delivery.judgement)
            and len(answer) <= MAX_ENTRY_BYTES
        )
        return (
            item.key,
            keys.replies(delivery.api_id),
            answer,
            *_kept(item.kept_as),
            int(not is_final(delivery.judgement)),
            item.identity or "" if is_kept_for_reuse else "",
        )


def _kept(place: str | None) -> tuple[str, str]:
    """The key of the name that an answer is kept under, and the turn of its claim."""
    if place is None:
        return "", ""
    name, turn = name_and_turn(place)
    return keys.kept(name), turn
