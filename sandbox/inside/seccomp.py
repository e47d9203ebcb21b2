"""The system-call filter of a test: what no program under test has any business with is refused.

A deny-list, because programs may start any executable they find (compilers, shells) and an allow-list
wide enough for those would refuse little more; what is newer than the tables below is answered
"no such call" (ENOSYS), so that a future kernel's calls are not let through unseen.

Numbers: arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h of Linux.
"""

from __future__ import annotations

import os
import struct
from typing import NamedTuple

EPERM = 1
ENOSYS = 38


class _Arch(NamedTuple):
    audit: int
    """AUDIT_ARCH_* of <linux/audit.h>."""
    column: int
    """Which number of the tables is its own."""
    newest: int
    """The newest call that was looked at; anything above does not exist for a test."""


_ARCHITECTURES = {
    "x86_64": _Arch(0xC000003E, 0, 462),
    "aarch64": _Arch(0xC00000B7, 1, 462),
}

_X32_BIT = 0x40000000

_CLONE = (56, 220)
_CLONE3 = (435, 435)
_CLONE_NAMESPACES = 0x7E020080
"""CLONE_NEWTIME, NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET."""

_DENIED: dict[str, tuple[int, int | None]] = {
    # other processes' memory and state
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    # namespaces and mounts, beyond what the session needs
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "move_mount": (429, 429),
    "open_tree": (428, 428),
    "mount_setattr": (442, 442),
    "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264),
    # what outlives a process
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "semget": (64, 190),
    "semop": (65, 193),
    "semctl": (66, 191),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # wide interfaces of the kernel
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_setup": (206, 0),
    "vmsplice": (278, 75),
    "fanotify_init": (300, 262),
    "modify_ldt": (154, None),
    "memfd_secret": (447, 447),
    "landlock_create_ruleset": (444, 444),
    "lookup_dcookie": (212, 18),
    # the machine
    "personality": (135, 92),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "syslog": (103, 116),
    "acct": (163, 89),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "vhangup": (153, 58),
    "iopl": (172, None),
    "ioperm": (173, None),
    "mbind": (237, 235),
    "set_mempolicy": (238, 237),
    "sync": (162, 81),
    "syncfs": (306, 267),
    # a program that gives its CPU away could then blame the machine that it got none
    "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    # an abstract name would outlive its process: the kernel collects sockets sent in a circle when it likes
    "bind": (49, 200),
}

_OF_THE_SESSION: dict[str, tuple[int, int | None]] = {
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
}

_PRLIMIT64 = (302, 261)
"""May only name the caller (0): without a uid apart from the session's, nothing else keeps a test's hands
off the session."""

_SOCKET = (41, 198)
_SOCKETPAIR = (53, 199)
_FAMILIES = (1, 2, 10)
"""AF_UNIX, AF_INET, AF_INET6. Others (vsock, netlink, alg) reach past namespaces, or deep into the kernel."""

_LOAD = 0x20
_JUMP_EQUAL = 0x15
_JUMP_ABOVE = 0x25
_JUMP_AT_LEAST = 0x35
_JUMP_ANY_BIT = 0x45
_RETURN = 0x06

_ALLOW = 0x7FFF0000
_KILL_PROCESS = 0x80000000
_ERRNO = 0x00050000

_OFFSET_NUMBER = 0
_OFFSET_ARCH = 4
_OFFSET_ARGUMENTS = 16


def filter_of_jail(machine: str | None = None) -> bytes:
    """The filter of a whole jail, zygote and session included, as BPF instructions.

    Installed once: the kernel takes longer to take a filter in (it tries it on every call there is) than
    a test child takes for all its other steps but forking.

    Raises:
        RuntimeError: If the machine's numbers are not in the tables.
    """
    arch = _architecture(machine)
    program = [
        _instruction(_LOAD, 0, 0, _OFFSET_ARCH),
        _instruction(_JUMP_EQUAL, 1, 0, arch.audit),
        _instruction(_RETURN, 0, 0, _KILL_PROCESS),
        _instruction(_LOAD, 0, 0, _OFFSET_NUMBER),
        *_unless(_JUMP_AT_LEAST, _X32_BIT, _instruction(_RETURN, 0, 0, _KILL_PROCESS)),
        *_unless(_JUMP_ABOVE, arch.newest, _refuse(ENOSYS)),
        # glibc falls back to clone, whose flags a filter can read
        *_unless(_JUMP_EQUAL, _CLONE3[arch.column], _refuse(ENOSYS)),
        *_refuse_bits(_CLONE[arch.column], _CLONE_NAMESPACES),
        *_allow_values(_PRLIMIT64[arch.column], (0,)),
        *_allow_values(_SOCKET[arch.column], _FAMILIES),
        *_allow_values(_SOCKETPAIR[arch.column], _FAMILIES),
        *_search(_numbers(_DENIED, arch)),
    ]
    return b"".join(program)


def filter_of_tests(machine: str | None = None) -> bytes:
    """What a test is refused beyond ``filter_of_jail``: the calls that zygote and session live by.

    Raises:
        RuntimeError: If the machine's numbers are not in the tables.
    """
    arch = _architecture(machine)
    program = [
        _instruction(_LOAD, 0, 0, _OFFSET_NUMBER),
        *_search(_numbers(_OF_THE_SESSION, arch)),
    ]
    return b"".join(program)


def _architecture(machine: str | None) -> _Arch:
    machine = machine or os.uname().machine
    if machine not in _ARCHITECTURES:
        raise RuntimeError(
            f"no system-call table for {machine}; known: {', '.join(_ARCHITECTURES)}"
        )
    return _ARCHITECTURES[machine]


def _numbers(table: dict[str, tuple[int, int | None]], arch: _Arch) -> list[int]:
    return sorted(n for numbers in table.values() if (n := numbers[arch.column]) is not None)


def _instruction(code: int, if_true: int, if_false: int, operand: int) -> bytes:
    return struct.pack("<HBBI", code, if_true, if_false, operand)


def _refuse(error: int) -> bytes:
    return _instruction(_RETURN, 0, 0, _ERRNO | error)


def _unless(jump: int, operand: int, action: bytes) -> list[bytes]:
    """Take ``action`` if the comparison holds, else go on."""
    return [_instruction(jump, 0, 1, operand), action]


def _refuse_bits(number: int, bits: int) -> list[bytes]:
    """For call ``number``: refuse if its first argument has any of ``bits``, else allow."""
    return [
        _instruction(_JUMP_EQUAL, 0, 4, number),
        _instruction(_LOAD, 0, 0, _OFFSET_ARGUMENTS),
        _instruction(_JUMP_ANY_BIT, 0, 1, bits),
        _refuse(EPERM),
        _instruction(_RETURN, 0, 0, _ALLOW),
    ]


def _allow_values(number: int, values: tuple[int, ...]) -> list[bytes]:
    """For call ``number``: allow if its first argument is one of ``values``, else refuse."""
    steps = [
        _instruction(_JUMP_EQUAL, len(values) - place, 0, value)
        for place, value in enumerate(values)
    ]
    return [
        _instruction(_JUMP_EQUAL, 0, len(steps) + 3, number),
        _instruction(_LOAD, 0, 0, _OFFSET_ARGUMENTS),
        *steps,
        _refuse(EPERM),
        _instruction(_RETURN, 0, 0, _ALLOW),
    ]


def _search(denied: list[int]) -> list[bytes]:
    """Binary search over sorted numbers: 7 comparisons a call rather than 70."""
    if len(denied) <= 3:
        steps = [step for number in denied for step in _unless(_JUMP_EQUAL, number, _refuse(EPERM))]
        return [*steps, _instruction(_RETURN, 0, 0, _ALLOW)]
    middle = len(denied) // 2
    below, above = _search(denied[:middle]), _search(denied[middle:])
    return [_instruction(_JUMP_AT_LEAST, len(below), 0, denied[middle]), *below, *above]
