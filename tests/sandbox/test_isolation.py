"""Which walls are built, and which never."""

from __future__ import annotations

import pytest

from sandbox import isolation
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
