"""What a killed service leaves behind, and what a service does that is told to stop under way."""

from __future__ import annotations

import os
import subprocess
import threading
from pathlib import Path

import pytest

from sandbox import cgroup
from sandbox.errors import SandboxUnavailableError
from sandbox.isolation import Plan
from sandbox.slot import Slot
from sandbox.staging import Stage


def _pid_of_the_past() -> int:
    with subprocess.Popen(["true"]) as process:
        return process.pid


@pytest.mark.parametrize("controller", ["memory", "."])
def test_groups_of_dead_jails_alone_are_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, controller: str
) -> None:
    monkeypatch.setattr(cgroup, "ROOT", tmp_path)
    parent = tmp_path / controller / cgroup.PARENT
    dead, living = parent / f"NSJAIL.{_pid_of_the_past()}", parent / f"NSJAIL.{os.getpid()}"
    for folder in (dead, living, parent / "another"):
        folder.mkdir(parents=True)
    assert cgroup.sweep() == 1
    assert sorted(path.name for path in parent.iterdir()) == sorted([living.name, "another"])


def test_a_closed_slot_starts_no_jail() -> None:
    slot = Slot(
        0,
        Path("/bin/false"),
        Stage(Path("/nowhere"), "", ()),
        Plan(two_ids=False, cgroup_version=None),
    )
    slot.close()
    with pytest.raises(SandboxUnavailableError, match="shutting down"):
        slot.program()


class _Jail:
    """Counts how often it is killed; lets another thread in between."""

    alive = False
    sessions_count = 0

    def __init__(self, slot: Slot) -> None:
        self._slot = slot
        self.kills_count = 0

    def kill(self) -> None:
        self.kills_count += 1
        other = threading.Thread(target=self._slot.drop_dead)
        other.start()
        other.join(0.1)


def test_a_jail_is_killed_once_when_its_thread_and_the_end_of_the_service_meet() -> None:
    slot = Slot(
        0,
        Path("/bin/false"),
        Stage(Path("/nowhere"), "", ()),
        Plan(two_ids=False, cgroup_version=None),
    )
    jail = _Jail(slot)
    slot._jails["program", "base"] = jail  # type: ignore[assignment]
    slot.close()
    slot.drop_dead()
    assert jail.kills_count == 1
