"""What goes into a jail and what comes out, as plain frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import msgpack

from .inside.wire import Command, Mode, Reason
from .kept import Executable, Files
from .memory_files import sealed

__all__ = [
    "AnyProgram",
    "Command",
    "CommandProgram",
    "Compiled",
    "Mode",
    "Outcome",
    "Program",
    "Reason",
    "RunLimits",
]


@dataclass(frozen=True, slots=True)
class RunLimits:
    """What one run may use; units are in the names."""

    cpu_time_seconds: float
    wall_time_seconds: float
    memory_bytes: int
    output_bytes: int
    processes_count: int
    compile_time_seconds: float


@dataclass(frozen=True, slots=True)
class Program:
    """Hostile source and how its tests use it.

    Attributes:
        mode: What a test does with it.
        source: The program, UTF-8 (or what was sent).
        prelude: Code of the problem to run before it, compiled apart.
        entry_point: Function to call, for Mode.CALL.
        provide_names: Whether LeetCode's usual names are there already (Mode.CALL).
        talks: Whether standard output goes where a test says (Mode.STDIO).
    """

    mode: Mode
    source: bytes
    prelude: bytes = b""
    entry_point: str = ""
    provide_names: bool = False
    talks: bool = False


@dataclass(frozen=True, slots=True)
class CommandProgram:
    """A program that is a command of its own, or what a problem's own programs are run by.

    Attributes:
        mode: COMMAND, BUILD, CHECK or INTERACT.
        command: What to execute.
        source: The files to put in place by name; the executable if that is all.
        talks: Whether standard output goes where a test says.
    """

    mode: Mode
    command: Command
    source: Files
    talks: bool = False

    @property
    def largest_file_bytes(self) -> int:
        """Size of the largest file that has to be put in place, in bytes."""
        files = {} if isinstance(self.source, Executable) else self.source
        return max(map(len, files.values()), default=0)

    def open_source(self) -> int:
        """A descriptor of the executable, or of the bundle of files."""
        if isinstance(self.source, Executable):
            return self.source.open()
        return sealed(msgpack.packb(self.source))


AnyProgram = Program | CommandProgram


@dataclass(frozen=True, slots=True)
class Compiled:
    """How compiling ended.

    Attributes:
        ok: Whether there is a program to run.
        message: The compiler's words, or why it was stopped; empty when ok.
        complete: False when the text breaks off rather than being wrong.
        cpu_time_seconds: CPU time of the compiler.
        stopped: Whether a limit ended it.
    """

    ok: bool
    message: str
    complete: bool
    cpu_time_seconds: float
    stopped: bool = False


class Outcome(NamedTuple):
    """What one process did.

    Attributes:
        reason: Why it ended.
        exit_code: Its exit status, or None when a signal ended it.
        signal: The signal that ended it, or None.
        cpu_time_seconds: With all its children.
        wall_time_seconds: Elapsed.
        peak_memory_bytes: Peak resident memory of its largest process.
        out_of_memory: Whether the kernel killed something for lack of memory during the run.
        stdout: All of standard output, up to one byte beyond the limit.
        stderr_tail: The end of standard error.
        stderr_cut: Whether there was more of it.
        result: What it wrote to the result descriptor.
    """

    reason: Reason
    exit_code: int | None
    signal: int | None
    cpu_time_seconds: float
    wall_time_seconds: float
    peak_memory_bytes: int
    out_of_memory: bool
    stdout: bytes
    stderr_tail: bytes
    stderr_cut: bool
    result: bytes

    def __repr__(self) -> str:
        """Without what the process wrote: that is hostile, and may be long."""
        return f"Outcome({self.reason!r}, exit_code={self.exit_code}, signal={self.signal})"
