"""How much CPU time a running test has used, with everything it started."""

from __future__ import annotations

import os
import time

HARNESS_SECONDS = 0.05
"""More than our own part (forking, killing, reaping) in what the control group counts for one test."""

_MOST_MISSES_COUNT = 64


class CpuMeter:
    """Measures one test at a time.

    The figure of the jail's control group misses nothing. Without a group, two things remain: the clocks of
    living processes and the usage of those that were reaped. Both miss a child that nobody waited for: its
    time is in no account when its parent ignores SIGCHLD.

    Args:
        group_file: Descriptor of the group's figure (``cpuacct.usage``, or ``cpu.stat`` of version 2).
    """

    def __init__(self, group_file: int | None) -> None:
        self._group_file = group_file
        self._before = 0.0
        self._own_before = 0.0

    def start(self, pid: int | None = None) -> None:
        """Begin at zero, whatever the process used before if it is there already."""
        self._before = self._of_group()
        self._own_before = 0.0 if pid is None else clock_of(pid)

    def used_seconds(self, pid: int) -> float:
        """By the living process and those it started."""
        by_clocks = _by_clocks_from(pid) - self._own_before
        return max(by_clocks, self._of_group() - self._before)

    def used_by_one_seconds(self, pid: int) -> float:
        """By a living process without children, or what the group knows."""
        return max(clock_of(pid) - self._own_before, self._of_group() - self._before)

    def total_seconds(self, reaped_seconds: float) -> float:
        """Of a test that is over: what its reaped processes used, or what the group knows beyond it."""
        reaped_seconds -= self._own_before
        counted = self._of_group() - self._before
        return counted if counted > reaped_seconds + HARNESS_SECONDS else reaped_seconds

    def _of_group(self) -> float:
        if self._group_file is None:
            return 0.0
        words = os.pread(self._group_file, 64, 0).split()
        return int(words[0]) * 1e-9 if words[0].isdigit() else int(words[1]) * 1e-6


def clock_of(pid: int) -> float:
    """The CPU clock of a living process (there is no /proc here); ids as of clock_getcpuclockid(3).

    Raises:
        OSError: If there is no such process.
    """
    return time.clock_gettime((~pid << 3) | 2)


def _by_clocks_from(pid: int) -> float:
    """By the CPU clocks of living processes; pids rise by one in a fresh namespace."""
    total, misses_count = 0.0, 0
    while misses_count < _MOST_MISSES_COUNT:
        try:
            total += clock_of(pid)
            misses_count = 0
        except OSError:
            misses_count += 1
        pid += 1
    return total
