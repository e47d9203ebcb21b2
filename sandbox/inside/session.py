"""A session: pid 1 of a fresh pid namespace, for one submission; forks, watches, reaps and reports.

It runs no user code and reads none: not the source, not the inputs, not what a test wrote, whose sizes
are all it looks at. After each process it kills everything its namespace holds and puts clean scratch
directories in place.
"""

from __future__ import annotations

import _socket
import os
import select
import signal
import time
from typing import Any

from . import child, kernel, program
from .cpu import CpuMeter
from .guard import prove_jailed
from .scratch import Scratch
from .wire import (
    ANSWER,
    DESCRIPTORS_PER_TEST,
    IDLE_GRACE_SECONDS,
    INLINE_BYTES,
    RECORD,
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
        self._run = child.task_of(header, hooks)
        self._run_shared = child.task_of(header, hooks, shared=True)
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
        """Compile in a throwaway child; reports, and says whether there is something to run."""
        limit = self._header.compile_time_seconds
        given = [os.open("/dev/null", os.O_RDONLY), self._stdout, self._stderr, self._result]

        def task() -> int:
            self._compiler.enter([*given, self._code, source, prelude])
            return program.compile_sources(source_fd=5, prelude_fd=6, code_fd=4, report_fd=3)

        record = self._watch(Kind.COMPILED, self._fork(task), limit)
        for descriptor in (given[0], source, prelude):
            os.close(descriptor)
        self._report(record)
        self._flush()
        return record.reason == Reason.BY_ITSELF and record.status == 0

    def _test(self, descriptors: list[int]) -> None:
        shared = descriptors[0] in self._shared
        run = self._run_shared if shared else self._run
        with_result = shared or self._header.mode in _MODES_WITH_RESULT
        result = [self._result] if with_result else []
        given = [descriptors[0], self._stdout, self._stderr, *result, *descriptors[1:], self._code]
        limit = self._header.cpu_time_seconds

        def task() -> int:
            self._tests.enter(given)
            return run(len(given) - 1)

        pid = self._fork(task)
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

    # --- watching ---------------------------------------------------------------------------------

    def _watch(self, kind: Kind, pid: int, cpu_limit_seconds: float) -> Record:
        """Wait until the process ends or must end; then end all that it left behind."""
        started = time.monotonic()
        try:
            reason = self._wait(pid, cpu_limit_seconds, started)
        finally:
            _kill_everything()
        status, reaped_seconds, peak = _reap(pid)
        cpu_seconds = self._cpu.total_seconds(reaped_seconds)
        if reason == Reason.BY_ITSELF and cpu_seconds > cpu_limit_seconds:
            reason = Reason.CPU_LIMIT
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

    def _wait(self, pid: int, cpu_limit_seconds: float, started: float) -> Reason:
        """Look at the CPU clock when it could at the earliest have reached the limit."""
        pidfd = os.pidfd_open(pid)
        poll = select.poll()
        poll.register(pidfd, select.POLLIN)
        poll.register(self._sock, select.POLLIN)
        look = min(cpu_limit_seconds + IDLE_GRACE_SECONDS, self._header.wall_time_seconds)
        pause = min(cpu_limit_seconds, look)
        try:
            while True:
                ready = [fd for fd, _ in poll.poll(max(1.0, pause * 1000))]
                if pidfd in ready:
                    return Reason.BY_ITSELF
                if ready:
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


def _kill_everything() -> None:
    """Only ever as pid 1, and by a session that has proved its jail: nobody leaves a namespace unawares."""
    if os.getpid() != 1:
        prove_jailed()
    try:
        os.kill(-1, signal.SIGKILL)
    except ProcessLookupError:
        return


def _reap(pid: int) -> tuple[int, float, int]:
    """Reap all children: (wait status of ``pid``, CPU seconds of all, peak RSS of one, in KiB)."""
    status, cpu_seconds, peak = 0, 0.0, 0
    while True:
        try:
            reaped, its_status, usage = os.wait4(-1, 0)
        except ChildProcessError:
            return status, cpu_seconds, peak
        cpu_seconds += usage.ru_utime + usage.ru_stime
        peak = max(peak, usage.ru_maxrss)
        if reaped == pid:
            status = its_status
