"""The control groups of jails, version 1 or 2, where the machine lets us have them.

nsjail makes a group per jail below a parent of ours and removes it when the jail ends properly; what a
killed nsjail leaves behind is removed here (``Cgroup.remove``), and what a killed service leaves behind
when the next one starts (``sweep``).
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

PARENT = "microcoder"
ROOT = Path("/sys/fs/cgroup")

Version = Literal[1, 2]

_V1_CONTROLLERS = ("memory", "pids", "cpuacct")
_PREFIX = "NSJAIL."
_NO_BOUND = 1 << 60
"""Version 1 says "no bound" by a number near 2^63."""


def available() -> Version | None:
    """Which version can be used by this process: makes the parent groups as a proof."""
    if _make_v1_parents():
        return 1
    if _make_v2_parent():
        return 2
    return None


def _make_v1_parents() -> bool:
    try:
        for controller in _V1_CONTROLLERS:
            if not (ROOT / controller / "tasks").exists():
                return False
            (ROOT / controller / PARENT).mkdir(exist_ok=True)
    except OSError:
        return False
    return True


def _make_v2_parent() -> bool:
    """Needs the two controllers to be delegated: a parent without processes, allowed to hand them on."""
    try:
        offered = (ROOT / "cgroup.controllers").read_text().split()
        if not {"memory", "pids"} <= set(offered):
            return False
        (ROOT / "cgroup.subtree_control").write_text("+memory +pids")
        parent = ROOT / PARENT
        parent.mkdir(exist_ok=True)
        (parent / "cgroup.subtree_control").write_text("+memory +pids")
    except OSError:
        return False
    return True


def sweep() -> int:
    """Remove the empty groups of jails whose process is gone; those of other services are left alone.

    Returns:
        How many were removed.
    """
    groups = [*ROOT.glob(f"*/{PARENT}/{_PREFIX}*"), *(ROOT / PARENT).glob(f"{_PREFIX}*")]
    return sum(map(_remove_if_left, groups))


def _remove_if_left(group: Path) -> bool:
    pid = group.name.removeprefix(_PREFIX)
    if not pid.isdecimal() or Path("/proc", pid).exists():
        return False
    try:
        group.rmdir()
    except OSError:  # still in use after all, or removed by another service
        return False
    return True


@dataclass(frozen=True)
class Cgroup:
    """The group of one jail.

    Attributes:
        version: 1 or 2.
        name: The group's directory name: nsjail's ``NSJAIL.<host pid of its child>``.
    """

    version: Version
    name: str

    def _folder(self, controller: str) -> Path:
        return (ROOT / controller if self.version == 1 else ROOT) / PARENT / self.name

    @property
    def _memory(self) -> Path:
        return self._folder("memory")

    def exists(self) -> bool:
        """Whether nsjail really made it."""
        return self._memory.is_dir()

    def unbounded(self, pid: int) -> list[str]:
        """Of memory and processes, what the group does not bound for this process and its children."""
        memory = "memory.limit_in_bytes" if self.version == 1 else "memory.max"
        return [
            controller
            for controller, file in (("memory", memory), ("pids", "pids.max"))
            if not self._bounds(pid, controller, file)
        ]

    def _bounds(self, pid: int, controller: str, file: str) -> bool:
        folder = self._folder(controller)
        try:
            members = (folder / "cgroup.procs").read_text().split()
            bound = (folder / file).read_text().strip()
        except FileNotFoundError:
            return False
        return str(pid) in members and bound != "max" and int(bound) < _NO_BOUND

    def limit_memory(self, limit_bytes: int) -> None:
        """Bound what all processes of the jail together can have in memory, scratch files included."""
        file = "memory.limit_in_bytes" if self.version == 1 else "memory.max"
        (self._memory / file).write_text(str(limit_bytes))

    def count_cpu_time_of(self, pid: int) -> None:
        """Count the CPU time of a process and of all it will start; nsjail does not ask for that itself."""
        if self.version == 1:
            folder = self._folder("cpuacct")
            folder.mkdir(exist_ok=True)
            (folder / "cgroup.procs").write_text(str(pid))

    def open_cpu_time(self) -> int:
        """A descriptor of the kernel's figure, which ``inside.cpu`` reads."""
        return os.open(self._cpu_time_file, os.O_RDONLY | os.O_CLOEXEC)

    @cached_property
    def _cpu_time_file(self) -> str:
        """Paths of what every submission reads are made once: that takes ten times as long as the reading."""
        file = "cpuacct.usage" if self.version == 1 else "cpu.stat"
        return str(self._folder("cpuacct") / file)

    @cached_property
    def _kills_file(self) -> str:
        file = "memory.oom_control" if self.version == 1 else "memory.events"
        return str(self._memory / file)

    def kills_count(self) -> int:
        """How often the kernel killed a process of the jail for lack of memory."""
        descriptor = os.open(self._kills_file, os.O_RDONLY | os.O_CLOEXEC)
        try:
            content = os.read(descriptor, 4096)
        finally:
            os.close(descriptor)
        for line in content.splitlines():
            word, _, count = line.partition(b" ")
            if word == b"oom_kill":
                return int(count)
        return 0

    def remove(self) -> None:
        """Remove the group of a dead jail; its last processes may still be on their way out."""
        controllers = _V1_CONTROLLERS if self.version == 1 else ("memory",)
        for folder in map(self._folder, controllers):
            for _ in range(50):
                try:
                    os.rmdir(folder)
                except FileNotFoundError:
                    break
                except OSError:
                    time.sleep(0.02)
                else:
                    break
