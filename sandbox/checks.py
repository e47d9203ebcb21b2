"""The list of checks: what every jail must hold, each a promise in a sentence and a way to see its breach.

``selfcheck`` makes them; the longer programs are in ``probes``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from . import probes, walls
from .inside.wire import HOST_NAME
from .isolation import Plan
from .model import Outcome, Reason, RunLimits

LIMITS = RunLimits(
    cpu_time_seconds=2.0,
    wall_time_seconds=30.0,
    memory_bytes=128 << 20,
    output_bytes=1 << 20,
    processes_count=16,
    compile_time_seconds=10.0,
)
_BUSY_LIMITS = replace(LIMITS, cpu_time_seconds=0.1)
_IDLE_LIMITS = replace(LIMITS, wall_time_seconds=0.2)
"""For the programs that are to exceed them; short, since every start of a service waits for it."""


class Look(NamedTuple):
    """One promise, and how its breach is seen from outside, given the zygote's pid."""

    name: str
    promise: str
    breaches: Callable[[int, Plan], list[str]]


class Check(NamedTuple):
    """One promise, a program that puts it to the test, and what must be seen."""

    name: str
    promise: str
    source: str
    holds: Callable[[Outcome], bool]
    limits: RunLimits = LIMITS


LOOKS = (
    Look(
        "own namespaces",
        "a jail shares no namespace with the machine",
        walls.shared_namespaces,
    ),
    Look(
        "few capabilities",
        "a jail has the capabilities that it needs within its own namespaces, and no others",
        walls.needless_capabilities,
    ),
    Look("foreign ids", "no id in a jail is root's outside", walls.ids_of_root),
    Look(
        "bounded together",
        "memory and processes of a jail are bounded for all together, where control groups are used",
        walls.unbounded,
    ),
)


def _prints(text: str) -> Callable[[Outcome], bool]:
    return lambda outcome: outcome.stdout == text.encode()


def _ends_for(*reasons: Reason) -> Callable[[Outcome], bool]:
    return lambda outcome: outcome.reason in reasons


CHECKS = (
    Check("runs", "an honest program runs", "print(6 * 7)", _prints("42\n")),
    Check(
        "other uid",
        "a program runs as nobody in particular",
        "import os\nprint(all([*os.getresuid(), *os.getresgid(), *os.getgroups()]))",
        _prints("True\n"),
    ),
    Check(
        "no capabilities",
        "a program has no capabilities",
        probes.LIBC + probes.CAPABILITIES,
        _prints("0 False\n"),
    ),
    Check(
        "no new privileges",
        "a program gains none by executing a file",
        probes.LIBC + "print(libc.prctl(39, 0, 0, 0, 0))",
        _prints("1\n"),
    ),
    Check(
        "filter",
        "a program's system calls are filtered",
        probes.LIBC + "print(libc.prctl(21, 0, 0, 0, 0))",
        _prints("2\n"),
    ),
    Check(
        "refused calls",
        "calls that reach past a program, or outlive it, are refused",
        probes.LIBC + probes.NOT_REFUSED,
        _prints("[]\n"),
    ),
    Check(
        "no namespaces",
        "a program cannot make namespaces of its own",
        probes.LIBC + "print([libc.unshare(flag) for flag in (1 << 28, 1 << 17, 1 << 29)])",
        _prints("[-1, -1, -1]\n"),
    ),
    Check(
        "session out of reach",
        "a program cannot end or trace the process that watches it",
        probes.LIBC + probes.REACH_FOR_SESSION,
        _prints("-1 alive\n"),
    ),
    Check(
        "no network",
        "a program reaches no network, not even this machine's own ports",
        "import errno, socket\n"
        "print(errno.errorcode.get(socket.socket().connect_ex(('127.0.0.1', 22))))",
        _prints("ENETUNREACH\n"),
    ),
    Check(
        "no processes",
        "a program sees none of the host's processes",
        probes.refused("os.listdir('/proc')"),
        _prints("refused\n"),
    ),
    Check(
        "no host files",
        "a program sees Python, the system's libraries and its scratch directories, and nothing else",
        probes.BEYOND_WHAT_IS_LAID_OUT,
        _prints("[]\n"),
    ),
    Check(
        "no devices",
        "a program has the devices that give zeros and random numbers, and no others",
        "import os\nprint(sorted(set(os.listdir('/dev')) - {'null', 'zero', 'random', 'urandom', 'shm'}))",
        _prints("[]\n"),
    ),
    Check(
        "no host name",
        "a program does not learn the machine's name",
        "import os\nprint(os.uname().nodename)",
        _prints(f"{HOST_NAME}\n"),
    ),
    Check(
        "no environment",
        "a program finds none of the service's variables",
        probes.VARIABLES,
        _prints("[]\n"),
    ),
    Check(
        "no descriptors",
        "a program finds no descriptors but its own three",
        probes.OPEN_DESCRIPTORS,
        _prints("[0, 1, 2]\n"),
    ),
    Check(
        "read-only",
        "a program can write to its scratch directories only",
        probes.WRITABLE,
        _prints("['/tmp', '/dev/shm']\n"),
    ),
    Check(
        "scratch size",
        "scratch directories are small",
        probes.SCRATCH,
        _prints("True True\nTrue True\n"),
    ),
    Check(
        "nothing stays",
        "what the tests before left behind is gone",
        "import os\nprint(os.listdir('/tmp') + os.listdir('/dev/shm'))",
        _prints("[]\n"),
    ),
    Check(
        "kernel's limits",
        "the kernel limits what a program takes, as a second line",
        probes.ENDLESS_RESOURCES,
        _prints("[]\n"),
    ),
    Check(
        "memory limit",
        "memory is limited",
        "try:\n    bytearray(1 << 29)\nexcept MemoryError:\n    print('refused')",
        _prints("refused\n"),
    ),
    Check(
        "output limit",
        "output is limited",
        probes.FLOOD,
        lambda outcome: len(outcome.stdout) == LIMITS.output_bytes + 1,
    ),
    Check("process limit", "the number of processes is limited", probes.FORKS, _prints("True\n")),
    Check(
        "CPU limit",
        "CPU time is limited",
        "import time\nwhile time.process_time() < 2: pass",
        _ends_for(Reason.CPU_LIMIT),
        _BUSY_LIMITS,
    ),
    Check(
        "idle limit",
        "a program that idles is ended",
        "import time\ntime.sleep(5)",
        _ends_for(Reason.IDLE, Reason.WALL_LIMIT),
        _IDLE_LIMITS,
    ),
)
"""The cheap ones first; the two that take their time last."""
