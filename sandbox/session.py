"""The outside's half of a session: hand in tests, get outcomes, answer the session's questions."""

from __future__ import annotations

import os
import select
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Self

import msgpack

from . import accounting
from .errors import JailDiedError, StarvedError
from .inside.wire import (
    ANSWER,
    FINISH,
    IDLE_GRACE_SECONDS,
    INLINE_BYTES,
    MAX_DESCRIPTORS_COUNT,
    MAX_MESSAGE_BYTES,
    RECORD,
    RUN,
    RUN_FIRST,
    RUN_TOGETHER,
    Kind,
    Reason,
    Record,
    receive_with_descriptors,
    send_with_descriptors,
)
from .memory_files import sealed
from .model import Compiled, Outcome, RunLimits
from .pollable_event import NEVER, PollableEvent
from .reports import compiler_report, outputs_of
from .waiting import go_on

if TYPE_CHECKING:
    from .jail import Jail

SILENCE_SECONDS = 30.0
"""Beyond what its limits allow, a session may be silent this long before the jail counts as dead."""

_AHEAD_COUNT = 32
"""Tests handed in before their turn, so that the session never waits for us."""


class Session:
    """One submission in a jail. Use as a context manager: leaving it ends what still runs."""

    def __init__(
        self,
        jail: Jail,
        sock: socket.socket,
        limits: RunLimits,
        *,
        counts_memory: bool = False,
        interruption: PollableEvent = NEVER,
    ) -> None:
        """Take up a session that was asked for.

        Args:
            jail: Where it is.
            sock: Our end of its socket.
            limits: Those of each test.
            counts_memory: Whether a test that used more than its memory ran out of it: nothing kept it from
                mapping more.
            interruption: Ends every wait by an InterruptionError, whatever the session is at.
        """
        self._jail = jail
        self._sock = sock
        self._limits = limits
        self._counts_memory = counts_memory
        self.interruption = interruption
        self._poll = select.poll()
        self._poll.register(sock, select.POLLIN)
        self._poll.register(interruption, select.POLLIN)
        self._kills_before = jail.out_of_memory_kills_count()
        self.excused_seconds: Callable[[], float] = lambda: 0.0
        """Time that is somebody else's in the running test; for pairs of jails."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the session and whatever runs in it, soon after; ``Jail.settle`` waits for that."""
        self._sock.close()

    @property
    def jail_pid(self) -> int:
        """Host pid of the jail's nsjail, to look at what runs in it."""
        return self._jail.pid

    def fileno(self) -> int:
        """For select: readable when the session has something to say."""
        return self._sock.fileno()

    def compiled(self) -> Compiled:
        """Wait for the compiler.

        Raises:
            StarvedError: If the machine did not let it run.
            JailDiedError: If the session ends or falls silent.
        """
        outcome = self._next(Kind.COMPILED, _patience_seconds(self._limits.compile_time_seconds))
        if outcome.reason is Reason.STARVED:
            raise StarvedError("the compiler waited for a CPU beyond all patience")
        ok = outcome.reason is Reason.BY_ITSELF and outcome.exit_code == 0
        message, complete = ("", True) if ok else compiler_report(outcome)
        stopped = outcome.reason is not Reason.BY_ITSELF or outcome.out_of_memory
        return Compiled(ok, message, complete, outcome.cpu_time_seconds, stopped)

    def run_all(self, inputs: Sequence[bytes]) -> Iterator[Outcome]:
        """Run one test per input; outcomes in order. Stop iterating to stop running.

        Raises:
            JailDiedError: If the session ends or falls silent.
        """
        handed = 0
        for done in range(len(inputs)):
            if handed - done <= _AHEAD_COUNT // 2 and handed < len(inputs):
                batch = inputs[handed : done + _AHEAD_COUNT]
                self.hand_in([sealed(data) for data in batch])
                handed += len(batch)
            yield self.outcome()

    def run_first(self, given: bytes) -> Outcome:
        """Run a test whose process may be ready to run others: then its reason is GOES_ON.

        If it is, ``run_together`` runs them there, and ``finish`` lets it end.

        Raises:
            JailDiedError: If the session ends or falls silent.
        """
        self.hand_in([sealed(given)], RUN_FIRST)
        return self.outcome()

    def finish(self) -> Outcome:
        """Let the process that is ready to go on end; how it did.

        Raises:
            JailDiedError: If the session ends or falls silent.
        """
        try:
            self._sock.send(FINISH)
        except OSError as error:
            raise self._died(f"the session is gone: {error}") from error
        return self.outcome()

    def run_together(self, inputs: Sequence[bytes]) -> tuple[Outcome, list[bytes | None]]:
        """Run all inputs in one process (isolation mode ``auto``): the one that is ready to go on, or a new one.

        Returns:
            What the process did as a whole, and what it says came of each input: None where it says that the
            test failed, and everywhere if it made no sense.

        Raises:
            JailDiedError: If the session ends or falls silent.
        """
        self.hand_in([sealed(msgpack.packb(list(inputs)))], RUN_TOGETHER)
        outcome = self.outcome()
        return outcome, outputs_of(outcome.result, outcome.stdout, len(inputs))

    def hand_in(self, descriptors: list[int], kind: bytes = RUN) -> None:
        """Give the session descriptors of tests, and close ours.

        Raises:
            JailDiedError: If the session is gone.
        """
        try:
            for start in range(0, len(descriptors), MAX_DESCRIPTORS_COUNT):
                part = descriptors[start : start + MAX_DESCRIPTORS_COUNT]
                send_with_descriptors(self._sock, [kind], part)
        except OSError as error:
            raise self._died(f"the session is gone: {error}") from error
        finally:
            for descriptor in descriptors:
                os.close(descriptor)

    def outcome(self) -> Outcome:
        """Wait for the next test to end.

        Raises:
            JailDiedError: If the session ends or falls silent.
        """
        return self._next(Kind.RAN, self.patience_seconds)

    @property
    def patience_seconds(self) -> float:
        """How long a test may take, whatever it does, before the jail counts as dead."""
        longest_seconds = accounting.longest_wait_seconds(
            self._limits.cpu_time_seconds, self._limits.wall_time_seconds
        )
        return _patience_seconds(longest_seconds)

    def _next(self, kind: Kind, patience_seconds: float) -> Outcome:
        deadline = time.monotonic() + patience_seconds
        while True:
            outcome = self.step(kind, max(0.0, deadline - time.monotonic()))
            if outcome is not None:
                return outcome

    def step(self, kind: Kind, patience_seconds: float) -> Outcome | None:
        """Take one message: an outcome, or None after a question of the session was answered.

        Raises:
            JailDiedError: If the session ends or is silent for ``patience_seconds``.
        """
        message, descriptors = self._receive(patience_seconds)
        try:
            record = Record(*RECORD.unpack_from(message))
            if record.kind == Kind.OVERDUE:
                self._answer(record, kind)
                return None
            if record.kind != kind:
                raise self._died(f"a record of kind {record.kind} where {kind} was due")
            return self._read(record, message, descriptors)
        finally:
            for descriptor in descriptors:
                os.close(descriptor)

    def _receive(self, patience_seconds: float) -> tuple[bytes, list[int]]:
        if not self._poll.poll(patience_seconds * 1000):
            raise self._died("the session fell silent")
        go_on(self.interruption)
        try:
            message, descriptors = receive_with_descriptors(self._sock, MAX_MESSAGE_BYTES)
        except OSError as error:
            raise self._died(f"the session is gone: {error}") from error
        if len(message) < RECORD.size:
            raise self._died("the session ended before it had answered")
        return message, descriptors

    def _died(self, what: str) -> JailDiedError:
        out_of_memory = self._ran_out_of_memory()
        self._jail.alive = False
        return JailDiedError(what + self._jail.last_words(), out_of_memory=out_of_memory)

    def _ran_out_of_memory(self) -> bool:
        """Memory that no process maps, in buffers of sockets say, may have cost the session its life."""
        try:
            return self._jail.out_of_memory_kills_count() > self._kills_before
        except JailDiedError:  # its control group went with it
            return False

    def _answer(self, question: Record, about: Kind) -> None:
        """The session asks whether a program, or its compiler, that has not ended may go on."""
        cpu_seconds, wall_seconds = self._limits.cpu_time_seconds, self._limits.wall_time_seconds
        if about is Kind.COMPILED:
            cpu_seconds = self._limits.compile_time_seconds
            wall_seconds = cpu_seconds + IDLE_GRACE_SECONDS
        activity = accounting.activity_of_tests(self._jail.pid)
        reason, more_seconds = accounting.decide(
            question.wall_time_seconds,
            activity.waiting_seconds + self.excused_seconds(),
            cpu_seconds,
            wall_seconds,
            activity.running_seconds,
        )
        try:
            self._sock.send(ANSWER.pack(reason, more_seconds))
        except OSError as error:
            raise self._died(f"the session is gone: {error}") from error

    def _read(self, record: Record, message: bytes, descriptors: list[int]) -> Outcome:
        parts = _Parts(message[RECORD.size :], descriptors)
        stdout = parts.take(record.stdout_bytes)
        result = parts.take(record.result_bytes)
        stderr = parts.take(record.stderr_bytes)
        exit_code = os.waitstatus_to_exitcode(record.status)
        killed = record.status != 0 and self._jail.out_of_memory_kills_count() > self._kills_before
        if killed:
            self._kills_before = self._jail.out_of_memory_kills_count()
        peak_bytes = record.peak_rss_kilobytes * 1024
        return Outcome(
            reason=Reason(record.reason),
            exit_code=exit_code if exit_code >= 0 else None,
            signal=-exit_code if exit_code < 0 else None,
            cpu_time_seconds=record.cpu_time_seconds,
            wall_time_seconds=record.wall_time_seconds,
            peak_memory_bytes=peak_bytes,
            out_of_memory=killed
            or (self._counts_memory and peak_bytes > self._limits.memory_bytes),
            stdout=stdout,
            stderr_tail=stderr,
            stderr_cut=bool(record.stderr_cut),
            result=result,
        )


def _patience_seconds(longest_seconds: float) -> float:
    return 4 * longest_seconds + SILENCE_SECONDS


class _Parts:
    """What follows a record: inline up to INLINE_BYTES each, else through a descriptor."""

    def __init__(self, inline: bytes, descriptors: list[int]) -> None:
        self._inline = inline
        self._descriptors = list(descriptors)

    def take(self, size: int) -> bytes:
        if size <= INLINE_BYTES:
            taken, self._inline = self._inline[:size], self._inline[size:]
            return taken
        if not self._descriptors:
            raise JailDiedError("the session announced output that it did not send")
        descriptor = self._descriptors.pop(0)
        parts, offset = [], 0
        while offset < size:
            part = os.pread(descriptor, size - offset, offset)
            if not part:
                break
            parts.append(part)
            offset += len(part)
        return b"".join(parts)
