"""Mode INTERACT: a problem's interactor talks with a program that runs in another jail.

This process carries what they say, so that it is known who said what, how much, and who left first. It goes on for
as long as one of them may still say something: once the interactor has rejected, nothing matters any more; once it
has accepted, the program may come to its end, and nobody listens. Descriptors: as those of ``check``, but 5 is where
the program is heard, 6 where it is told, 7 the test's arguments, 8 the interactor.
"""

from __future__ import annotations

import os
import select
import signal
from contextlib import suppress

from .check import laid_out, left, open_messages, report
from .command import start
from .wire import Command

_FROM_PROGRAM_FD = 5
_TO_PROGRAM_FD = 6
_ARGUMENTS_FD = 7
_SOURCE_FD = 8

NOT_REJECTED_CODES = (0, 7, 42)
"""Of testlib (7: points) and Kattis: the program may go on to its end."""

OUTPUT = "output.out"
"""What a testlib interactor writes for the checker."""

_CHUNK_BYTES = 1 << 16
_TRANSCRIPT_BYTES = 8 << 10

PROGRAM, INTERACTOR = 0, 1


class Transcript:
    """The beginning of a talk: who said what, in order."""

    def __init__(self) -> None:
        self.said: list[tuple[int, bytearray]] = []
        self.cut = False
        self._room_bytes = _TRANSCRIPT_BYTES

    def add(self, who: int, what: bytes) -> None:
        """Note what somebody said; joined to what the same one said just before."""
        kept = what[: self._room_bytes]
        self.cut = self.cut or len(kept) < len(what)
        self._room_bytes -= len(kept)
        if not kept:
            return
        if self.said and self.said[-1][0] == who:
            self.said[-1][1].extend(kept)
        else:
            self.said.append((who, bytearray(kept)))


class Way:
    """One direction of a talk.

    Args:
        who: Who speaks.
        source: Where it is heard.
        target: Where it is passed on to; -1 once nobody listens.
    """

    def __init__(self, who: int, source: int, target: int) -> None:
        self.who = who
        self.source = source
        self.target = target
        self.waiting = b""
        self.total_bytes = 0
        os.set_blocking(source, False)
        os.set_blocking(target, False)

    @property
    def is_over(self) -> bool:
        """Whether the speaker has closed its end, and all of it was passed on."""
        return self.source < 0 and not self.waiting

    def hear(self) -> bytes:
        """Take in all that was said by now; the source is closed at its end."""
        heard = bytearray()
        # in many small parts if the speaker made its pipe one of packets (O_DIRECT), to wear us out
        with suppress(BlockingIOError):
            while self.source >= 0 and len(heard) < _CHUNK_BYTES:
                part = os.read(self.source, _CHUNK_BYTES)
                heard += part
                if not part:
                    os.close(self.source)
                    self.source = -1
        self.total_bytes += len(heard)
        self.waiting += heard if self.target >= 0 else b""
        if self.is_over:
            self.stop_telling()
        return bytes(heard)

    def tell(self) -> None:
        """Pass on as much as fits."""
        try:
            self.waiting = self.waiting[os.write(self.target, self.waiting) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self.stop_telling()
        if self.source < 0 and not self.waiting:
            self.stop_telling()

    def stop_telling(self) -> None:
        """Close the target: the listener comes to an end, or has gone."""
        if self.target >= 0:
            os.close(self.target)
        self.target, self.waiting = -1, b""


def run(command: Command) -> int:
    """Talk until it is over, then report how it ended.

    Args:
        command: The interactor.
    """
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    command, executable = laid_out(command, _ARGUMENTS_FD, _SOURCE_FD)
    heard_by_interactor, to_interactor = os.pipe2(os.O_CLOEXEC)
    from_interactor, said_by_interactor = os.pipe2(os.O_CLOEXEC)
    pid = start(executable, command, heard_by_interactor, said_by_interactor, open_messages())
    os.close(heard_by_interactor)
    os.close(said_by_interactor)
    program = Way(PROGRAM, _FROM_PROGRAM_FD, to_interactor)
    interactor = Way(INTERACTOR, from_interactor, _TO_PROGRAM_FD)
    transcript = Transcript()
    code, program_left_first = _carry(pid, program, interactor, transcript, command.heard_bytes)
    flooded = program.total_bytes > command.heard_bytes
    report(code, program_left_first, flooded, transcript.said, transcript.cut, left(OUTPUT))
    return 0


def _carry(
    pid: int, program: Way, interactor: Way, transcript: Transcript, heard_bytes: int
) -> tuple[int, bool]:
    """Carry what they say; (exit code of the interactor, whether the program left first)."""
    code: int | None = None
    program_left_first = False
    pidfd = os.pidfd_open(pid)
    while True:
        for fd, _ in _ready(pidfd if code is None else -1, program, interactor):
            if fd == pidfd:
                code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                program_left_first = program.source < 0
                program.stop_telling()
                continue
            for way in (program, interactor):
                if fd == way.source:
                    transcript.add(way.who, way.hear())
                elif fd == way.target:
                    way.tell()
        if program.total_bytes > heard_bytes:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            return code if code is not None else -signal.SIGKILL, program_left_first
        if code is not None and (
            code not in NOT_REJECTED_CODES or (program.is_over and interactor.is_over)
        ):
            return code, program_left_first


def _ready(pidfd: int, *ways: Way) -> list[tuple[int, int]]:
    """Wait until somebody says something, listens again, or has gone; a full pipe is waited for."""
    poll = select.poll()
    if pidfd >= 0:
        poll.register(pidfd, select.POLLIN)
    for way in ways:
        if way.source >= 0 and len(way.waiting) < _CHUNK_BYTES:
            poll.register(way.source, select.POLLIN)
        if way.target >= 0 and way.waiting:
            poll.register(way.target, select.POLLOUT)
    return poll.poll()
