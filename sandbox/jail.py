"""One jail: an nsjail process with a zygote in it, and the sessions it is asked for.

Blocking, and used by one thread at a time. Everything that goes wrong with the jail itself is a
SandboxError; what a program does is an Outcome.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import time
from pathlib import Path

from .cgroup import Cgroup
from .errors import JailDiedError, SandboxUnavailableError
from .family import children_of
from .inside.wire import (
    CONTROL_FD,
    DONE,
    READY,
    SCRATCH_BYTES,
    Header,
    send_with_descriptors,
)
from .isolation import TEST_ID, Plan
from .jailconfig import render
from .memory_files import sealed
from .model import AnyProgram, CommandProgram, Program, RunLimits
from .pollable_event import NEVER, PollableEvent
from .session import Session
from .staging import Stage

START_SECONDS = 20.0
"""A jail that is not ready by then will not be."""

END_SECONDS = 10.0
"""How long a closed session may take to be gone."""

_CONFIG_FD = 4
_OVERHEAD_BYTES = 64 << 20
"""Memory of a jail beyond its program: zygote, session, kernel bookkeeping."""


class Jail:
    """A warm jail; ``open_session`` runs one submission in it."""

    def __init__(
        self,
        nsjail: Path,
        stage: Stage,
        plan: Plan,
        slot_number: int,
        modules: tuple[str, ...] = (),
    ) -> None:
        """Start nsjail and wait until the zygote is ready.

        Raises:
            SandboxUnavailableError: If it does not get ready; carries nsjail's own words.
        """
        self.plan = plan
        self._log = os.memfd_create("nsjail-log", os.MFD_CLOEXEC)
        config = render(stage, plan, slot_number, modules).encode()
        self._control, self.pid = _spawn(nsjail, config, self._log)
        self.alive = True
        self.sessions_count = 0
        self._unsettled_count = 0
        self._cgroup_limit_bytes = 0
        self.memory_limit_bytes = 0
        self.ended_for_memory_count = 0
        try:
            self._await_ready()
            self.zygote_pid = self._find_zygote()
            self._cgroup = self._find_cgroup()
            self._base_address_space_bytes = self._measure_zygote()
        except SandboxUnavailableError:
            self.kill()
            raise

    def keep_to(self, cpu: int) -> None:
        """Have everything that starts in the jail from now on run on one CPU."""
        with contextlib.suppress(ProcessLookupError):  # a dead jail is noticed when it is used
            os.sched_setaffinity(self.zygote_pid, {cpu})

    def open_session(
        self, program: AnyProgram, limits: RunLimits, interruption: PollableEvent = NEVER
    ) -> Session:
        """Hand a program to the zygote; the session compiles it right away, and waits until an interruption.

        Raises:
            JailDiedError: If the zygote is gone.
        """
        near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        far.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        try:
            self._hand_over(far, program, limits)
            session = Session(
                self,
                near,
                limits,
                counts_memory=isinstance(program, CommandProgram),
                interruption=interruption,
            )
        except JailDiedError:
            near.close()
            raise
        finally:
            far.close()
        self.sessions_count += 1
        self._unsettled_count += 1
        return session

    def _hand_over(self, sock: socket.socket, program: AnyProgram, limits: RunLimits) -> None:
        """Send the zygote what a session needs: its socket, the sources, the figure of its CPU time."""
        if isinstance(program, CommandProgram):
            descriptors = [program.open_source(), sealed(b"")]
        else:
            descriptors = [sealed(program.source), sealed(program.prelude)]
        try:
            if self._cgroup is not None:
                self._limit_memory(self._cgroup, self._memory_of_jail(limits))
                descriptors.append(self._cgroup.open_cpu_time())
            else:
                self.memory_limit_bytes = limits.memory_bytes
            header = self._header(program, limits).pack()
            send_with_descriptors(self._control, [header], [sock.fileno(), *descriptors])
        except OSError as error:
            self.alive = False
            raise JailDiedError(f"the jail is gone: {error}{self.last_words()}") from error
        finally:
            for descriptor in descriptors:
                os.close(descriptor)

    def _limit_memory(self, cgroup: Cgroup, limit_bytes: int) -> None:
        if limit_bytes != self._cgroup_limit_bytes:
            cgroup.limit_memory(limit_bytes)
            self._cgroup_limit_bytes = limit_bytes

    def settle(self) -> bool:
        """Wait until the last session is gone; False, and the jail is dead, if it does not go.

        Asked before the next submission rather than after the last: nobody waits for cleaning up.
        """
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        while self.alive and self._unsettled_count:
            if poll.poll(END_SECONDS * 1000) and self._control.recv(16) == DONE:
                self._unsettled_count -= 1
                self.memory_limit_bytes = 0
            else:
                self.alive = False
        if self.alive and poll.poll(0):  # nothing is due: the end of a jail that died idle
            self.alive = False
        return self.alive

    def out_of_memory_kills_count(self) -> int:
        """Kills in this jail for lack of memory: the kernel's count, or without a control group the watchdog's.

        Raises:
            JailDiedError: If the group went away with the jail.
        """
        try:
            if self._cgroup is None:
                return self.ended_for_memory_count
            return self._cgroup.kills_count()
        except OSError as error:
            self.alive = False
            raise JailDiedError(f"the jail is gone: {error}{self.last_words()}") from error

    def kill(self) -> None:
        """End the jail with everything in it, and remove what nsjail leaves behind."""
        self.alive = False
        self._control.close()
        if self.pid:
            _end(self.pid)
            self.pid = 0
        if getattr(self, "_cgroup", None) is not None:
            self._cgroup.remove()  # type: ignore[union-attr]
            self._cgroup = None
        if self._log >= 0:
            os.close(self._log)
            self._log = -1

    def last_words(self) -> str:
        """What nsjail and the zygote wrote, for error messages; empty or beginning with a colon."""
        if self._log < 0:
            return ""
        text = os.pread(self._log, 1 << 16, 0).decode("utf-8", "replace")
        lines = [line for line in text.splitlines() if "no version information" not in line]
        return ": " + " | ".join(lines[-12:]) if lines else ""

    def _await_ready(self) -> None:
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        ready = poll.poll(START_SECONDS * 1000)
        if not ready or self._control.recv(16) != READY:
            what = "ended at once" if ready else f"was not ready after {START_SECONDS:g} s"
            raise SandboxUnavailableError(f"a jail {what}{self.last_words()}")

    def _header(self, program: AnyProgram, limits: RunLimits) -> Header:
        command = program.command if isinstance(program, CommandProgram) else None
        # put in place under the limit of its output; whether that was kept is seen from outside as well
        files_bytes = program.largest_file_bytes if isinstance(program, CommandProgram) else 0
        # a command may reserve far more than it uses: its memory is what it touches
        address_space = (
            limits.memory_bytes + self._base_address_space_bytes if command is None else None
        )
        return Header(
            mode=program.mode,
            entry_point=program.entry_point if isinstance(program, Program) else "",
            cpu_time_seconds=limits.cpu_time_seconds,
            wall_time_seconds=limits.wall_time_seconds,
            address_space_bytes=address_space,
            output_bytes=max(limits.output_bytes, files_bytes),
            processes_count=limits.processes_count,
            compile_time_seconds=limits.compile_time_seconds,
            test_uid=TEST_ID if self.plan.two_ids else None,
            provide_names=isinstance(program, Program) and program.provide_names,
            talks=program.talks,
            command=command,
        )

    def _memory_of_jail(self, limits: RunLimits) -> int:
        """A program's memory, and room for what it may write: output, result, scratch files."""
        return limits.memory_bytes + 3 * limits.output_bytes + 2 * SCRATCH_BYTES + _OVERHEAD_BYTES

    def _find_cgroup(self) -> Cgroup | None:
        if self.plan.cgroup_version is None:
            return None
        group = Cgroup(self.plan.cgroup_version, f"NSJAIL.{self.zygote_pid}")
        if not group.exists():
            raise SandboxUnavailableError(f"nsjail made no control group{self.last_words()}")
        try:
            group.count_cpu_time_of(self.zygote_pid)
        except OSError as error:
            raise SandboxUnavailableError(
                f"CPU time of a jail cannot be counted: {error}"
            ) from error
        return group

    def _measure_zygote(self) -> int:
        """Address space that every test starts with, in bytes."""
        pages = int(Path(f"/proc/{self.zygote_pid}/statm").read_text().split()[0])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def _find_zygote(self) -> int:
        children = children_of(self.pid)
        if not children:
            raise SandboxUnavailableError(f"a jail ended at once{self.last_words()}")
        return children[0]


def _spawn(nsjail: Path, config: bytes, log: int) -> tuple[socket.socket, int]:
    """Start nsjail with its configuration and our control socket; returns (our end, its pid)."""
    near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    near.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
    policy = sealed(config)
    null = os.open(os.devnull, os.O_RDWR)
    actions = [
        (os.POSIX_SPAWN_DUP2, null, 0),
        (os.POSIX_SPAWN_DUP2, null, 1),
        (os.POSIX_SPAWN_DUP2, log, 2),
        # far above 3 and 4 first: either number may be the other's source
        (os.POSIX_SPAWN_DUP2, far.fileno(), 200),
        (os.POSIX_SPAWN_DUP2, policy, 201),
        (os.POSIX_SPAWN_DUP2, 200, CONTROL_FD),
        (os.POSIX_SPAWN_DUP2, 201, _CONFIG_FD),
        (os.POSIX_SPAWN_CLOSE, 200),
        (os.POSIX_SPAWN_CLOSE, 201),
    ]
    try:
        arguments = [str(nsjail), "--config", f"/proc/self/fd/{_CONFIG_FD}"]
        pid = os.posix_spawn(nsjail, arguments, {}, file_actions=actions)
    except OSError as error:
        near.close()
        raise SandboxUnavailableError(f"cannot start {nsjail}: {error}") from error
    finally:
        far.close()
        os.close(policy)
        os.close(null)
    return near, pid


def _end(pid: int) -> None:
    """Kill nsjail's children, then nsjail: killed first, it would leave its control groups behind."""
    for child in children_of(pid):
        _kill(child)
    deadline = time.monotonic() + 2.0
    while time.monotonic() < deadline:
        if os.waitpid(pid, os.WNOHANG)[0]:
            return
        time.sleep(0.005)
    _kill(pid)
    os.waitpid(pid, 0)


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
