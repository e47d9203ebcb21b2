"""Slots: as many warm jails as may run at a time, lent to one thread each."""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from . import cgroup
from .binary import find_nsjail
from .errors import SandboxUnavailableError
from .flavours import BASE, Flavours, installed, module_of
from .isolation import Plan, plans
from .jail import Jail
from .model import Program, RunLimits
from .session import Session
from .staging import Stage, prepare

log = logging.getLogger(__name__)

SESSIONS_PER_JAIL_COUNT = 2_000
"""After so many submissions a jail is replaced, so that nothing can pile up in it."""


class Slot:
    """The right to run one submission, and the warm jails to do it in.

    ``program`` runs what is judged. ``tester`` runs the problem's own test code, when there is any; its
    jail is started when it is first wanted.
    """

    def __init__(
        self,
        number: int,
        nsjail: Path,
        stage: Stage,
        plan: Plan,
        flavours: Flavours = Flavours(),  # noqa: B008 - frozen
    ) -> None:
        self._number = number
        self._nsjail = nsjail
        self._stage = stage
        self._flavours = flavours
        self.plan = plan
        self._jails: dict[tuple[str, str], Jail] = {}
        self._starting: defaultdict[tuple[str, str], threading.Lock] = defaultdict(threading.Lock)
        self._closing = threading.Lock()
        self._closed = False

    def program(self, flavour: str = BASE) -> Jail:
        """The jail for programs under judgement.

        Raises:
            SandboxUnavailableError: If none can be started.
        """
        return self._warm("program", flavour)

    def tester(self, flavour: str = BASE) -> Jail:
        """The jail for test code, which never holds anything of a program's making.

        Raises:
            SandboxUnavailableError: If none can be started.
        """
        return self._warm("tester", flavour)

    def open_program(self, program: Program, limits: RunLimits) -> Session:
        """A session in the jail whose flavour suits the program.

        Raises:
            SandboxUnavailableError: If no jail can be started.
            JailDiedError: If the jail is gone.
        """
        flavour = self._flavours.choose(program.prelude + b"\n" + program.source)
        return self.program(flavour).open_session(program, limits)

    def open_tester(self, program: Program, limits: RunLimits, test_code: bytes) -> Session:
        """A session in the tester's jail whose flavour suits the test code.

        Raises:
            SandboxUnavailableError: If no jail can be started.
            JailDiedError: If the jail is gone.
        """
        flavour = self._flavours.choose(program.prelude + b"\n" + test_code)
        return self.tester(flavour).open_session(program, limits)

    def warm_all(self) -> None:
        """Start the jails that programs may want next.

        Raises:
            SandboxUnavailableError: If one cannot be started.
        """
        for flavour in self._flavours.names:
            self.program(flavour)

    def _warm(self, role: str, flavour: str) -> Jail:
        key = (role, flavour)
        with self._starting[key]:
            jail = self._jails.get(key)
            if jail is not None and jail.sessions_count < SESSIONS_PER_JAIL_COUNT and jail.settle():
                return jail
            self._discard(key)
            return self._start(key)

    def _start(self, key: tuple[str, str]) -> Jail:
        if self._keeps():
            _, flavour = key
            modules = () if flavour == BASE else (module_of(flavour),)
            jail = Jail(self._nsjail, self._stage, self.plan, self._number, modules)
            if self._keeps((key, jail)):
                return jail
            jail.kill()
        raise SandboxUnavailableError("shutting down")

    def _keeps(self, made: tuple[tuple[str, str], Jail] | None = None) -> bool:
        """Whether the slot is open; if it is, it keeps the jail that was made, to kill it when closed."""
        with self._closing:
            if made is not None and not self._closed:
                self._jails[made[0]] = made[1]
            return not self._closed

    def drop_dead(self) -> None:
        """Clear away jails that died; the next use starts new ones."""
        for key, jail in list(self._jails.items()):
            if not jail.alive:
                self._discard(key)

    def close(self) -> None:
        """Kill the slot's jails, also under a thread that uses them, and start no more."""
        with self._closing:
            self._closed = True
        for key in list(self._jails):
            self._discard(key)

    def _discard(self, key: tuple[str, str]) -> None:
        """Kill a jail; of two threads that want to, the one that takes it out does."""
        jail = self._jails.pop(key, None)
        if jail is not None:
            jail.kill()


class Pool:
    """All slots of this process."""

    def __init__(
        self,
        slots_count: int,
        *,
        nsjail: Path | None = None,
        state_directory: Path | None = None,
        packages: Iterable[str] = (),
    ) -> None:
        """Remember how to make slots; starts nothing.

        Args:
            slots_count: How many submissions run at a time.
            nsjail: The binary, if it is not to be searched.
            state_directory: Where to lay out what jails mount.
            packages: Distributions that programs may import; those not installed are passed over.
        """
        self.flavours = installed(packages)
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
        stage = prepare(self._state_directory, self.flavours.packages)
        first = _first_that_starts(nsjail, stage, self.flavours)
        self.plan = first.plan
        self._slots = [
            first,
            *(
                Slot(number, nsjail, stage, first.plan, self.flavours)
                for number in range(1, self._slots_count)
            ),
        ]
        self._free.put(first)
        self._warming.start()

    def _warm_rest(self) -> None:
        """Lend out one slot after the other as soon as its plain jail is there, then start the rest."""
        for slot in self._slots[1:]:
            self._warm(slot.program)
            self._free.put(slot)
        for slot in self._slots:
            self._warm(slot.warm_all)

    def _warm(self, start: Callable[[], object]) -> None:
        if self._closing.is_set():
            return
        try:
            start()
        except SandboxUnavailableError:
            log.exception("a jail could not be warmed; it will be tried again when it is used")

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


def _first_that_starts(nsjail: Path, stage: Stage, flavours: Flavours) -> Slot:
    reasons = []
    for plan in plans():
        slot = Slot(0, nsjail, stage, plan, flavours)
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
