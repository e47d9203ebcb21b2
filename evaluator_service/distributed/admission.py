"""The way in: what many requests of one moment ask for goes to Redis together, each of them whole or not at all."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgpack
from redis.exceptions import NoScriptError, ResponseError

from evaluator_service.distributed import keys
from evaluator_service.distributed.chunks import Chunk
from evaluator_service.distributed.jobs import Recorder
from evaluator_service.distributed.link import RedisClient
from evaluator_service.distributed.script import Script
from evaluator_service.recently_used import RecentlyUsed
from evaluator_service.schema import AnyProblem


class Entry(NamedTuple):
    """What one request asks for.

    Attributes:
        chunks: What it wants judged.
        problems: Its problems, by content hash.
        is_urgent: Whether it goes before what is not.
    """

    chunks: list[Chunk]
    problems: Mapping[str, AnyProblem]
    is_urgent: bool


class Admitted(NamedTuple):
    """What became of an entry.

    Attributes:
        excess_count: Items that there was no room for; 0 if all were taken.
        pending_count: Items that are pending now.
    """

    excess_count: int
    pending_count: int


class Admission:
    """Sends entries; blocks. Belongs to one thread."""

    def __init__(self, connection: RedisClient, items_max: int, problem_seconds: int) -> None:
        """Let at most ``items_max`` items be pending; keep problems for so long after their last use."""
        self._connection = connection
        self._items_max = items_max
        self._problem_seconds = problem_seconds
        self._script = Script(connection, "admit.lua")
        self._recorder = Recorder(connection)
        self._sent: RecentlyUsed[bool] = RecentlyUsed(_SENT_PROBLEMS_COUNT)

    def send(self, entries: Sequence[Entry]) -> list[Admitted | ResponseError]:
        """Have each entry taken whole or not at all.

        Raises:
            RedisError: If Redis cannot be reached; then nothing is known of any of them.
        """
        if not self._script.digest:
            self._script.load()
        outcomes = self._try(entries, {name for entry in entries for name in entry.problems})
        return [
            _admitted(outcome, self._items_max, entry)
            for outcome, entry in zip(outcomes, entries, strict=True)
        ]

    def _try(self, entries: Sequence[Entry], new: set[str]) -> list[Any]:
        """One round trip, a second one for those whose problems, or the script, Redis does not know."""
        outcomes = self._round_trip(entries, {name for name in new if self._sent.get(name) is None})
        again = [place for place, outcome in enumerate(outcomes) if _is_unknown(outcome)]
        if any(isinstance(outcomes[place], NoScriptError) for place in again):
            self._script.load()
        if again:
            second = self._round_trip([entries[place] for place in again], new)
            for place, outcome in zip(again, second, strict=True):
                outcomes[place] = outcome
        return outcomes

    def _round_trip(self, entries: Sequence[Entry], with_problems: set[str]) -> list[Any]:
        with self._connection.pipeline(transaction=False) as pipeline:
            blobs_count = 0
            problems = {name: p for entry in entries for name, p in entry.problems.items()}
            for name in with_problems & problems.keys():
                content = problems[name].model_dump_json(exclude_unset=True)
                pipeline.set(keys.problem(name), content, ex=self._problem_seconds)
                blobs_count += 1
            for entry in entries:
                self._add(pipeline, entry)
            outcomes = pipeline.execute(raise_on_error=False)
        for blob_outcome in outcomes[:blobs_count]:
            if isinstance(blob_outcome, Exception):  # Redis is out of memory, say
                raise blob_outcome
        for name in with_problems:
            self._sent.put(name, True, 1)
        return list(outcomes[blobs_count:])

    def _add(self, pipeline: Any, entry: Entry) -> None:
        chunks = entry.chunks
        pipeline.evalsha(
            self._script.digest,
            3,
            *(keys.PENDING, keys.QUEUE_KEY, keys.LAST_URGENT),
            *(self._items_max, time.time(), self._problem_seconds, int(entry.is_urgent)),
            _packed([item.key for chunk in chunks for item in chunk.items]),
            _packed([keys.problem(name) for name in entry.problems]),
            _packed([chunk.id for chunk in chunks]),
            self._recorder.commands(chunks),
        )


_SENT_PROBLEMS_COUNT = 100_000
"""Names of problems that Redis was given and probably still has."""


def _packed(names: list[str]) -> bytes:
    return bytes(msgpack.packb(names, use_bin_type=False))


def _is_unknown(outcome: Any) -> bool:
    return isinstance(outcome, NoScriptError) or (
        isinstance(outcome, list) and outcome[0] == b"missing"
    )


def _admitted(outcome: Any, items_max: int, entry: Entry) -> Admitted | ResponseError:
    if isinstance(outcome, ResponseError):
        return outcome
    word, count = outcome
    if word == b"taken":
        return Admitted(0, count)
    items_count = sum(len(chunk.items) for chunk in entry.chunks)
    return Admitted(count + items_count - items_max, count)
