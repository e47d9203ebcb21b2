"""Slots: as many warm jails as may run at a time, lent to one thread each."""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
from collections.abc import Iterator
from pathlib import Path

from . import cgroup
from .binary import find_nsjail
from .errors import SandboxUnavailableError
from .isolation import Plan, plans
from .jail import Jail
from .staging import Stage, prepare

log = logging.getLogger(__name__)

SESSIONS_PER_JAIL_COUNT = 2_000
"""After so many submissions a jail is replaced, so that nothing can pile up in it."""


class Slot:
    """The right to run one submission, and the warm jails to do it in.

    ``program`` runs what is judged. ``tester`` runs the problem's own test code, when there is any; its
    jail is started when it is first wanted.
    """

    def __init__(self, number: int, nsjail: Path, stage: Stage, plan: Plan) -> None:
        self._number = number
        self._nsjail = nsjail
        self._stage = stage
        self.plan = plan
        self._jails: dict[str, Jail] = {}
        self._changing = threading.Lock()
        self._closed = False

    def program(self) -> Jail:
        """The jail for programs under judgement.

        Raises:
            SandboxUnavailableError: If none can be started.
        """
        return self._warm("program")

    def tester(self) -> Jail:
        """The jail for test code, which never holds anything of a program's making.

        Raises:
            SandboxUnavailableError: If none can be started.
        """
        return self._warm("tester")

    def _warm(self, role: str) -> Jail:
        with self._changing:
            if self._closed:
                raise SandboxUnavailableError("shutting down")
            jail = self._jails.get(role)
            if jail is not None and jail.sessions_count < SESSIONS_PER_JAIL_COUNT and jail.settle():
                return jail
            if jail is not None:
                self._jails.pop(role).kill()
            self._jails[role] = jail = Jail(self._nsjail, self._stage, self.plan, self._number)
            return jail

    def drop_dead(self) -> None:
        """Clear away jails that died; the next use starts new ones."""
        with self._changing:
            for role in [role for role, jail in self._jails.items() if not jail.alive]:
                self._jails.pop(role).kill()

    def close(self) -> None:
        """Kill the slot's jails, also under a thread that uses them, and start no more."""
        with self._changing:
            self._closed = True
            for jail in self._jails.values():
                jail.kill()
            self._jails.clear()


class Pool:
    """All slots of this process."""

    def __init__(
        self, slots_count: int, *, nsjail: Path | None = None, state_directory: Path | None = None
    ) -> None:
        """Remember how to make slots; starts nothing.

        Args:
            slots_count: How many submissions run at a time.
            nsjail: The binary, if it is not to be searched.
            state_directory: Where to lay out what jails mount.
        """
        self._slots_count = slots_count
        self._nsjail = nsjail
        self._state_directory = state_directory
        self._free: queue.LifoQueue[Slot] = queue.LifoQueue()
        self._slots: list[Slot] = []
        self._closing = threading.Event()
        self._warming = threading.Thread(target=self._warm_rest, name="warm-slots", daemon=True)
        self.plan: Plan | None = None

    def start(self) -> None:
        """Find out which isolation works here and start the first jail; the others warm up aside.

        Raises:
            SandboxUnavailableError: If no jail can be started; says why for every way that was tried.
        """
        cgroup.sweep()
        nsjail = find_nsjail(self._nsjail)
        stage = prepare(self._state_directory)
        first = _first_that_starts(nsjail, stage)
        self.plan = first.plan
        self._slots = [
            first,
            *(Slot(number, nsjail, stage, first.plan) for number in range(1, self._slots_count)),
        ]
        self._free.put(first)
        self._warming.start()

    def _warm_rest(self) -> None:
        for slot in self._slots[1:]:
            if self._closing.is_set():
                return
            try:
                slot.program()
            except SandboxUnavailableError:
                log.exception("a slot could not be warmed; it will be tried again when it is used")
            self._free.put(slot)

    @contextlib.contextmanager
    def borrow(self) -> Iterator[Slot]:
        """Wait for a free slot and lend it; its dead jails are cleared away afterwards."""
        slot = self._free.get()
        try:
            yield slot
        finally:
            slot.drop_dead()
            self._free.put(slot)

    def close(self) -> None:
        """Kill every jail, also one that is about to start."""
        self._closing.set()
        if self._warming.ident is not None:
            self._warming.join()
        for slot in self._slots:
            slot.close()


def _first_that_starts(nsjail: Path, stage: Stage) -> Slot:
    reasons = []
    for plan in plans():
        slot = Slot(0, nsjail, stage, plan)
        try:
            slot.program()
        except SandboxUnavailableError as error:
            log.warning("isolation %s does not work here: %s", plan.level, error)
            reasons.append(f"{plan.level}: {error}")
        else:
            return slot
    raise SandboxUnavailableError(
        "no jail can be started on this machine; `microcoder doctor` explains. "
        + "; ".join(reasons)
    )
