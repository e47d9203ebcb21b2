"""Who is there: what each worker says of itself every few seconds, and which API processes still live."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from evaluator_service import WIRE_VERSION
from evaluator_service.distributed import keys
from evaluator_service.distributed.link import RedisClient
from evaluator_service.engine import Languages, WorkerFigures
from sandbox.speed import Speed

BEAT_SECONDS = 1.0
"""How often everybody says that they live."""
SILENCE_SECONDS = 12.0
"""Who has not been heard of for so long does not count as living."""
_FORGET_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class WorkerCard:
    """What a worker says of itself.

    Attributes:
        name: Its own name.
        wire_version: The format it understands.
        seen_at: When it said so, seconds since 1970.
        slots_count: Submissions that it runs at a time.
        running_count: Submissions that it runs now.
        level: The walls around them.
        obstacle: Why it would judge nothing now, if it would not.
        judged_by: A name for its version, settings and tools.
        languages: The languages it has, with the version of each.
        missing: Languages it does not have, and why.
        speed: CPU seconds for each second of the reference machine, of integers and of memory; None before it is known.
    """

    name: str
    wire_version: int
    seen_at: float
    slots_count: int
    running_count: int
    level: str
    obstacle: str | None
    judged_by: str
    languages: dict[str, str]
    missing: dict[str, str]
    speed: tuple[float, float] | None

    @property
    def is_alive(self) -> bool:
        """Whether it was heard of lately."""
        return time.time() - self.seen_at <= SILENCE_SECONDS

    def figures(self) -> WorkerFigures:
        """The same, for people."""
        return WorkerFigures(
            self.name,
            self.slots_count,
            self.running_count,
            self.level,
            self.obstacle,
            max(0.0, time.time() - self.seen_at),
        )


def announce(pipeline: RedisClient, card: WorkerCard) -> None:
    """Say of oneself what ``card`` says."""
    pipeline.hset(keys.WORKERS, card.name, json.dumps(asdict(card)))


def retire(connection: RedisClient, name: str) -> None:
    """Say that a worker is no more."""
    connection.hdel(keys.WORKERS, name)


def cards(found: dict[bytes, bytes]) -> list[WorkerCard]:
    """What stands under ``keys.WORKERS``; entries of other versions that cannot be read are passed over."""
    read = []
    for content in found.values():
        try:
            fields = json.loads(content)
            fields["speed"] = tuple(fields["speed"]) if fields["speed"] else None
            read.append(WorkerCard(**fields))
        except (ValueError, TypeError, KeyError):
            continue
    return sorted(read, key=lambda card: card.name)


def forgotten(found: dict[bytes, bytes]) -> list[bytes]:
    """Names of workers that were not heard of for long, or that nobody can read."""
    known = {card.name.encode(): card for card in cards(found)}
    return [
        name
        for name in found
        if name not in known or time.time() - known[name].seen_at > _FORGET_SECONDS
    ]


class Roster:
    """The living workers, as one engine. What all requests ask of it is made once: there may be thousands of workers."""

    def __init__(self, workers: Iterable[WorkerCard] = ()) -> None:
        """Of all that are known."""
        alive = [card for card in workers if card.is_alive]
        self.workers = [card for card in alive if card.wire_version == WIRE_VERSION]
        self._strangers = sorted({card.wire_version for card in alive} - {WIRE_VERSION})
        self._slots_count = sum(card.slots_count for card in self.workers)
        self._judged_by = "+".join(sorted({card.judged_by for card in self.workers}))
        self._languages = _common_languages(self.workers)

    def obstacle(self) -> str | None:
        """Why nothing would be judged now; None if something would be."""
        if not self.workers and self._strangers:
            versions = ", ".join(map(str, self._strangers))
            return f"the workers speak wire version {versions}, and this is {WIRE_VERSION}: run the same release everywhere"
        if not self.workers:
            return "no worker is there"
        obstacles = [card.obstacle for card in self.workers]
        return None if None in obstacles else obstacles[0]

    @property
    def speaks_otherwise(self) -> bool:
        """Whether there are workers, but none of our wire version."""
        return not self.workers and bool(self._strangers)

    def slots_count(self) -> int:
        """Submissions that all of them run at a time."""
        return self._slots_count

    def running_count(self) -> int:
        """Submissions that all of them run now."""
        return sum(card.running_count for card in self.workers)

    def languages(self) -> Languages:
        """The languages that every worker has: any of them may get a submission."""
        return self._languages

    def judged_by(self) -> str:
        """A name for the versions, settings and tools of all of them."""
        return self._judged_by

    def speed(self) -> Speed | None:
        """How fast one of them is."""
        known = [card.speed for card in self.workers if card.speed is not None]
        return Speed(*known[0]) if known else None


def _common_languages(workers: Iterable[WorkerCard]) -> Languages:
    missing = {name: why for card in workers for name, why in card.missing.items()}
    versions = {name: version for card in workers for name, version in card.languages.items()}
    return Languages({name: v for name, v in versions.items() if name not in missing}, missing)
