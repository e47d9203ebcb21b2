"""Processes of one's own: started with a log file, looked at from outside, ended by their id."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil

START_SECONDS = 60.0
END_SECONDS = 30.0


def cpu_seconds(pid: int) -> float:
    """CPU time that a process has taken, with its ended children; user and system, all threads.

    Its own to the nanosecond, by its CPU clock (clock_getcpuclockid(3)); that of children in ticks of 10 ms.
    """
    times = psutil.Process(pid).cpu_times()
    return time.clock_gettime((~pid << 3) | 2) + times.children_user + times.children_system


def family_cpu_seconds(pid: int) -> float:
    """CPU time that a process and all below it have taken."""
    seconds = cpu_seconds(pid)
    for child in psutil.Process(pid).children(recursive=True):
        try:
            seconds += cpu_seconds(child.pid)
        except (
            psutil.NoSuchProcess,
            OSError,
        ):  # it has ended: its parent's figure has it from now on
            continue
    return seconds


def resident_bytes(pid: int) -> int:
    """Memory of a process that is in RAM."""
    return int(psutil.Process(pid).memory_info().rss)


@contextmanager
def running(
    command: Sequence[str], environment: Mapping[str, str], *, until: str
) -> Iterator[tuple[int, str]]:
    """A process for the length of the block: its id, and the line with ``until`` that it printed once it was ready.

    Its standard error goes to a file, as that of a service in production does.

    Raises:
        RuntimeError: If it ends before it prints that; with the end of its log.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        (Path(folder) / "log").open("wb") as log,
        subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, *command],
            env={**_without_settings(), **environment},
            stdout=subprocess.PIPE,
            stderr=log,
        ) as process,
    ):
        try:
            yield process.pid, _line_with(process, until, Path(folder) / "log")
        finally:
            process.terminate()
            try:
                process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()


def _without_settings() -> dict[str, str]:
    """Our environment, without the settings of another service."""
    return {name: value for name, value in os.environ.items() if not name.startswith("MICROCODER_")}


def _line_with(process: subprocess.Popen[bytes], until: str, log: Path) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if until in line.decode():
            return line.decode().strip()
    raise RuntimeError(f"{process.args!r} ended before it was ready\n{log.read_text()[-4000:]}")
