"""A bound on the memory of all processes of a test together, where no control group can have one.

Each process is limited by the kernel (RLIMIT_AS); a test that spreads over many is not. A thread of ours looks at
what they hold, several times a second, and ends the test that holds too much. Between two looks a test can take
what the machine can fill in that time. What a process has shared counts once, in parts (proportional set size of
proc(5)); what no process maps, such as pipes and sockets hold, is not seen.
"""

from __future__ import annotations

import logging
import os
import re
import signal
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol

from .family import children_of, descendants_of, tests_of

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.05
SPARE_BYTES = 24 << 20
"""A test's part of what it shares with zygote and session."""

_PSS = re.compile(rb"^Pss:\s+(\d+) kB", re.MULTILINE)


class Watched(Protocol):
    """What is watched: a jail."""

    pid: int
    """Of its nsjail; 0 once it is gone."""
    memory_limit_bytes: int
    """Of the submission that it runs; 0 when it runs none."""
    ended_for_memory_count: int
    """Raised by the watchdog for each test that it ends."""


class Watchdog:
    """Watches all jails that ``jails`` names at the time of each look."""

    def __init__(self, jails: Callable[[], Iterable[Watched]]) -> None:
        self._jails = jails
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="memory-watchdog", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def close(self) -> None:
        """Stop looking."""
        self._closing.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _watch(self) -> None:
        while not self._closing.wait(LOOK_SECONDS):
            for jail in self._jails():
                try:
                    look_at(jail)
                except OSError:
                    log.exception("the memory of jail %d cannot be watched", jail.pid)


def look_at(jail: Watched) -> None:
    """End the test that runs in a jail if it holds more than it may.

    Raises:
        OSError: If the kernel does not let us look.
    """
    if not jail.memory_limit_bytes or not jail.pid:
        return
    for session, tests in tests_of(jail.pid):
        held_bytes = sum(map(_held_by, descendants_of(session)))
        if held_bytes > jail.memory_limit_bytes + SPARE_BYTES:
            jail.ended_for_memory_count += 1  # first: the outcome may be read at once
            for test in tests:
                _end_child(test, session)


def _held_by(pid: int) -> int:
    """Proportional set size in bytes; 0 of a process that is gone."""
    try:
        found = _PSS.search(Path(f"/proc/{pid}/smaps_rollup").read_bytes())
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return int(found[1]) * 1024 if found else 0


def _end_child(pid: int, parent: int) -> None:
    """Kill a process if it still is that parent's child: its number may have gone to another by now."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        if pid in children_of(parent):
            signal.pidfd_send_signal(descriptor, signal.SIGKILL)
    except ProcessLookupError:
        return
    finally:
        os.close(descriptor)
