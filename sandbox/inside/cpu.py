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

    def start(self) -> None:
        """Begin at zero."""
        self._before = self._of_group()

    def used_seconds(self, pid: int) -> float:
        """By the living process and those it started."""
        return max(_by_clocks_from(pid), self._of_group() - self._before)

    def total_seconds(self, reaped_seconds: float) -> float:
        """Of a test that is over: what its reaped processes used, or what the group knows beyond it."""
        counted = self._of_group() - self._before
        return counted if counted > reaped_seconds + HARNESS_SECONDS else reaped_seconds

    def _of_group(self) -> float:
        if self._group_file is None:
            return 0.0
        words = os.pread(self._group_file, 64, 0).split()
        return int(words[0]) * 1e-9 if words[0].isdigit() else int(words[1]) * 1e-6


def _by_clocks_from(pid: int) -> float:
    """By the CPU clocks of living processes (there is no /proc here).

    Pids rise by one in a fresh namespace; clock ids are those of clock_getcpuclockid(3).
    """
    total, misses_count = 0.0, 0
    while misses_count < _MOST_MISSES_COUNT:
        try:
            total += time.clock_gettime((~pid << 3) | 2)
            misses_count = 0
        except OSError:
            misses_count += 1
        pid += 1
    return total
