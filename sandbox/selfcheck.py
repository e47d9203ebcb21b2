"""One list of small checks that every jail must pass, each a promise in a sentence.

Used by ``microcoder doctor`` and by tests. Each check is a program, run like any submission, and what must
be seen from outside. A jail that lets something out fails; so does one that stops an honest program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from .model import Mode, Outcome, Program, Reason, RunLimits
from .pool import Slot

LIMITS = RunLimits(
    cpu_time_seconds=0.5,
    wall_time_seconds=30.0,
    memory_bytes=128 << 20,
    output_bytes=1 << 20,
    processes_count=16,
    compile_time_seconds=10.0,
)


class Check(NamedTuple):
    """One promise, a program that puts it to the test, and what must be seen."""

    name: str
    promise: str
    source: str
    holds: Callable[[Outcome], bool]


class Finding(NamedTuple):
    """How a check came out."""

    check: Check
    held: bool
    seen: str


def _prints(text: str) -> Callable[[Outcome], bool]:
    return lambda outcome: outcome.stdout == text.encode()


def _ends_for(*reasons: Reason) -> Callable[[Outcome], bool]:
    return lambda outcome: outcome.reason in reasons


def _refused(attempt: str) -> str:
    """A program that prints "refused" if ``attempt`` raises OSError, else what came of it."""
    return f"import os, socket, ctypes\ntry:\n    print({attempt})\nexcept OSError:\n    print('refused')\n"


CHECKS = (
    Check("runs", "an honest program runs", "print(6 * 7)", _prints("42\n")),
    Check(
        "other uid",
        "a program has no privileges",
        "import os\nprint(all(os.getresuid()) and all(os.getresgid()))",
        _prints("True\n"),
    ),
    Check(
        "no network",
        "a program reaches no network, not even this machine's own ports",
        _refused("socket.create_connection(('127.0.0.1', 22), 1)"),
        _prints("refused\n"),
    ),
    Check(
        "no processes",
        "a program sees none of the host's processes",
        _refused("os.listdir('/proc')"),
        _prints("refused\n"),
    ),
    Check(
        "no host files",
        "a program sees neither the host's settings nor anybody's home",
        _refused("os.listdir('/etc') + os.listdir('/root')"),
        _prints("refused\n"),
    ),
    Check(
        "read-only",
        "a program can write to its scratch directories only",
        _refused("open('/usr/evil', 'w')"),
        _prints("refused\n"),
    ),
    Check(
        "no descriptors",
        "a program finds no descriptors but its own three",
        "import os\nfound = []\nfor fd in range(4096):\n    try:\n        os.fstat(fd)\n"
        "    except OSError:\n        continue\n    found.append(fd)\nprint(found)",
        _prints("[0, 1, 2]\n"),
    ),
    Check(
        "no namespaces",
        "a program cannot make namespaces of its own",
        "import ctypes\nprint([ctypes.CDLL(None).unshare(f) for f in (1 << 28, 1 << 17, 1 << 29)])",
        _prints("[-1, -1, -1]\n"),
    ),
    Check(
        "session out of reach",
        "a program cannot end or trace the process that watches it",
        "import ctypes, os\nlibc = ctypes.CDLL(None)\n"
        "print(libc.ptrace(16, os.getppid(), 0, 0), end=' ')\n"
        "try:\n    os.kill(os.getppid(), 9)\nexcept OSError:\n    pass\nprint('alive')",
        _prints("-1 alive\n"),
    ),
    Check("CPU limit", "CPU time is limited", "while True: pass", _ends_for(Reason.CPU_LIMIT)),
    Check(
        "idle limit",
        "a program that idles is ended",
        "import time\ntime.sleep(100)",
        _ends_for(Reason.IDLE, Reason.WALL_LIMIT),
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
        "import os\ntry:\n    while True: os.write(1, b'x' * 65536)\nexcept OSError: pass",
        lambda outcome: len(outcome.stdout) == LIMITS.output_bytes + 1,
    ),
    Check(
        "process limit",
        "the number of processes is limited",
        "import os, time\nn = 0\ntry:\n    while True:\n        if os.fork() == 0: time.sleep(9)\n"
        "        n += 1\nexcept OSError:\n    print(n < 64)",
        _prints("True\n"),
    ),
    Check(
        "nothing stays",
        "what the tests before left behind is gone",
        "import os\nprint(os.listdir('/tmp') + os.listdir('/dev/shm'), len(os.listdir('/dev')) < 10)",
        _prints("[] True\n"),
    ),
)


def run_checks(slot: Slot, checks: tuple[Check, ...] = CHECKS) -> Iterator[Finding]:
    """Run every check in the slot's jail, each as a submission of its own.

    Raises:
        SandboxError: If the jail itself fails.
    """
    for check in checks:
        program = Program(mode=Mode.STDIO, source=check.source.encode())
        with slot.program().open_session(program, LIMITS) as session:
            session.compiled()
            (outcome,) = session.run_all([b""])
        yield Finding(check, check.holds(outcome), _seen(outcome))


def _seen(outcome: Outcome) -> str:
    out = outcome.stdout[:200].decode("utf-8", "replace").strip()
    error = outcome.stderr_tail[-200:].decode("utf-8", "replace").strip()
    return (
        f"{outcome.reason.name.lower()}, exit {outcome.exit_code}, wrote {out!r} {error!r}".strip()
    )
