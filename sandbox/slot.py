"""A slot: the right to run one submission at a time, and the warm jails to do it in."""

from __future__ import annotations

import os
import threading
import time
from collections import defaultdict
from pathlib import Path

from . import cgroup
from .builds import Build, Builds, Sources
from .errors import SandboxUnavailableError
from .figures import JailEnd, JailFigures, Ledger
from .flavours import BASE, Flavours, module_of
from .isolation import Plan
from .jail import Jail
from .model import AnyProgram, CommandProgram, Program, RunLimits
from .pollable_event import NEVER
from .session import Session
from .staging import Stage
from .toolchains import Found, Toolchain, ToolchainMissingError

SESSIONS_PER_JAIL_COUNT = 2_000
"""After so many submissions a jail is replaced, so that nothing can pile up in it."""

CLOSED = "shutting down"
"""What stands in the way of whoever asks for a jail too late."""


def cpu_of(slot_number: int, slots_count: int) -> int | None:
    """The CPU that a slot keeps to; None, for any, unless all CPUs of this process get equally many slots.

    A session and its tests take turns: moving them from CPU to CPU costs a fifth of their throughput. Where CPUs
    are shared unevenly, the kernel knows better where there is room.
    """
    cpus = sorted(os.sched_getaffinity(0))
    return None if slots_count % len(cpus) else cpus[slot_number % len(cpus)]


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
        *,
        ledger: Ledger | None = None,
        cpu: int | None = None,
        builds: Builds | None = None,
    ) -> None:
        self._number = number
        self._cpu = cpu
        self._nsjail = nsjail
        self._stage = stage
        self._flavours = flavours
        self._ledger = ledger or Ledger()
        self._builds = builds or Builds(stage.directory / "builds", 0)
        self.plan = plan
        self.interruption = NEVER
        """Ends what runs for whoever has borrowed the slot."""
        self._jails: dict[tuple[str, str], Jail] = {}
        self._starting: defaultdict[tuple[str, str], threading.Lock] = defaultdict(threading.Lock)
        self._closing = threading.Lock()
        self._closed = False

    @property
    def mounted(self) -> tuple[str, ...]:
        """Where in its jails something of the machine's is mounted."""
        return tuple(target for _, target in self._stage.binds)

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

    def open_program(self, program: AnyProgram, limits: RunLimits) -> Session:
        """A session in the jail whose flavour suits the program.

        Raises:
            SandboxUnavailableError: If no jail can be started.
            JailDiedError: If the jail is gone.
        """
        flavour = BASE
        if isinstance(program, Program):
            flavour = self._flavours.choose(program.prelude + b"\n" + program.source)
        return self.program(flavour).open_session(program, limits, self.interruption)

    def open_tester(self, program: Program, limits: RunLimits, test_code: bytes) -> Session:
        """A session in the tester's jail whose flavour suits the test code.

        Raises:
            SandboxUnavailableError: If no jail can be started.
            JailDiedError: If the jail is gone.
        """
        flavour = self._flavours.choose(program.prelude + b"\n" + test_code)
        return self.tester(flavour).open_session(program, limits, self.interruption)

    def open_tester_command(self, program: CommandProgram, limits: RunLimits) -> Session:
        """A session of a problem's own command in the tester's jail.

        Raises:
            SandboxUnavailableError: If no jail can be started.
            JailDiedError: If the jail is gone.
        """
        return self.tester().open_session(program, limits, self.interruption)

    @property
    def languages(self) -> Found:
        """The languages that its jails have."""
        return self._stage.languages

    def toolchain(self, language: str) -> Toolchain:
        """The toolchain of a language.

        Raises:
            ToolchainMissingError: If it is not here; says why.
        """
        found = self._stage.languages
        if language not in found.toolchains:
            raise ToolchainMissingError(found.missing.get(language, "no such language"))
        return found.toolchains[language]

    def build(self, toolchain: Toolchain, sources: Sources, limits: RunLimits) -> Build:
        """Compile sources in the jail where programs run, unless that has been done before.

        Raises:
            StarvedError: If the machine did not let the compiler run.
            SandboxUnavailableError: If no jail can be started.
            JailDiedError: If the jail did not survive it.
            InterruptionError: If it is not wanted any more.
        """
        return self._builds.get(toolchain, sources, limits, self.open_program, self.interruption)

    def build_for_tests(self, toolchain: Toolchain, sources: Sources, limits: RunLimits) -> Build:
        """As ``build``, in the jail of the problem's own programs."""
        opens = self.open_tester_command
        return self._builds.get(toolchain, sources, limits, opens, self.interruption)

    def warm_all(self) -> None:
        """Start the jails that programs may want next; those that are there may be at work.

        Raises:
            SandboxUnavailableError: If one cannot be started.
        """
        for flavour in self._flavours.names:
            key = ("program", flavour)
            with self._starting[key]:
                if key not in self._jails:
                    self._start(key)

    def _warm(self, role: str, flavour: str) -> Jail:
        key = (role, flavour)
        with self._starting[key]:
            jail = self._jails.get(key)
            if jail is None:
                return self._start(key)
            if not jail.settle():
                self._discard(key, JailEnd.DIED)
            elif jail.sessions_count >= SESSIONS_PER_JAIL_COUNT:
                self._discard(key, JailEnd.RECYCLED)
            else:
                return jail
            return self._start(key)

    def _start(self, key: tuple[str, str]) -> Jail:
        if self._keeps():
            jail = self._started(key)
            if self._keeps((key, jail)):
                return jail
            self._end(jail, JailEnd.CLOSED)
        raise SandboxUnavailableError(CLOSED)

    def _started(self, key: tuple[str, str]) -> Jail:
        _, flavour = key
        modules = () if flavour == BASE else (module_of(flavour),)
        began = time.monotonic()
        try:
            jail = Jail(self._nsjail, self._stage, self.plan, self._number, modules)
        except SandboxUnavailableError:
            self._ledger.ended(JailEnd.START_FAILED)
            self._ledger.swept(cgroup.sweep())  # what nsjail left, killed before it was known
            raise
        self._ledger.started(flavour, time.monotonic() - began)
        if self._cpu is not None:
            jail.keep_to(self._cpu)
        return jail

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
                self._discard(key, JailEnd.DIED)

    def close(self) -> None:
        """Kill the slot's jails, also under a thread that uses them, and start no more."""
        with self._closing:
            self._closed = True
        for key in list(self._jails):
            self._discard(key, JailEnd.CLOSED)

    def jails(self) -> list[Jail]:
        """The slot's jails at this moment."""
        return list(self._jails.values())

    def figures(self) -> tuple[JailFigures, ...]:
        """The slot's living jails."""
        return tuple(
            JailFigures(self._number, role, flavour, jail.sessions_count)
            for (role, flavour), jail in list(self._jails.items())
        )

    def _discard(self, key: tuple[str, str], end: JailEnd) -> None:
        """Kill a jail; of two threads that want to, the one that takes it out does."""
        jail = self._jails.pop(key, None)
        if jail is not None:
            self._end(jail, end)

    def _end(self, jail: Jail, end: JailEnd) -> None:
        jail.kill()
        self._ledger.ended(end, jail.sessions_count)
