"""All slots of a process, lent to one thread each, once a jail has proved its walls and shown its speed."""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from . import cgroup
from .binary import find_nsjail
from .builds import Builds
from .calibration import measure
from .errors import SandboxError, SandboxUnavailableError
from .figures import Ledger, PoolFigures
from .flavours import installed
from .isolation import Plan, plans
from .pollable_event import NEVER, PollableEvent
from .selfcheck import SelfCheck, self_check
from .slot import CLOSED, Slot, cpu_of
from .speed import REFERENCE, Speed
from .staging import prepare
from .toolchains import Found
from .waiting import go_on
from .watchdog import Watchdog

log = logging.getLogger(__name__)

_PATIENCE_SECONDS = 5.0
"""How long a closing pool lets the self-check come to its end, which takes about one."""

_LOOK_SECONDS = 0.1
"""How often who waits for a slot looks whether it is still wanted."""

_UNMEASURED = "how fast this machine is could not be measured; the log says why"


class Pool:
    """All slots of this process."""

    def __init__(
        self,
        slots_count: int,
        *,
        nsjail: Path | None = None,
        state_directory: Path | None = None,
        packages: Iterable[str] = (),
        toolchains: Mapping[str, str] | None = None,
        max_builds_bytes: int = 1 << 30,
        machine_seconds_per_reference_second: float | None = None,
    ) -> None:
        """Remember how to make slots; starts nothing.

        Args:
            slots_count: How many submissions run at a time.
            nsjail: The binary, if it is not to be searched.
            state_directory: Where to lay out what jails mount.
            packages: Distributions that programs may import; those not installed are passed over.
            toolchains: Where the tools of languages are, by language, if not to be searched; empty: left out.
            max_builds_bytes: How much of compiled programs is kept on disk.
            machine_seconds_per_reference_second: How fast the machine is, if that is not to be measured.
        """
        self.flavours = installed(packages)
        self._slots_count = slots_count
        self._nsjail = nsjail
        self._state_directory = state_directory
        self._free: queue.LifoQueue[Slot] = queue.LifoQueue()
        self._slots: list[Slot] = []
        self._ledger = Ledger()
        self._checked = threading.Event()
        self._closing = threading.Event()
        self._watchdog = Watchdog(lambda: [jail for slot in self._slots for jail in slot.jails()])
        self._preparing = threading.Thread(target=self._prepare, name="prepare-slots", daemon=True)
        self._toolchains = toolchains
        self._max_builds_bytes = max_builds_bytes
        self.languages = Found()
        """Those that programs may be written in, once it is started."""
        self.plan: Plan | None = None
        self.self_check: SelfCheck | None = None
        """How the first jail came through, once it did."""
        given = machine_seconds_per_reference_second
        self._speed = None if given is None else Speed.fixed(given)

    def start(self) -> None:
        """Find out which isolation works here and start the first jail.

        It is put to the test, and the others are warmed, in a thread aside.

        Raises:
            SandboxUnavailableError: If no jail can be started; says why for every way that was tried.
        """
        self._ledger.swept(cgroup.sweep())
        nsjail = find_nsjail(self._nsjail)
        stage = prepare(self._state_directory, self.flavours.packages, self._toolchains)
        self.languages = stage.languages
        builds = Builds(stage.directory / "builds", self._max_builds_bytes, self._ledger)

        def slot(number: int, plan: Plan) -> Slot:
            return Slot(
                number,
                nsjail,
                stage,
                plan,
                self.flavours,
                ledger=self._ledger,
                cpu=cpu_of(number, self._slots_count),
                builds=builds,
            )

        first = _first_that_starts(lambda plan: slot(0, plan))
        self.plan = first.plan
        others = (slot(number, first.plan) for number in range(1, self._slots_count))
        self._slots = [first, *others]
        if first.plan.cgroup_version is None:
            self._watchdog.start()
        self._preparing.start()

    def _prepare(self) -> None:
        """Put the first jail to the test; then lend out one slot after the other, as its plain jail is there."""
        try:
            if not (self._holds(self._slots[0]) and self._knows_speed(self._slots[0])):
                return
        finally:
            self._checked.set()
        self._free.put(self._slots[0])
        for slot in self._slots[1:]:
            self._warm(slot.program)
            self._free.put(slot)
        for slot in self._slots:
            self._warm(slot.warm_all)

    def _holds(self, slot: Slot) -> bool:
        check = self.self_check = self_check(slot)
        if not check.passed and not self._closing.is_set():
            log.error("%s %s", check.complaint, check.obstacle)
            for finding in check.failed:
                log.error("%s: %s", finding.name, finding.seen)
        return check.passed

    def _knows_speed(self, slot: Slot) -> bool:
        """Measure it while nothing else runs, unless it was given."""
        if self._speed is None:
            try:
                self._speed = measure(slot)
            except SandboxError:
                if not self._closing.is_set():
                    log.exception("how fast this machine is could not be measured")
        return self._speed is not None

    def _warm(self, start: Callable[[], object]) -> None:
        if self._closing.is_set():
            return
        try:
            start()
        except SandboxUnavailableError:
            if not self._closing.is_set():
                log.exception("a jail could not be warmed; it will be tried again when it is used")

    @property
    def level(self) -> str:
        """The walls that stand, as judgements call them; ``none`` before they are proved."""
        if self.plan is None or self.self_check is None or not self.self_check.passed:
            return "none"
        return self.plan.level

    def obstacle(self) -> str | None:
        """Why no slot is lent, in words for anybody; None if one will be, now or when it is free."""
        if self._closing.is_set():
            return CLOSED
        if not self._checked.is_set():
            return "the self-check of the sandbox has not ended yet"
        if self.self_check is None:
            return "the self-check of the sandbox broke off; the log says why"
        if self.self_check.complaint:
            return self.self_check.complaint
        return _UNMEASURED if self._speed is None else None

    def wait_until_checked(self) -> SelfCheck:
        """How the self-check came out, as soon as it ends; takes seconds.

        Raises:
            SandboxUnavailableError: If it broke off.
        """
        self._checked.wait()
        if self.self_check is None:
            raise SandboxUnavailableError(self.obstacle() or CLOSED)
        return self.self_check

    def speed(self) -> Speed:
        """How fast the machine is, as soon as that is known; takes seconds. The reference's if nothing will run."""
        self._checked.wait()
        return self._speed or REFERENCE

    @contextlib.contextmanager
    def borrow(self, interruption: PollableEvent = NEVER) -> Iterator[Slot]:
        """Wait for a free slot and lend it; its dead jails are cleared away afterwards.

        Args:
            interruption: Ends the wait, and whatever runs in the slot, by an InterruptionError.

        Raises:
            SandboxUnavailableError: If the jails of this machine do not hold what they should.
            InterruptionError: If no slot is wanted any more.
        """
        self._checked.wait()
        if obstacle := self.obstacle():
            raise SandboxUnavailableError(obstacle)
        slot = self._next_free(interruption)
        slot.interruption = interruption
        try:
            yield slot
        finally:
            slot.interruption = NEVER
            slot.drop_dead()
            self._free.put(slot)

    def _next_free(self, interruption: PollableEvent) -> Slot:
        while True:
            go_on(interruption)
            with contextlib.suppress(queue.Empty):  # whoever judges has a slot for each thread
                return self._free.get(timeout=_LOOK_SECONDS)

    def figures(self) -> PoolFigures:
        """How the pool stands."""
        return self._ledger.figures(
            level=self.level,
            slots_count=self._slots_count,
            free_slots_count=self._free.qsize(),
            jails=tuple(jail for slot in self._slots for jail in slot.figures()),
            self_check=self.self_check,
            speed=self._speed,
        )

    def close(self) -> None:
        """Kill every jail, also one that is about to start."""
        self._closing.set()
        self._watchdog.close()
        if self._preparing.ident is not None:
            self._preparing.join(_PATIENCE_SECONDS)
        for slot in self._slots:
            slot.close()
        if self._preparing.ident is not None:
            self._preparing.join()


def _first_that_starts(make_slot: Callable[[Plan], Slot]) -> Slot:
    reasons = []
    for plan in plans():
        slot = make_slot(plan)
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
