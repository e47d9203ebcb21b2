"""Answers on their way back: what a worker writes of each item, and how an API process reads it.

In the same list stand the bare names of items that another API process was told to withdraw.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import structlog
from pydantic import BaseModel, ConfigDict

from evaluator_service.distributed import keys
from evaluator_service.distributed.link import BLOCK_SECONDS, RedisClient, RedisError, report
from evaluator_service.schema import Judgement

LIST_SECONDS = 60
"""How long answers wait for an API process that does not fetch them; one that was only frozen sends again."""
_AT_A_TIME_COUNT = 256
_PAUSE_SECONDS = 0.5

log = structlog.get_logger(__name__)


class Reply(BaseModel):
    """The answer to one item; also what is kept under a name, or to be given again.

    Attributes:
        key: The item.
        judge_seconds: How long judging took.
        judgement: What came of it.
    """

    model_config = ConfigDict(frozen=True)

    key: str
    judge_seconds: float
    judgement: Judgement


class Withdrawal(NamedTuple):
    """That another process was told to withdraw an item.

    Attributes:
        key: The item.
    """

    key: str


type Letter = Reply | Withdrawal
"""What an API process finds in its list."""


def packed(key: str, judgement: Judgement, judge_seconds: float) -> str:
    """A reply as JSON."""
    return f'{{"key":"{key}","judge_seconds":{judge_seconds:.6f},"judgement":{judgement.model_dump_json()}}}'


def by_our_clock(reply: Reply, arrived: float) -> Judgement:
    """Its judgement, with times that do not depend on how two machines' clocks differ.

    Args:
        reply: From a worker.
        arrived: When the request arrived here, ``time.monotonic()``.
    """
    total_seconds = time.monotonic() - arrived
    queue_seconds = max(0.0, total_seconds - reply.judge_seconds)
    changes = {"queue_seconds": round(queue_seconds, 6), "total_seconds": round(total_seconds, 6)}
    timing = reply.judgement.timing.model_copy(update=changes)
    return reply.judgement.model_copy(update={"timing": timing})


class ReplyReader:
    """A thread that fetches the answers to one API process as they come."""

    def __init__(
        self,
        connection: RedisClient,
        api_id: str,
        deliver: Callable[[Sequence[Letter]], None],
    ) -> None:
        """Give what comes to ``deliver``, several at a time, in that thread."""
        self._connection = connection
        self._list = keys.replies(api_id)
        self._deliver = deliver
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._read, name="replies", daemon=True)

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def stop(self) -> None:
        """Read no more."""
        self._stopping.set()
        self._thread.join()
        self._connection.close()

    def _read(self) -> None:
        while not self._stopping.is_set():
            try:
                found = self._connection.blmpop(
                    BLOCK_SECONDS, 1, self._list, direction="LEFT", count=_AT_A_TIME_COUNT
                )
            except RedisError as error:
                report("replies_unreachable", error)
                self._stopping.wait(_PAUSE_SECONDS)
                continue
            if found:
                self._deliver([letter for content in found[1] if (letter := _read(content))])


def _read(content: bytes) -> Letter | None:
    try:
        if not content.startswith(b"{"):
            return Withdrawal(content.decode())
        return Reply.model_validate_json(content)
    except ValueError:
        log.exception("reply_unreadable")
        return None
