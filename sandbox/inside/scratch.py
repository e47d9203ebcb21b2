"""The directories a test may write to: empty at its start, and telling nothing of the tests before."""

from __future__ import annotations

import os

from . import kernel
from .guard import prove_jailed

PATHS = ("/tmp", "/dev/shm")  # noqa: S108 - mounts of the zygote's own
INODES_COUNT = 4096


class Scratch:
    """Scratch directories, mounted over what was there; the first is where tests start.

    Mounted by the zygote, handed on to each session by its fork. Sessions share the zygote's mounts: a mount
    namespace and two mounts for each would cost every submission 1.4 ms, and what a test leaves behind is
    replaced either way.
    """

    def __init__(self, size_bytes: int) -> None:
        self._size_bytes = size_bytes
        self._as_mounted: dict[str, tuple[int, ...]] = {}
        for path in PATHS:
            self._mount(path)
        os.chdir(PATHS[0])

    def clean(self) -> None:
        """Replace those that were written to; quicker and surer than deleting what is there."""
        for path in PATHS:
            if state_of(path) != self._as_mounted[path]:
                prove_jailed()
                kernel.unmount(path)
                self._mount(path)
        os.chdir(PATHS[0])  # the old one lives on for as long as somebody stands in it

    def _mount(self, path: str) -> None:
        prove_jailed()
        kernel.mount_scratch(path, self._size_bytes, INODES_COUNT)
        # a kernel's clock of files may tick 100 times a second: a time far from now shows a change within a tick
        os.utime(path, (0, 0))
        self._as_mounted[path] = state_of(path)


def state_of(path: str) -> tuple[int, ...]:
    """Every change in a directory moves these, also one that was undone."""
    about = os.stat(path)
    return about.st_mtime_ns, about.st_ctime_ns, about.st_mode, about.st_size
