"""The list that every jail must pass: a back end without walls does not, and nothing is lent before."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from sandbox import pool, selfcheck
from sandbox.checks import CHECKS, LOOKS
from sandbox.errors import JailDiedError
from sandbox.isolation import Plan, plans
from sandbox.model import Compiled, Outcome, Program, Reason, RunLimits
from sandbox.pool import Pool
from sandbox.probes import LEFT_BEHIND
from sandbox.selfcheck import Finding, SelfCheck, run_checks
from sandbox.slot import Slot

DROP_ROOT = """
import ctypes, errno, os, resource, socket, sys, time
if os.getuid() == 0:
    os.setgroups([])
    os.setresgid(65534, 65534, 65534)
    os.setresuid(65534, 65534, 65534)
"""


class NoJail:
    """A back end without walls: a bare interpreter, in a session of its own, as an ordinary user."""

    plan = Plan(two_ids=True, cgroup_version=1)
    zygote_pid = os.getpid()
    mounted: tuple[str, ...] = ()

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def program(self) -> NoJail:
        """Itself: there is no jail."""
        return self

    @contextlib.contextmanager
    def open_session(self, program: Program, _: RunLimits) -> Iterator[NoJail]:
        """Itself again, with a program."""
        self._source = program.source.decode()
        yield self

    def compiled(self) -> Compiled:
        """Nothing is compiled ahead."""
        return Compiled(ok=True, message="", complete=True, cpu_time_seconds=0.0)

    def run_all(self, inputs: list[bytes]) -> Iterator[Outcome]:
        """Run the program; a shell stands between, all that its hands on its parent could reach."""
        shell = ["sh", "-c", 'ulimit -t 10; "$@"; exit $?', "sh"]
        python = [sys.executable, "-c", DROP_ROOT + self._source]
        with open(os.devnull) as left_open:
            ended = subprocess.run(
                [*shell, *python],
                input=inputs[0],
                capture_output=True,
                cwd=self._folder,
                pass_fds=[left_open.fileno()],
                start_new_session=True,
                timeout=60,
                check=False,
            )
        yield Outcome(
            reason=Reason.BY_ITSELF,
            exit_code=ended.returncode,
            signal=None,
            cpu_time_seconds=0.0,
            wall_time_seconds=0.0,
            peak_memory_bytes=0,
            out_of_memory=False,
            stdout=ended.stdout,
            stderr_tail=ended.stderr,
            stderr_cut=False,
            result=b"",
        )


NOT_TRIED = {"session out of reach", "process limit", "CPU limit", "idle limit"}
"""What has no place outside of a jail: killing a parent, forking, and programs that only a limit ends."""
NEEDS_NO_WALL = {"runs", "other uid", "no capabilities"}
"""Any ordinary user's program has these."""


def inherited() -> set[str]:
    """What this very process is under, where tests run in a container."""
    status = Path("/proc/self/status").read_text()
    signs = {"filter": "Seccomp:\t2", "no new privileges": "NoNewPrivs:\t1"}
    return {name for name, sign in signs.items() if sign in status}


def test_a_back_end_without_walls_passes_no_check_that_is_about_one(
    tmp_path: Path,
) -> None:
    checks = tuple(check for check in CHECKS if check.name not in NOT_TRIED)
    back_end: Any = NoJail(tmp_path)
    try:
        findings = list(run_checks(back_end, checks))
    finally:
        for place in ("/tmp", "/dev/shm"):
            Path(place, LEFT_BEHIND).unlink(missing_ok=True)
    held = {finding.name for finding in findings if finding.held}
    assert len(findings) == len(LOOKS) + len(checks)
    assert held - inherited() == NEEDS_NO_WALL


@pytest.mark.nsjail
def test_a_pool_lends_nothing_before_the_checks_have_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    let_end = threading.Event()

    def held_up(slot: Slot) -> SelfCheck:
        let_end.wait(60)
        return selfcheck.self_check(slot)

    monkeypatch.setattr(pool, "self_check", held_up)
    found = Pool(1)
    found.start()
    try:
        with ThreadPoolExecutor(1) as borrower:
            lent = borrower.submit(_borrow_once, found)
            assert found.obstacle() == "the self-check of the sandbox has not ended yet"
            assert not lent.done()
            let_end.set()
            assert lent.result(60) is None
        assert found.obstacle() is None
        assert found.level == next(plans()).level
    finally:
        let_end.set()
        found.close()


def _borrow_once(found: Pool) -> str | None:
    """What stood in the way at the time when a slot was lent."""
    with found.borrow():
        return found.obstacle()


class _Dying:
    """A slot whose jail dies whenever a check begins, so many times."""

    def __init__(self, deaths_count: int) -> None:
        self._deaths = iter(range(deaths_count))

    def run_checks(self, _: Any) -> Iterator[Finding]:
        if next(self._deaths, None) is not None:
            raise JailDiedError("it was killed")
        yield Finding("runs", "-", held=True, seen="")

    def drop_dead(self) -> None:
        """What died is gone already."""


@pytest.mark.parametrize(("deaths_count", "passes"), [(0, True), (2, True), (99, False)])
def test_a_jail_that_dies_under_its_checks_is_tried_again_but_not_for_ever(
    monkeypatch: pytest.MonkeyPatch, deaths_count: int, passes: bool
) -> None:
    slot: Any = _Dying(deaths_count)
    monkeypatch.setattr(selfcheck, "run_checks", slot.run_checks)
    result = selfcheck.self_check(slot)
    assert result.passed is passes
    assert result.obstacle == ("" if passes else "it was killed")
    assert bool(result.complaint) is not passes


def test_what_a_program_saw_is_not_for_clients() -> None:
    finding = Finding("no host files", "a program sees little", held=False, seen="/etc/shadow")
    result = SelfCheck((finding,), datetime.now(UTC), 0.1)
    assert "no host files (a program sees little)" in result.complaint
    assert "shadow" not in result.complaint
