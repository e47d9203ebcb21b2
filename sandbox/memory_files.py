"""Files in memory that cannot change any more: how bytes enter a jail."""

from __future__ import annotations

import fcntl
import os


def sealed(data: bytes, *, is_executable: bool = False) -> int:
    """A read-only descriptor of a sealed memfd that holds ``data``, its offset at the start.

    Opened anew, so that the reader shares neither the offset nor the right to write with anybody.
    """
    writable = os.memfd_create("input", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(writable, view) :]
        os.fchmod(writable, 0o555 if is_executable else 0o444)
        fcntl.fcntl(
            writable,
            fcntl.F_ADD_SEALS,
            fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE,
        )
        return os.open(f"/proc/self/fd/{writable}", os.O_RDONLY | os.O_CLOEXEC)
    finally:
        os.close(writable)
