"""Ending all that a test left behind, and taking in what it cost."""

from __future__ import annotations

import os
import signal
from contextlib import suppress

from .guard import prove_jailed


def kill_everything() -> None:
    """Only ever as pid 1, and by a session that has proved its jail: nobody leaves a namespace unawares."""
    if os.getpid() != 1:
        prove_jailed()
    with suppress(ProcessLookupError):
        os.kill(-1, signal.SIGKILL)


def stop_everything(pid: int) -> None:
    """Stop all that runs here, and wait until ``pid`` stands still: what it wrote is then what it wrote."""
    os.kill(-1, signal.SIGSTOP)
    os.waitid(os.P_PID, pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)


def let_go_on() -> None:
    """Undo ``stop_everything``."""
    with suppress(ProcessLookupError):
        os.kill(-1, signal.SIGCONT)


def reap(pid: int) -> tuple[int, float, int]:
    """Reap all children: (wait status of ``pid``, CPU seconds of all, peak RSS of one, in KiB)."""
    status, cpu_seconds, peak = 0, 0.0, 0
    while True:
        try:
            reaped, its_status, usage = os.wait4(-1, 0)
        except ChildProcessError:
            return status, cpu_seconds, peak
        cpu_seconds += usage.ru_utime + usage.ru_stime
        peak = max(peak, usage.ru_maxrss)
        if reaped == pid:
            status = its_status
