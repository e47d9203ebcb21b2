"""Whose time it was: the host's scheduler says how long a program waited for a CPU.

Time spent runnable but waiting is the machine's fault, not the program's. Source: the kernel's
Documentation/scheduler/sched-stats.rst (``/proc/<pid>/task/<tid>/schedstat``: running, waiting, slices).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from .family import descendants_of, tests_of
from .inside.wire import IDLE_GRACE_SECONDS, Reason

_NANOSECONDS = 1e-9

LEAST_PATIENCE_SECONDS = 1.0


class Activity(NamedTuple):
    """What the processes of a test have been doing so far.

    ``waiting_seconds`` is the longest any single thread waited, since threads wait side by side.
    """

    running_seconds: float
    waiting_seconds: float


def activity_of_tests(nsjail_pid: int) -> Activity:
    """Look at the test processes in a jail: all below nsjail → zygote → session."""
    running = waiting = 0.0
    for pid in _tests(nsjail_pid):
        for runs, waits in _threads(pid):
            running += runs
            waiting = max(waiting, waits)
    return Activity(running, waiting)


def _tests(nsjail_pid: int) -> Iterator[int]:
    for session, _ in tests_of(nsjail_pid):
        yield from descendants_of(session)


def _threads(pid: int) -> Iterator[tuple[float, float]]:
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            running, waiting, _ = (task / "schedstat").read_text().split()
            yield int(running) * _NANOSECONDS, int(waiting) * _NANOSECONDS
    except (FileNotFoundError, ProcessLookupError):
        return


def decide(
    elapsed_seconds: float,
    excused_seconds: float,
    cpu_limit_seconds: float,
    wall_limit_seconds: float,
    running_seconds: float = 0.0,
) -> tuple[Reason, float]:
    """Whether a program that has not ended may go on, and for how many seconds.

    Args:
        elapsed_seconds: Since its start.
        excused_seconds: How much of that was not its own: waiting for a CPU, or for its tester.
        cpu_limit_seconds: Limit on CPU time.
        wall_limit_seconds: Backstop on elapsed time.
        running_seconds: CPU time of all its living processes, also of those that hide from the session:
            whoever keeps the CPUs busy makes itself wait, and is not excused.

    Returns:
        BY_ITSELF and the seconds it may still take; CPU_LIMIT, IDLE or WALL_LIMIT if it had its time;
        STARVED if the machine never let it have it.
    """
    if running_seconds >= cpu_limit_seconds:
        return Reason.CPU_LIMIT, 0.0
    idle_allowance = cpu_limit_seconds + IDLE_GRACE_SECONDS
    allowance = min(idle_allowance, wall_limit_seconds)
    own = elapsed_seconds - excused_seconds
    if own >= allowance:
        return (Reason.IDLE if allowance == idle_allowance else Reason.WALL_LIMIT), 0.0
    if elapsed_seconds >= longest_wait_seconds(cpu_limit_seconds, wall_limit_seconds):
        return Reason.STARVED, 0.0
    return Reason.BY_ITSELF, max(allowance - own, 0.05)


def longest_wait_seconds(cpu_limit_seconds: float, wall_limit_seconds: float) -> float:
    """How long a starved program is waited for before we give up and blame ourselves.

    Never less than LEAST_PATIENCE_SECONDS: what a program waited is read a moment after its elapsed time,
    and under a tiny limit that moment alone would look like starving.
    """
    allowance_seconds = min(cpu_limit_seconds + IDLE_GRACE_SECONDS, wall_limit_seconds)
    return max(wall_limit_seconds, 4 * allowance_seconds, LEAST_PATIENCE_SECONDS)
