"""A session: pid 1 of a fresh pid namespace, for one submission; forks, watches, reaps and reports.

It runs no user code and reads none: not the source, not the inputs, not what a test wrote, whose sizes
are all it looks at. After each process it kills everything its namespace holds and puts clean scratch
directories in place.
"""

from __future__ import annotations

import _socket
import contextlib
import os
import select
import time
from typing import Any

from . import child, command_modes, kernel, program
from .channel import Channel
from .cpu import CpuMeter, clock_of
from .guard import prove_jailed
from .launcher import Launcher
from .outputs import Outputs
from .reaping import kill_everything, let_go_on, reap, stop_everything
from .scratch import Scratch
from .surroundings import Surroundings
from .wire import (
    COMPILED,
    IDLE_GRACE_SECONDS,
    RUN,
    RUN_FIRST,
    RUN_TOGETHER,
    STDERR_TAIL_BYTES,
    Header,
    Kind,
    Mode,
    Reason,
    Record,
    send_with_descriptors,
)

_SHORTEST_PAUSE_SECONDS = 0.002
_COMPILED_BYTES = 64 << 20
_SMALL_SOURCE_BYTES = 64 << 10
"""Compiling more may leave a mark on the memory of its process, which then runs no test."""

_MODES_WITH_RESULT = frozenset(
    {Mode.CALL, Mode.TEST, Mode.BESIDE, Mode.LOWER, Mode.BUILD, Mode.CHECK, Mode.INTERACT}
)


class Session:
    """Serves one submission over ``sock`` until the outside closes it."""

    def __init__(
        self,
        header: Header,
        sock: _socket.socket,
        filter_: kernel.SeccompFilter,
        hooks: list[dict[str, Any]],
        scratch: Scratch,
        surroundings: Surroundings,
        cpu_file: int | None = None,
    ) -> None:
        self._header = header
        self._outside = Channel(sock, header.descriptors_per_test)
        self._task = child.Task(header, hooks, surroundings)
        self._tests = child.Confinement(
            header, filter_, header.cpu_time_seconds, header.output_bytes
        )
        self._compiler = child.Confinement(
            header, filter_, header.compile_time_seconds, _COMPILED_BYTES, self._tests
        )
        self._cpu = CpuMeter(cpu_file)
        command = header.command
        self._launcher = (
            Launcher(command, self._tests)
            if command is not None
            and header.mode == Mode.COMMAND
            and command.is_executable
            and Launcher.is_there()
            else None
        )
        self._scratch = scratch
        self._outputs = Outputs()
        self._code = os.memfd_create("code")
        self._index = 0
        self._offering: tuple[int, _socket.socket] | None = None

    def serve(self, source: int, prelude: int) -> None:
        """Compile, then run tests as they are asked for."""
        prove_jailed()
        if self._header.command is not None:
            self._code = source
        elif not self._compile(source, prelude):
            return
        while True:
            self._test(*self._outside.next())
            self._index += 1

    # --- one process ------------------------------------------------------------------------------

    def _compile(self, source: int, prelude: int) -> bool:
        """Compile in a child; reports, and says whether there is something to run."""
        null = os.open("/dev/null", os.O_RDONLY)
        offer, its_offer = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
        out = self._outputs
        given = [null, out.stdout, out.stderr, out.result, self._code, source, prelude]

        def task() -> int:
            self._compiler.enter(given, its_offer.fileno())
            loaded = program.compile_sources(source_fd=5, prelude_fd=6, code_fd=4, report_fd=3)
            if loaded is None:
                return program.COMPILE_FAILED_EXIT_CODE
            small = os.fstat(5).st_size + os.fstat(6).st_size <= _SMALL_SOURCE_BYTES
            kind = self._task.offer(COMPILED, self._tests) if small else b""
            return self._task.run(kind, loaded) if kind else 0

        pid = self._fork(task)
        its_offer.close()
        record = self._watch_compiler(pid, offer)
        for descriptor in (null, source, prelude):
            os.close(descriptor)
        self._report(record)
        self._outputs.renew()
        self._scratch.clean()
        self._outside.flush()
        return record.reason == Reason.BY_ITSELF and record.status == 0

    def _test(self, kind: bytes, descriptors: list[int]) -> None:
        with_result = kind == RUN_TOGETHER or self._header.mode in _MODES_WITH_RESULT
        out = self._outputs
        given_input, *others = descriptors
        stdout = others.pop() if self._header.talks else out.stdout
        result = [out.result] if with_result else []
        given = [given_input, stdout, out.stderr, *result, *others]

        def task() -> int:
            self._tests.enter([*given, self._code])
            if self._header.command is not None:
                return command_modes.run(self._header, self._header.command, len(given))
            loaded = program.load(len(given))
            os.close(len(given))
            return self._task.run(RUN if kind == RUN_FIRST else kind, loaded)

        if self._launcher is not None:
            pid, offer = self._launch(self._launcher, given), None
        else:
            pid, offer = self._hand_over(kind, given) or (self._fork(task), None)
        self._outside.flush()  # now that the next test is under way: the outside reads while it runs
        for descriptor in descriptors:
            os.close(descriptor)
        self._watch_test(pid, offer)

    def _fork(self, task: Any) -> int:
        self._cpu.start()
        pid = os.fork()
        if pid == 0:
            child.leave_with(task)
        return pid

    def _launch(self, launcher: Launcher, given: list[int]) -> int:
        self._cpu.start()
        return launcher.start(given, self._code)

    def _hand_over(
        self, kind: bytes, descriptors: list[int]
    ) -> tuple[int, _socket.socket | None] | None:
        """Give a test to the process that offered to run it, if there is one.

        Returns:
            Its pid, and through what it may offer to run more.
        """
        if self._offering is None:
            return None
        (pid, offer), self._offering = self._offering, None
        self._cpu.start(pid)
        # killed meanwhile, it cannot take them: its status will tell
        with contextlib.suppress(ConnectionError):
            send_with_descriptors(offer, [kind], descriptors)
        if kind == RUN_FIRST:
            return pid, offer
        offer.close()
        return pid, None

    # --- watching ---------------------------------------------------------------------------------

    def _watch_compiler(self, pid: int, offer: _socket.socket) -> Record:
        """Wait until it ends, or has compiled and offers to go on."""
        started, limit = time.monotonic(), self._header.compile_time_seconds
        reason = self._wait(pid, limit, started, offer)
        if reason != Reason.GOES_ON:
            offer.close()
            return self._end(Kind.COMPILED, pid, limit, reason, started)
        self._offering = pid, offer
        return self._record(Kind.COMPILED, Reason.BY_ITSELF, 0, clock_of(pid), 0, started)

    def _watch_test(self, pid: int, offer: _socket.socket | None) -> None:
        """Wait until it ends or must end, and report; or let it go on with others, if it offers to."""
        started, limit = time.monotonic(), self._header.cpu_time_seconds
        reason = self._wait(pid, limit, started, offer)
        if reason == Reason.GOES_ON and offer is not None and self._goes_on(pid, offer, started):
            return
        if offer is not None:
            offer.close()
        record = self._end(Kind.RAN, pid, limit, reason, started)
        if reason == Reason.GOES_ON:  # it had come to a good end; what it was killed with is ours
            record = record._replace(reason=Reason.BY_ITSELF, status=0)
        self._report(record)
        self._outputs.renew()
        self._scratch.clean()

    def _goes_on(self, pid: int, offer: _socket.socket, started: float) -> bool:
        """Report what a process has come to that would run other tests; if there are any, let it run them."""
        stop_everything(pid)  # else it could work on while the outside looks at its output
        used_seconds = self._cpu.used_by_one_seconds(pid)
        self._report(self._record(Kind.RAN, Reason.GOES_ON, 0, used_seconds, 0, started))
        kind, descriptors = self._outside.next()
        if kind != RUN_TOGETHER:
            return False
        self._outputs.renew()
        self._offering = pid, offer
        let_go_on()
        self._test(kind, descriptors)
        return True

    def _end(
        self, kind: Kind, pid: int, cpu_limit_seconds: float, reason: Reason, started: float
    ) -> Record:
        kill_everything()
        status, reaped_seconds, peak = reap(pid)
        cpu_seconds = self._cpu.total_seconds(reaped_seconds)
        if reason == Reason.BY_ITSELF and cpu_seconds > cpu_limit_seconds:
            reason = Reason.CPU_LIMIT
        return self._record(kind, reason, status, cpu_seconds, peak, started)

    def _record(
        self, kind: Kind, reason: Reason, status: int, cpu_seconds: float, peak: int, started: float
    ) -> Record:
        stdout_bytes, stderr_bytes, result_bytes = self._outputs.sizes()
        return Record(
            kind=kind,
            test_index=self._index,
            reason=reason,
            status=status,
            cpu_time_seconds=cpu_seconds,
            wall_time_seconds=time.monotonic() - started,
            peak_rss_kilobytes=peak,
            stdout_bytes=stdout_bytes,
            stderr_bytes=min(stderr_bytes, STDERR_TAIL_BYTES),
            result_bytes=result_bytes,
            stderr_cut=int(stderr_bytes > STDERR_TAIL_BYTES),
        )

    def _wait(
        self,
        pid: int,
        cpu_limit_seconds: float,
        started: float,
        offer: _socket.socket | None = None,
    ) -> Reason:
        """Look at the CPU clock when it could at the earliest have reached the limit.

        Returns:
            Why the process ended or has to; GOES_ON if it sent something through ``offer``.
        """
        pidfd = os.pidfd_open(pid)
        poll = select.poll()
        poll.register(pidfd, select.POLLIN)
        poll.register(self._outside, select.POLLIN)
        if offer is not None:
            poll.register(offer, select.POLLIN)
        look = min(cpu_limit_seconds + IDLE_GRACE_SECONDS, self._header.wall_time_seconds)
        pause = min(cpu_limit_seconds, look)
        try:
            while True:
                ready = [fd for fd, _ in poll.poll(max(1.0, pause * 1000))]
                if pidfd in ready:
                    return Reason.BY_ITSELF
                if offer is not None and offer.fileno() in ready:
                    if offer.recv(len(COMPILED)):
                        return Reason.GOES_ON
                    poll.unregister(offer)  # the process is ending
                    offer = None
                if self._outside.fileno() in ready:
                    self._outside.receive()
                used = self._cpu.used_seconds(pid)
                if used >= cpu_limit_seconds:
                    return Reason.CPU_LIMIT
                elapsed = time.monotonic() - started
                if elapsed >= look:
                    reason, more_seconds = self._outside.ask(self._index, used, elapsed)
                    if reason != Reason.BY_ITSELF:
                        return reason
                    look = elapsed + more_seconds
                pause = max(_SHORTEST_PAUSE_SECONDS, min(cpu_limit_seconds - used, look - elapsed))
        finally:
            os.close(pidfd)

    # --- reporting --------------------------------------------------------------------------------

    def _report(self, record: Record) -> None:
        self._outside.report(record, *self._outputs.read(record))
