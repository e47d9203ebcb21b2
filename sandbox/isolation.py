"""Which walls this machine lets us build, strongest first, and what each promises.

A plan is tried by starting a jail with it (``pool``); the first that works is used by every slot, and its
``level`` is what judgements report.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from . import cgroup

FIRST_OUTSIDE_ID = 100_000
"""First uid and gid that jails are mapped to; every slot takes two. Owned by nobody, usually."""

SESSION_ID = 0
TEST_ID = 2
"""Ids within a jail that has two."""

SINGLE_ID = 1000
"""Id within a jail that has one; not 0, so that executing a file never grants capabilities."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One way to isolate.

    Attributes:
        two_ids: Whether tests run under an id apart from the session's.
        cgroup_version: Control groups that bound memory and processes of a whole jail, or None.
    """

    two_ids: bool
    cgroup_version: cgroup.Version | None

    @property
    def level(self) -> str:
        """What judgements call it."""
        parts = ["nsjail"]
        if self.cgroup_version is not None:
            parts.append("cgroup")
        if not self.two_ids:
            parts.append("one-uid")
        return "+".join(parts)


def plans() -> Iterator[Plan]:
    """Plans worth trying here, strongest first."""
    version = cgroup.available()
    if can_map_other_ids():
        if version is not None:
            yield Plan(two_ids=True, cgroup_version=version)
        yield Plan(two_ids=True, cgroup_version=None)
    yield Plan(two_ids=False, cgroup_version=None)


def can_map_other_ids() -> bool:
    """Root in a user namespace that has our outside ids."""
    if os.geteuid() != 0:
        return False
    return any(first <= FIRST_OUTSIDE_ID < first + count for first, _, count in _own_uid_map())


def outside_ids(plan: Plan, slot_number: int) -> tuple[int, ...]:
    """The ids outside that a jail's own are mapped to, in the order (session, test).

    Never the machine's own root: the kernel exempts it from the limit on processes, and a fork bomb in
    the jail would be one on the machine.
    """
    own = FIRST_OUTSIDE_ID + 2 * slot_number
    if plan.two_ids:
        return own, own + 1
    return (own,) if can_map_other_ids() else (os.geteuid(),)


def _own_uid_map() -> list[tuple[int, int, int]]:
    """(first id inside, first id outside, count) of the user namespace that we are in."""
    lines = Path("/proc/self/uid_map").read_text().splitlines()
    return [(int(first), int(out), int(count)) for first, out, count in map(str.split, lines)]
