"""Judgements kept under names, for those who ask later or ask again.

A name is claimed before work is begun under it, so that nothing is begun twice; what came of the work is kept under
the same name. ``Results`` is what every store of them promises, ``InMemoryResults`` that of a service which judges
by itself.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple, Protocol

from evaluator_service.reuse import size_bytes
from evaluator_service.schema import Judgement


class Claim(NamedTuple):
    """That work is to be done under a name.

    Attributes:
        name: What it can be asked for by.
        fingerprint: Of what is to be judged.
        turn: Told apart by it from all other claims, since a name can be dropped and claimed again.
    """

    name: str
    fingerprint: str
    turn: str

    @property
    def place(self) -> str:
        """Where what comes of it is kept; goes with the work, as its ``kept_as``."""
        return place_of(self.name, self.turn)


def place_of(name: str, turn: str) -> str:
    """Where what comes of a claim is kept."""
    return f"{name}:{turn}"


def name_and_turn(place: str) -> tuple[str, str]:
    """The two parts of a place."""
    name, _, turn = place.rpartition(":")
    return name, turn


class Kept(NamedTuple):
    """What stands under a name.

    Attributes:
        fingerprint: Of what is, or was, to be judged.
        judgement: What came of it; None while it is under way.
    """

    fingerprint: str
    judgement: Judgement | None = None


class Results(Protocol):
    """Keeps at most one judgement under a name. What is under way never expires, what is done does.

    Several processes may share it, and the one that claimed a name may be gone: only what is kept here counts.
    """

    async def claim(self, claims: Sequence[Claim]) -> list[Kept | None]:
        """Claim names, each in one step: None where that is done, else what stands there already.

        A judge error that is retryable gives way to a claim with its fingerprint: it is no final answer.
        """

    async def keep(self, place: str, judgement: Judgement) -> Judgement:
        """Keep what came of a claim, and answer what stands there then: the first wins.

        Where the claim stands no more, nothing is kept, and the answer is ``judgement`` itself.
        """

    async def wait(self, name: str, seconds: float | None = 0.0) -> Kept | None:
        """What stands under a name, once it is done or gone, or after so long; None: nothing does.

        Args:
            name: What was claimed.
            seconds: How long to wait at most; None: until it is done or gone.
        """

    async def drop(self, names: Collection[str]) -> int:
        """Forget what stands under these names, done or under way, and say of how many there was something."""


def is_final(judgement: Judgement) -> bool:
    """Whether a judgement answers its submission for good: sending it again would not help."""
    return judgement.error is None or not judgement.error.retryable


class _Pending(NamedTuple):
    claim: Claim
    ended: asyncio.Future[Kept | None]
    """What came of it, for those who wait."""


class _Done(NamedTuple):
    claim: Claim
    judgement: Judgement
    done_at: float
    size_bytes: int


class InMemoryResults:
    """Keeps judgements in this process, the newest that fit. Belongs to the event loop."""

    def __init__(
        self, max_bytes: int, keep_seconds: float, now: Callable[[], float] = time.monotonic
    ) -> None:
        """Keep at most so many bytes of judgements, none longer than ``keep_seconds``, by the clock ``now``."""
        self._max_bytes = max_bytes
        self._keep_seconds = keep_seconds
        self._now = now
        self._pending: dict[str, _Pending] = {}
        self._done: OrderedDict[str, _Done] = OrderedDict()
        self._size_bytes = 0

    async def claim(self, claims: Sequence[Claim]) -> list[Kept | None]:
        """Claim names, each in one step: None where that is done, else what stands there already."""
        self._expire()
        return [self._claim(claim) for claim in claims]

    def _claim(self, claim: Claim) -> Kept | None:
        standing = self._standing(claim.name)
        if standing is not None and not _gives_way(standing, claim):
            return standing
        self._forget(claim.name)
        ended = asyncio.get_running_loop().create_future()
        self._pending[claim.name] = _Pending(claim, ended)
        return None

    async def keep(self, place: str, judgement: Judgement) -> Judgement:
        """Keep what came of a claim, and answer what stands there then: the first wins."""
        name, _ = name_and_turn(place)
        done = self._done.get(name)
        if done is not None and done.claim.place == place:
            return done.judgement
        pending = self._pending.get(name)
        if pending is not None and pending.claim.place == place:
            del self._pending[name]
            pending.ended.set_result(Kept(pending.claim.fingerprint, judgement))
            self._put(_Done(pending.claim, judgement, self._now(), size_bytes(judgement)))
        return judgement

    def _put(self, done: _Done) -> None:
        if done.size_bytes <= self._max_bytes:  # else all others would go, and then itself
            self._done[done.claim.name] = done
            self._size_bytes += done.size_bytes
            self._expire()

    async def wait(self, name: str, seconds: float | None = 0.0) -> Kept | None:
        """What stands under a name, once it is done or gone, or after so long; None: nothing does."""
        self._expire()
        pending = self._pending.get(name)
        if pending is None or seconds == 0:
            return self._standing(name)
        await asyncio.wait([pending.ended], timeout=seconds)
        return pending.ended.result() if pending.ended.done() else Kept(pending.claim.fingerprint)

    async def drop(self, names: Collection[str]) -> int:
        """Forget what stands under these names, done or under way, and say of how many there was something."""
        self._expire()
        return sum(self._forget(name) for name in names)

    # --- one name ---------------------------------------------------------------------------------

    def _standing(self, name: str) -> Kept | None:
        if (pending := self._pending.get(name)) is not None:
            return Kept(pending.claim.fingerprint)
        if (done := self._done.get(name)) is not None:
            return Kept(done.claim.fingerprint, done.judgement)
        return None

    def _forget(self, name: str) -> bool:
        if (pending := self._pending.pop(name, None)) is not None:
            pending.ended.set_result(None)
        if (done := self._done.pop(name, None)) is not None:
            self._size_bytes -= done.size_bytes
        return pending is not None or done is not None

    def _expire(self) -> None:
        """Forget what is done and too old, and the oldest while all are too large."""
        oldest = self._now() - self._keep_seconds
        while self._done:
            name, done = next(iter(self._done.items()))
            if done.done_at > oldest and self._size_bytes <= self._max_bytes:
                return
            self._forget(name)


def _gives_way(standing: Kept, claim: Claim) -> bool:
    judgement = standing.judgement
    if judgement is None or standing.fingerprint != claim.fingerprint:
        return False
    return not is_final(judgement)
