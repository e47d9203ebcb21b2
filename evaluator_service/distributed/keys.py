"""The names of everything in Redis. They carry the wire version: API and workers of different versions never meet."""

from __future__ import annotations

from evaluator_service import WIRE_VERSION

_PREFIX = f"microcoder:{WIRE_VERSION}:"

QUEUE = f"microcoder-{WIRE_VERSION}"
"""RQ's name of the queue of chunks."""
QUEUE_KEY = f"rq:queue:{QUEUE}"
"""RQ's key of that list."""

PENDING = _PREFIX + "pending"
"""Sorted set of items that wait for an answer, by the time of their admission (seconds since 1970)."""
LAST_URGENT = _PREFIX + "last-urgent"
"""The chunk behind which the next urgent one goes."""
APIS = _PREFIX + "apis"
"""Sorted set of API processes, by the time they were last heard of (seconds since 1970)."""
WORKERS = "microcoder:workers"
"""Hash of worker processes, of all wire versions: what each last said of itself, as JSON."""


def chunk(chunk_id: str) -> str:
    """Where a chunk's items stand."""
    return f"{_PREFIX}chunk:{chunk_id}"


def starts(chunk_id: str) -> str:
    """Hash: how often work on a chunk began, and on its single items with nothing beside them."""
    return f"{_PREFIX}starts:{chunk_id}"


def problem(problem_id: str) -> str:
    """Where a problem stands, under its content hash."""
    return f"{_PREFIX}problem:{problem_id}"


def output(output_id: str) -> str:
    """Where a kept output stands, under its content hash."""
    return f"{_PREFIX}output:{output_id}"


def replies(api_id: str) -> str:
    """The list of answers to one API process."""
    return f"{_PREFIX}replies:{api_id}"


def kept(name: str) -> str:
    """Hash: what is under way or done under a name that somebody may ask for."""
    return f"{_PREFIX}kept:{name}"


def judged(period: int) -> str:
    """Hash of judgements that may be given again, by identity; those of one period."""
    return f"{_PREFIX}judged:{period}"


def item(api_id: str, key: str, *, is_kept: bool) -> str:
    """An item's name among the pending; says whose it is, and whether it matters without that process."""
    return f"{api_id}.{'kept' if is_kept else 'live'}.{key}"


def key_of_item(name: str) -> str:
    """The key of the work that an item is made of."""
    return name.split(".", 2)[2]


def live_items(api_id: str) -> str:
    """The pattern of all items that matter to this API process alone."""
    return f"{api_id}.live.*"
