"""What one process writes: standard output and error and the result, each a file in memory."""

from __future__ import annotations

import os

from .wire import INLINE_BYTES, Record


class Outputs:
    """The files, empty at first."""

    def __init__(self) -> None:
        self._open()

    def _open(self) -> None:
        self.stdout = os.memfd_create("stdout")
        self.stderr = os.memfd_create("stderr")
        self.result = os.memfd_create("result")

    def renew(self) -> None:
        """New files for every process: attributes, locks and flags put on old ones would reach the next."""
        for descriptor in (self.stdout, self.stderr, self.result):
            os.close(descriptor)
        self._open()

    def sizes(self) -> tuple[int, int, int]:
        """Bytes in each: standard output, standard error, result."""
        return (
            os.fstat(self.stdout).st_size,
            os.fstat(self.stderr).st_size,
            os.fstat(self.result).st_size,
        )

    def read(self, record: Record) -> tuple[list[bytes], list[int]]:
        """As much as the record says: parts that travel inline, and new descriptors of what is too long."""
        parts, descriptors = [], []
        for descriptor, size in (
            (self.stdout, record.stdout_bytes),
            (self.result, record.result_bytes),
        ):
            if size > INLINE_BYTES:
                descriptors.append(os.dup(descriptor))
            elif size:
                parts.append(_read(descriptor, size, 0))
        if record.stderr_bytes:
            begin = max(0, os.fstat(self.stderr).st_size - record.stderr_bytes)
            parts.append(_read(self.stderr, record.stderr_bytes, begin))
        return parts, descriptors


def _read(descriptor: int, size: int, offset: int) -> bytes:
    """Exactly so many bytes, also of a file that something shrinks meanwhile."""
    return os.pread(descriptor, size, offset).ljust(size, b"\0")
