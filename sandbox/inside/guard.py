"""Proof of being in a jail, asked for before anything destructive.

The code of this package empties /tmp and kills every process it can see. Run by mistake outside a
jail, that would be the machine's own /tmp and processes.
"""

from __future__ import annotations

import os

from .wire import HOST_NAME

REFUSAL_EXIT_CODE = 99


def prove_jailed() -> None:
    """End this process at once unless it is pid 1 of a jail's pid namespace."""
    signs = (
        os.getpid() == 1,
        os.uname().nodename == HOST_NAME,
        not os.path.exists("/etc/passwd"),
        not os.path.exists("/proc/self"),
        os.stat("/tmp").st_dev != os.stat("/").st_dev,  # noqa: S108 - looked at only
    )
    if not all(signs):
        os.write(2, b"refusing to run: this is not the inside of a jail\n")
        os._exit(REFUSAL_EXIT_CODE)
