"""What an operator wants to know of a pool: how it stands, and counts that only grow."""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .selfcheck import SelfCheck
    from .speed import Speed


class JailEnd(StrEnum):
    """Why a jail is no more."""

    RECYCLED = "recycled"
    """It had served as many submissions as a jail may."""
    DIED = "died"
    """It ended or fell silent, whoever was at fault, and what was left of it was killed."""
    CLOSED = "closed"
    """The pool was closed."""
    START_FAILED = "start_failed"
    """It never came to serve."""


class BuildEnd(StrEnum):
    """What came of asking for a build."""

    REUSED = "reused"
    """It had been made before."""
    MADE = "made"
    """It was compiled."""
    FAILED = "failed"
    """It does not compile."""


@dataclass(frozen=True, slots=True)
class JailFigures:
    """A living jail.

    Attributes:
        slot_number: Whose it is, from 0.
        role: ``program`` or ``tester``.
        flavour: What it has imported ahead.
        sessions_count: Submissions it has served so far.
    """

    slot_number: int
    role: str
    flavour: str
    sessions_count: int


@dataclass(frozen=True, slots=True)
class PoolFigures:
    """A pool at one moment; what started, ended and was swept is counted since its start.

    Attributes:
        level: The walls that stand, ``none`` before they are proved.
        slots_count: Submissions that may run at a time.
        free_slots_count: Slots that could be lent now.
        jails: The living ones.
        started_jails_count: Jails that came to serve, by flavour.
        start_seconds: Time that starting them took, a sum by flavour.
        ended_jails_count: By reason.
        ended_sessions_count: Sessions that were run in jails that have ended since.
        swept_cgroups_count: Control groups removed that killed services had left behind.
        builds_count: Builds that were asked for, by what came of it.
        self_check: How the first jail was proved, once it was.
        speed: How fast the machine is, once that is known.
    """

    level: str
    slots_count: int
    free_slots_count: int
    jails: tuple[JailFigures, ...]
    started_jails_count: Mapping[str, int]
    start_seconds: Mapping[str, float]
    ended_jails_count: Mapping[JailEnd, int]
    ended_sessions_count: int
    swept_cgroups_count: int
    builds_count: Mapping[BuildEnd, int]
    self_check: SelfCheck | None
    speed: Speed | None

    @property
    def sessions_count(self) -> int:
        """Sessions that were opened, in living jails and in those that have ended."""
        return self.ended_sessions_count + sum(jail.sessions_count for jail in self.jails)


class Ledger:
    """The counts of one pool, kept by the threads of all its slots."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._started: Counter[str] = Counter()
        self._start_seconds: defaultdict[str, float] = defaultdict(float)
        self._ended: Counter[JailEnd] = Counter()
        self._ended_sessions_count = 0
        self._swept_cgroups_count = 0
        self._builds: Counter[BuildEnd] = Counter()

    def started(self, flavour: str, seconds: float) -> None:
        """A jail came to serve, after so long."""
        with self._lock:
            self._started[flavour] += 1
            self._start_seconds[flavour] += seconds

    def ended(self, end: JailEnd, sessions_count: int = 0) -> None:
        """A jail is no more, after so many sessions."""
        with self._lock:
            self._ended[end] += 1
            self._ended_sessions_count += sessions_count

    def swept(self, cgroups_count: int) -> None:
        """So many control groups were removed that nobody was in any more."""
        with self._lock:
            self._swept_cgroups_count += cgroups_count

    def built(self, end: BuildEnd) -> None:
        """A build was asked for."""
        with self._lock:
            self._builds[end] += 1

    def figures(
        self,
        *,
        level: str,
        slots_count: int,
        free_slots_count: int,
        jails: tuple[JailFigures, ...],
        self_check: SelfCheck | None,
        speed: Speed | None = None,
    ) -> PoolFigures:
        """The counts, beside how things stand."""
        with self._lock:
            return PoolFigures(
                level=level,
                slots_count=slots_count,
                free_slots_count=free_slots_count,
                jails=jails,
                started_jails_count=dict(self._started),
                start_seconds=dict(self._start_seconds),
                ended_jails_count={end: self._ended[end] for end in JailEnd},
                ended_sessions_count=self._ended_sessions_count,
                swept_cgroups_count=self._swept_cgroups_count,
                builds_count={end: self._builds[end] for end in BuildEnd},
                self_check=self_check,
                speed=speed,
            )
