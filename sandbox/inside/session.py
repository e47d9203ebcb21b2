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

from . import child, kernel, program
from .cpu import CpuMeter, clock_of
from .guard import prove_jailed
from .reaping import kill_everything, reap
from .scratch import Scratch
from .wire import (
    ANSWER,
    COMPILED,
    DESCRIPTORS_PER_TEST,
    IDLE_GRACE_SECONDS,
    INLINE_BYTES,
    RECORD,
    RUN,
    RUN_TOGETHER,
    STDERR_TAIL_BYTES,
    Header,
    Kind,
    Mode,
    Reason,
    Record,
    receive_with_descriptors,
    send_with_descriptors,
)

_SHORTEST_PAUSE_SECONDS = 0.002
_COMPILED_BYTES = 64 << 20
_SMALL_SOURCE_BYTES = 64 << 10
"""Compiling more may leave a mark on the memory of its process, which then runs no test."""

_MODES_WITH_RESULT = frozenset({Mode.CALL, Mode.TEST, Mode.BESIDE, Mode.LOWER})


class OutsideGoneError(Exception):
    """The outside closed the session: it wants no more results."""


class Session:
    """Serves one submission over ``sock`` until the outside closes it."""

    def __init__(
        self,
        header: Header,
        sock: _socket.socket,
        filter_: kernel.SeccompFilter,
        hooks: list[dict[str, Any]],
        scratch: Scratch,
        cpu_file: int | None = None,
    ) -> None:
        self._header = header
        self._sock = sock
        self._runners = {
            RUN: child.task_of(header, hooks),
            RUN_TOGETHER: child.task_of(header, hooks, shared=True),
        }
        self._tests = child.Confinement(
            header, filter_, header.cpu_time_seconds, header.output_bytes
        )
        self._compiler = child.Confinement(
            header, filter_, header.compile_time_seconds, _COMPILED_BYTES
        )
        self._cpu = CpuMeter(cpu_file)
        self._scratch = scratch
        self._open_outputs()
        self._code = os.memfd_create("code")
        self._waiting: list[int] = []
        self._shared: set[int] = set()
        self._unsent: tuple[list[bytes], list[int]] | None = None
        self._index = 0
        self._compiler_waits: tuple[int, _socket.socket] | None = None

    def serve(self, source: int, prelude: int) -> None:
        """Compile, then run tests as they are asked for."""
        prove_jailed()
        if not self._compile(source, prelude):
            return
        per_test = DESCRIPTORS_PER_TEST.get(Mode(self._header.mode), 1)
        while True:
            while len(self._waiting) < per_test:
                self._flush()
                self._receive()
            descriptors, self._waiting = self._waiting[:per_test], self._waiting[per_test:]
            self._test(descriptors)
            self._index += 1

    def _open_outputs(self) -> None:
        """New files for every process: attributes, locks and flags put on old ones would reach the next."""
        self._stdout = os.memfd_create("stdout")
        self._stderr = os.memfd_create("stderr")
        self._result = os.memfd_create("result")

    def _receive(self) -> bytes:
        try:
            message, descriptors = receive_with_descriptors(self._sock)
        except ConnectionError as error:
            raise OutsideGoneError from error
        if not message:
            raise OutsideGoneError
        self._waiting += descriptors
        if message == RUN_TOGETHER:
            self._shared.update(descriptors)
        return message

    # --- one process ------------------------------------------------------------------------------

    def _compile(self, source: int, prelude: int) -> bool:
        """Compile in a child; reports, and says whether there is something to run."""
        null = os.open("/dev/null", os.O_RDONLY)
        offer, its_offer = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
        given = [null, self._stdout, self._stderr, self._result, self._code, source, prelude]
        given.append(its_offer.fileno())

        def task() -> int:
            self._compiler.enter(given)
            loaded = program.compile_sources(source_fd=5, prelude_fd=6, code_fd=4, report_fd=3)
            if loaded is None:
                return program.COMPILE_FAILED_EXIT_CODE
            small = os.fstat(5).st_size + os.fstat(6).st_size <= _SMALL_SOURCE_BYTES
            return self._go_on(loaded, offer_fd=7) if small else 0

        pid = self._fork(task)
        its_offer.close()
        record = self._watch_compiler(pid, offer)
        for descriptor in (null, source, prelude):
            os.close(descriptor)
        self._report(record)
        self._flush()
        return record.reason == Reason.BY_ITSELF and record.status == 0

    def _go_on(self, loaded: program.Loaded, offer_fd: int) -> int:
        """In the child that compiled: offer to run the first test, which saves a fork; then run it."""
        offer = _socket.socket(fileno=offer_fd)
        offer.send(COMPILED)
        kind, descriptors = receive_with_descriptors(offer, len(RUN))
        offer.detach()  # its number may soon be the program's
        if not kind:
            return 0
        self._tests.take_over(descriptors)
        return self._runners[kind](loaded)

    def _test(self, descriptors: list[int]) -> None:
        kind = RUN_TOGETHER if descriptors[0] in self._shared else RUN
        with_result = kind == RUN_TOGETHER or self._header.mode in _MODES_WITH_RESULT
        result = [self._result] if with_result else []
        given = [descriptors[0], self._stdout, self._stderr, *result, *descriptors[1:]]
        limit = self._header.cpu_time_seconds

        def task() -> int:
            self._tests.enter([*given, self._code])
            loaded = program.load(len(given))
            os.close(len(given))
            return self._runners[kind](loaded)

        pid = self._fork(task) if self._compiler_waits is None else self._hand_over(kind, given)
        self._flush()  # now that the next test is under way: the outside reads while it runs
        for descriptor in descriptors:
            os.close(descriptor)
        self._shared.difference_update(descriptors)
        self._report(self._watch(Kind.RAN, pid, limit))

    def _fork(self, task: Any) -> int:
        self._cpu.start()
        pid = os.fork()
        if pid == 0:
            child.leave_with(task)
        return pid

    def _hand_over(self, kind: bytes, descriptors: list[int]) -> int:
        """Give the first test to the child that compiled; returns its pid."""
        assert self._compiler_waits is not None
        (pid, offer), self._compiler_waits = self._compiler_waits, None
        self._cpu.start(pid)
        # killed meanwhile, it cannot take them: its status will tell
        with contextlib.suppress(ConnectionError):
            send_with_descriptors(offer, [kind], descriptors)
        offer.close()
        return pid

    # --- watching ---------------------------------------------------------------------------------

    def _watch_compiler(self, pid: int, offer: _socket.socket) -> Record:
        """Wait until it ends, or has compiled and offers to go on."""
        started, limit = time.monotonic(), self._header.compile_time_seconds
        reason = self._wait(pid, limit, started, offer)
        if reason is not None:
            offer.close()
            return self._end(Kind.COMPILED, pid, limit, reason, started)
        self._compiler_waits = pid, offer
        return self._record(Kind.COMPILED, Reason.BY_ITSELF, 0, clock_of(pid), 0, started)

    def _watch(self, kind: Kind, pid: int, cpu_limit_seconds: float) -> Record:
        """Wait until the process ends or must end; then end all that it left behind."""
        started = time.monotonic()
        reason = self._wait(pid, cpu_limit_seconds, started)
        assert reason is not None  # no offer was asked for
        return self._end(kind, pid, cpu_limit_seconds, reason, started)

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
        stderr_bytes = os.fstat(self._stderr).st_size
        return Record(
            kind=kind,
            test_index=self._index,
            reason=reason,
            status=status,
            cpu_time_seconds=cpu_seconds,
            wall_time_seconds=time.monotonic() - started,
            peak_rss_kilobytes=peak,
            stdout_bytes=os.fstat(self._stdout).st_size,
            stderr_bytes=min(stderr_bytes, STDERR_TAIL_BYTES),
            result_bytes=os.fstat(self._result).st_size,
            stderr_cut=int(stderr_bytes > STDERR_TAIL_BYTES),
        )

    def _wait(
        self,
        pid: int,
        cpu_limit_seconds: float,
        started: float,
        offer: _socket.socket | None = None,
    ) -> Reason | None:
        """Look at the CPU clock when it could at the earliest have reached the limit.

        Returns:
            Why the process ended or has to; None if it sent something through ``offer``.
        """
        pidfd = os.pidfd_open(pid)
        poll = select.poll()
        poll.register(pidfd, select.POLLIN)
        poll.register(self._sock, select.POLLIN)
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
                        return None
                    poll.unregister(offer)  # the process is ending
                    offer = None
                if self._sock.fileno() in ready:
                    self._receive()
                used = self._cpu.used_seconds(pid)
                if used >= cpu_limit_seconds:
                    return Reason.CPU_LIMIT
                elapsed = time.monotonic() - started
                if elapsed >= look:
                    reason, more_seconds = self._ask(used, elapsed)
                    if reason != Reason.BY_ITSELF:
                        return reason
                    look = elapsed + more_seconds
                pause = max(_SHORTEST_PAUSE_SECONDS, min(cpu_limit_seconds - used, look - elapsed))
        finally:
            os.close(pidfd)

    def _ask(self, cpu_seconds: float, elapsed_seconds: float) -> tuple[Reason, float]:
        """Ask the outside, which sees the host's scheduler, whether the program may go on."""
        question = Record(
            Kind.OVERDUE, self._index, 0, 0, cpu_seconds, elapsed_seconds, 0, 0, 0, 0, 0
        )
        self._send([RECORD.pack(*question)], [])
        while True:
            message = self._receive()
            if len(message) == ANSWER.size:
                reason, more_seconds = ANSWER.unpack(message)
                return Reason(reason), more_seconds

    # --- reporting --------------------------------------------------------------------------------

    def _report(self, record: Record) -> None:
        """Take the record and what was written to be sent, make everything clean for the next test."""
        parts = [RECORD.pack(*record)]
        passed = []
        for descriptor, size in (
            (self._stdout, record.stdout_bytes),
            (self._result, record.result_bytes),
        ):
            if size > INLINE_BYTES:
                passed.append(descriptor)
            elif size:
                parts.append(os.pread(descriptor, size, 0))
        if record.stderr_bytes:
            end = os.fstat(self._stderr).st_size
            parts.append(os.pread(self._stderr, record.stderr_bytes, end - record.stderr_bytes))
        self._unsent = parts, passed
        for descriptor in (self._stdout, self._stderr, self._result):
            if descriptor not in passed:
                os.close(descriptor)
        self._open_outputs()
        self._scratch.clean()

    def _flush(self) -> None:
        """Send what the last test left to be sent."""
        if self._unsent is None:
            return
        parts, passed = self._unsent
        self._unsent = None
        self._send(parts, passed)
        for descriptor in passed:
            os.close(descriptor)

    def _send(self, parts: list[bytes], descriptors: list[int]) -> None:
        try:
            send_with_descriptors(self._sock, parts, descriptors)
        except ConnectionError as error:
            raise OutsideGoneError from error
