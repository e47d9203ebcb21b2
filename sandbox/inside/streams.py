"""Standard streams for one test after the other in the same process."""

from __future__ import annotations

import os
import sys
from _io import BufferedReader, BufferedWriter, FileIO, TextIOWrapper
from typing import Any, NamedTuple

_INPUT_FD = 250
_STDOUT_FD = 251
_STDERR_FD = 252
"""Above what programs open: some close every small number there is."""

FIRST_RESERVED_FD = _INPUT_FD


class _Style(NamedTuple):
    """How the interpreter made one of its streams (create_stdio in CPython's pylifecycle.c)."""

    name: str
    encoding: str
    errors: str | None
    line_buffering: bool
    write_through: bool

    @classmethod
    def of(cls, stream: Any) -> _Style:
        return cls(
            stream.name,
            stream.encoding,
            stream.errors,
            stream.line_buffering,
            stream.write_through,
        )

    def is_style_of(self, stream: Any) -> bool:
        """Whether a stream is open and as it was made; what was written to it does not count."""
        try:
            return not stream.closed and vars(stream) == {"mode": "w"} and self == _Style.of(stream)
        except (AttributeError, ValueError):  # it was taken apart
            return False

    def make(self, number: int, mode: str, buffer: Any) -> Any:
        raw: Any = FileIO(number, mode, closefd=False)
        raw.name = self.name
        stream: Any = TextIOWrapper(
            buffer(raw, raw._blksize),
            self.encoding,
            self.errors,
            "\n",
            self.line_buffering,
            self.write_through,
        )
        stream.mode = mode
        return stream


class Streams:
    """Made before a program runs, which may take the first ones apart."""

    def __init__(self) -> None:
        self._stdin = _Style.of(sys.__stdin__)
        self._stdout = _Style.of(sys.__stdout__)
        self._stderr = _Style.of(sys.__stderr__)

    def reserve(self) -> None:
        """Keep the descriptors safe from the program; inputs come from a file of our own from now on."""
        made = os.memfd_create("input")
        os.dup2(made, _INPUT_FD)
        os.close(made)
        os.dup2(1, _STDOUT_FD)
        os.dup2(2, _STDERR_FD)

    def renew(self, given: bytes) -> int:
        """Standard input that holds this, and Python's objects for it and standard output as new.

        Returns:
            How much standard output holds of earlier tests.
        """
        os.dup2(_INPUT_FD, 0)
        os.dup2(_STDOUT_FD, 1)
        os.dup2(_STDERR_FD, 2)
        written = os.pwrite(0, given, 0)
        while written < len(given):
            written += os.pwrite(0, given[written:], written)
        os.ftruncate(0, written)
        os.lseek(0, 0, os.SEEK_SET)
        space = vars(sys)  # a type checker forbids to set some of these, and this is quicker
        space["stdin"] = space["__stdin__"] = self._stdin.make(0, "r", BufferedReader)
        space["stdout"] = space["__stdout__"] = self._stdout.make(1, "w", BufferedWriter)
        if not self._stderr.is_style_of(sys.stderr):  # else the same one serves all
            space["stderr"] = space["__stderr__"] = self._stderr.make(2, "w", BufferedWriter)
        return os.lseek(1, 0, os.SEEK_END)


def written_since(begin: int) -> int:
    """How much was written to standard output."""
    return os.lseek(1, 0, os.SEEK_END) - begin


def forget_since(begin: int) -> None:
    """Make it as if nothing had been written."""
    os.ftruncate(1, begin)
