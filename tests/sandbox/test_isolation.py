"""Which walls are built, and which never."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox import cgroup, isolation, walls
from sandbox.cgroup import Cgroup
from sandbox.isolation import FIRST_OUTSIDE_ID, Plan, outside_ids


@pytest.mark.parametrize("two_ids", [True, False])
def test_a_jail_is_never_mapped_to_the_machines_root(
    monkeypatch: pytest.MonkeyPatch, two_ids: bool
) -> None:
    """The kernel exempts root from RLIMIT_NPROC (copy_process in kernel/fork.c)."""
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr(isolation, "_own_uid_map", lambda: [(0, 0, 4294967295)])
    assert 0 not in outside_ids(Plan(two_ids, None), 0)


def test_two_slots_never_share_an_id() -> None:
    plan = Plan(two_ids=True, cgroup_version=None)
    assert not set(outside_ids(plan, 0)) & set(outside_ids(plan, 1))


def test_an_ordinary_user_has_its_own_id_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1234)
    assert outside_ids(Plan(two_ids=False, cgroup_version=None), 3) == (1234,)


def test_root_of_a_namespace_without_our_ids_cannot_map_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr(isolation, "_own_uid_map", lambda: [(0, 1000, 1), (1, FIRST_OUTSIDE_ID, 9)])
    assert not isolation.can_map_other_ids()


def test_the_level_says_what_held() -> None:
    assert Plan(two_ids=True, cgroup_version=1).level == "nsjail+cgroup"
    assert Plan(two_ids=False, cgroup_version=None).level == "nsjail+one-uid"


# --- what is seen of them from outside ------------------------------------------------------------

MACHINE, CONTAINER = (0, 0, 4294967295), (0, 100_000, 65_536)


@pytest.mark.parametrize(
    ("own", "jail", "seen"),
    [
        (MACHINE, (0, 100_000, 1), []),
        (MACHINE, (0, 0, 1), ["0 0 1"]),
        (MACHINE, MACHINE, ["0 0 4294967295"]),
        (CONTAINER, (0, 0, 1), []),
        ((1000, 0, 1), (0, 1000, 1), ["0 1000 1"]),
    ],
)
def test_an_id_that_is_the_machines_root_is_seen_from_any_namespace(
    monkeypatch: pytest.MonkeyPatch,
    own: tuple[int, int, int],
    jail: tuple[int, int, int],
    seen: list[str],
) -> None:
    maps = {"/proc/self/uid_map": [own], "/proc/7/uid_map": [jail]}
    monkeypatch.setattr(walls, "_id_ranges", lambda path: maps[str(path)])
    assert walls.ids_of_root(7, Plan(two_ids=True, cgroup_version=None)) == seen


@pytest.mark.parametrize(
    ("version", "folders", "memory", "no_bound"),
    [
        (1, ("memory", "pids"), "memory.limit_in_bytes", "9223372036854771712"),
        (2, (".", "."), "memory.max", "max"),
    ],
)
def test_a_group_that_bounds_nothing_is_seen(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    version: cgroup.Version,
    folders: tuple[str, str],
    memory: str,
    no_bound: str,
) -> None:
    monkeypatch.setattr(cgroup, "ROOT", tmp_path)
    of_memory, of_pids = (tmp_path / name / cgroup.PARENT / "NSJAIL.7" for name in folders)
    group = Cgroup(version, "NSJAIL.7")
    assert group.unbounded(7) == ["memory", "pids"]
    for folder in (of_memory, of_pids):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "cgroup.procs").write_text("7\n8\n")
    (of_memory / memory).write_text("1024\n")
    (of_pids / "pids.max").write_text("264\n")
    assert group.unbounded(7) == []
    assert group.unbounded(9) == ["memory", "pids"]
    (of_memory / memory).write_text(f"{no_bound}\n")
    (of_pids / "pids.max").write_text("max\n")
    assert group.unbounded(7) == ["memory", "pids"]
