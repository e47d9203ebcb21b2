"""Items and chunks as they travel: a few runs as one job, with their programs.

A chunk is stored under its own key, and goes when it is done: programs are read once, and under keys of their own
would pile up. Problems are read by many chunks and stand under their content hash. A job names only the chunk. Times
are seconds since 1970, since they are read on another machine.
"""

from __future__ import annotations

import json
import math
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import structlog

from evaluator_service.distributed import keys
from evaluator_service.engine import Run
from evaluator_service.schema import SubmissionBase

MAX_ITEMS_COUNT = 32
"""Beyond that, a job's own cost is small beside that of its items."""
MAX_UNKNOWN_ITEMS_COUNT = 16
"""The same where nobody knows how long they take."""
TARGET_SECONDS = 0.5
"""What the items of a chunk take together, as far as that is known: long enough to be worth a job of 2 ms, short
enough that slots are busy to the end."""

_PROGRAM_FIELDS = ("code", "completion", "files")
_CLIENTS_OWN_FIELDS = ("id", "metadata")
"""Any text that JSON can hold; pydantic would put another sign in place of half a character."""
_LEFT_OUT = {*_PROGRAM_FIELDS, *_CLIENTS_OWN_FIELDS, "problem", "problem_id"}


class Item(NamedTuple):
    """A run on its way.

    Attributes:
        key: Its name among the pending.
        submission: The submission without program and problem, as plain data.
        program: The name of its program in the chunk.
        problem_id: Content hash of its problem.
        arrived_at: When its request arrived, seconds since 1970.
        deadline_at: When nobody waits any more; None: somebody always does.
        expected_seconds: How long judging takes for its problem; 0 if unknown.
        identity: What names everything that decides its judgement; None if that is not to be reused.
        kept_as: The name under which its judgement is kept for whoever asks later.
        owner: Name of the API key it came with, if any.
        request_id: Of its request, for logs.
        deaths_count: Workers that died while they were at it and at nothing else of its chunk.
    """

    key: str
    submission: dict[str, Any]
    program: str
    problem_id: str
    arrived_at: float
    deadline_at: float | None
    expected_seconds: float
    identity: str | None
    kept_as: str | None
    owner: str | None
    request_id: str | None
    deaths_count: int = 0


class Chunk(NamedTuple):
    """Items that travel as one job, with their programs.

    Attributes:
        id: Its name, and that of its job.
        api_id: The API process that waits for it.
        items: What is to be judged.
        programs: What of submissions is program, each once, under a name that is this chunk's alone.
    """

    id: str
    api_id: str
    items: list[Item]
    programs: dict[str, dict[str, Any]]

    def packed(self) -> bytes:
        """As it is stored."""
        # not pydantic's JSON: a program may hold lone surrogates, which it refuses to write
        return json.dumps(self, separators=(",", ":")).encode()

    def after(self, deaths: Mapping[bytes, bytes]) -> Chunk:
        """The same, when so many workers more have died at its items, by their keys."""
        items = [
            item._replace(deaths_count=item.deaths_count + int(deaths.get(item.key.encode(), 0)))
            for item in self.items
        ]
        return self._replace(items=items)

    def part(self, items: Sequence[Item]) -> Chunk:
        """Some of its items as a chunk of their own."""
        programs = {item.program: self.programs[item.program] for item in items}
        return Chunk(_new_id(), self.api_id, list(items), programs)


def unpacked(content: bytes) -> Chunk:
    """What was packed.

    Raises:
        ValueError: If it is no chunk.
    """
    chunk_id, api_id, items, programs = json.loads(content)
    return Chunk(chunk_id, api_id, [Item(*item) for item in items], programs)


def _new_id() -> str:
    return uuid.uuid4().hex


def pack(runs: Sequence[Run], api_id: str, free_slots_count: int) -> list[Chunk]:
    """Put runs into chunks, the longest first, so many that every free slot has some."""
    programs: dict[str, dict[str, Any]] = {}
    names: dict[tuple[object, ...], str] = {}
    items = []
    for run in sorted(runs, key=lambda run: -run.expected_seconds):
        sent = run.work.submission
        name = names.setdefault((sent.code, sent.completion, *sent.files.items()), str(len(names)))
        if name not in programs:
            programs[name] = {field: getattr(sent, field) for field in _PROGRAM_FIELDS}
        items.append(_item(run, name, api_id))
    most = min(MAX_ITEMS_COUNT, math.ceil(len(items) / max(1, free_slots_count)))
    everything = Chunk("", api_id, items, programs)
    return [everything.part(part) for part in _cut(items, most)]


def _cut(items: Sequence[Item], most_count: int) -> Iterator[list[Item]]:
    part: list[Item] = []
    seconds = 0.0
    for item in items:
        is_known = item.expected_seconds > 0
        most = most_count if is_known else min(most_count, MAX_UNKNOWN_ITEMS_COUNT)
        if part and (len(part) >= most or seconds + item.expected_seconds > TARGET_SECONDS):
            yield part
            part, seconds = [], 0.0
        part.append(item)
        seconds += item.expected_seconds
    if part:
        yield part


def _item(run: Run, program: str, api_id: str) -> Item:
    work = run.work
    since_1970 = time.time() - time.monotonic()
    return Item(
        key=item_key(run, api_id),
        submission=_plain(work.submission),
        program=program,
        problem_id=work.problem_id,
        arrived_at=since_1970 + work.arrived,
        deadline_at=None if run.deadline_at is None else since_1970 + run.deadline_at,
        expected_seconds=run.expected_seconds,
        identity=run.identity,
        kept_as=work.kept_as,
        owner=work.owner,
        request_id=run.context.run(_request_id),
    )


def _plain(submission: SubmissionBase) -> dict[str, Any]:
    """What is said of it, as plain data, without program and problem."""
    own = {name: getattr(submission, name) for name in _CLIENTS_OWN_FIELDS}
    return own | submission.model_dump(mode="json", exclude=_LEFT_OUT, exclude_unset=True)


def item_key(run: Run, api_id: str) -> str:
    """The name of a run among the pending."""
    return keys.item(api_id, run.work.key, is_kept=run.work.kept_as is not None)


def _request_id() -> str | None:
    found = structlog.contextvars.get_contextvars().get("request_id")
    return None if found is None else str(found)
