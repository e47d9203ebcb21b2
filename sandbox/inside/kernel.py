"""System calls that Python's standard library does not offer, by ctypes.

Owns nothing but thin wrappers: each raises OSError with the call's name.
"""

from __future__ import annotations

import ctypes
import os

CLONE_NEWPID = 0x20000000

MS_NOSUID = 2
MS_NODEV = 4
MS_NOATIME = 1024
MNT_DETACH = 2

_PR_SET_DUMPABLE = 4
_PR_SET_SECCOMP = 22
_PR_SET_NO_NEW_PRIVS = 38
_PR_CAP_AMBIENT = 47
_PR_CAP_AMBIENT_CLEAR_ALL = 4
_SECCOMP_MODE_FILTER = 2
_CAPABILITY_VERSION_3 = 0x20080522

_libc = ctypes.CDLL(None, use_errno=True)


def _check(result: int, call: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{call}: {os.strerror(number)}")


def refuse_inspection() -> None:
    """Make this process undumpable: its memory cannot be read or traced by its own uid."""
    _check(_libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0), "prctl(PR_SET_DUMPABLE)")


def mount_scratch(path: str, size_bytes: int, inodes_count: int) -> None:
    """Mount an empty tmpfs that everybody may write to; reading leaves no mark in it."""
    options = f"size={size_bytes},nr_inodes={inodes_count},mode=1777".encode()
    flags = MS_NOSUID | MS_NODEV | MS_NOATIME
    _check(_libc.mount(b"none", path.encode(), b"tmpfs", flags, options), f"mount({path})")


def unmount(path: str) -> None:
    """Take a mount away, even while something still uses it."""
    _check(_libc.umount2(path.encode(), MNT_DETACH), f"umount2({path})")


def drop_capabilities() -> None:
    """Give up every capability for good; for a process that keeps its uid."""
    _check(
        _libc.prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0), "prctl(PR_CAP_AMBIENT)"
    )
    _check(_libc.capset(_capability_header(), (ctypes.c_uint32 * 6)()), "capset")
    _check(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl(PR_SET_NO_NEW_PRIVS)")


def pass_on_no_capabilities() -> None:
    """Empty the inheritable set, and with it the ambient one: changing the uid then leaves nothing.

    Done once by the zygote, since ctypes costs a child more page faults than all its other steps.
    """
    sets = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; low words, then high words
    _check(_libc.capget(_capability_header(), sets), "capget")
    sets[2] = sets[5] = 0
    _check(_libc.capset(_capability_header(), sets), "capset")


def _capability_header() -> ctypes.Array[ctypes.c_uint32]:
    return (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)


class SeccompFilter:
    """A BPF program, kept in memory so that installing it is one system call."""

    def __init__(self, instructions: bytes) -> None:
        self.instructions = instructions
        self._buffer = ctypes.create_string_buffer(instructions, len(instructions))

        class Program(ctypes.Structure):
            _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))

        self._program = Program(len(instructions) // 8, ctypes.addressof(self._buffer))
        self._reference = ctypes.byref(self._program)

    def install(self) -> None:
        """Bind this process and all it starts; needs NoNewPrivs, which nsjail sets."""
        _check(
            _libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, self._reference, 0, 0),
            "prctl(PR_SET_SECCOMP)",
        )
