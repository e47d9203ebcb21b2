"""A slot's jails: warm ahead of need, replaced in time, and every one accounted for."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox import slot as slot_module
from sandbox.errors import JailDiedError, SandboxUnavailableError
from sandbox.figures import JailEnd, Ledger, PoolFigures
from sandbox.isolation import Plan
from sandbox.model import Mode, Program, RunLimits
from sandbox.pool import Pool
from sandbox.slot import Slot, cpu_of
from sandbox.staging import Stage

LIMITS = RunLimits(5.0, 30.0, 128 << 20, 1 << 20, 8, 10.0)
PROGRAM = Program(mode=Mode.STDIO, source=b"print(6 * 7)")


@pytest.fixture
def started() -> Iterator[Pool]:
    """A pool of one slot, proved."""
    found = Pool(1)
    found.start()
    assert found.wait_until_checked().passed
    yield found
    found.close()


def run_once(slot: Slot) -> None:
    with slot.open_program(PROGRAM, LIMITS) as session:
        assert session.compiled().ok
        (outcome,) = session.run_all([b""])
    assert outcome.stdout == b"42\n"


def ended(figures: PoolFigures) -> dict[JailEnd, int]:
    return {end: count for end, count in figures.ended_jails_count.items() if count}


@pytest.mark.nsjail
def test_a_jail_that_has_served_its_number_is_replaced(
    started: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with started.borrow() as slot:
        served_count = slot.program().sessions_count
        monkeypatch.setattr(slot_module, "SESSIONS_PER_JAIL_COUNT", served_count + 2)
        for _ in range(3):
            run_once(slot)
    figures = started.figures()
    assert ended(figures) == {JailEnd.RECYCLED: 1}
    assert figures.ended_sessions_count == served_count + 2
    assert [jail.sessions_count for jail in figures.jails] == [1]
    assert figures.started_jails_count == {"base": 2}
    assert figures.start_seconds["base"] > 0


@pytest.mark.nsjail
def test_a_jail_that_was_killed_counts_as_dead(started: Pool) -> None:
    with started.borrow() as slot:
        os.kill(slot.program().pid, signal.SIGKILL)
        with pytest.raises(JailDiedError):
            run_once(slot)
        slot.drop_dead()
        run_once(slot)
    assert ended(started.figures()) == {JailEnd.DIED: 1}


@pytest.mark.nsjail
def test_a_slot_that_is_lent_is_not_free(started: Pool) -> None:
    with started.borrow():
        assert started.figures().free_slots_count == 0
    assert started.figures().free_slots_count == 1


@pytest.mark.nsjail
def test_warming_does_not_touch_a_jail_at_work(started: Pool) -> None:
    with started.borrow() as slot, slot.open_program(PROGRAM, LIMITS) as session:
        slot.warm_all()
        assert session.compiled().ok
    assert ended(started.figures()) == {}


def test_a_jail_that_never_came_to_serve_is_counted() -> None:
    ledger = Ledger()
    plan = Plan(two_ids=False, cgroup_version=None)
    slot = Slot(0, Path("/bin/false"), Stage(Path("/nowhere"), "", ()), plan, ledger=ledger)
    with pytest.raises(SandboxUnavailableError):
        slot.program()
    figures = ledger.figures(
        level="none", slots_count=1, free_slots_count=0, jails=slot.figures(), self_check=None
    )
    assert ended(figures) == {JailEnd.START_FAILED: 1}
    assert figures.jails == ()


def test_slots_keep_to_a_cpu_only_where_every_cpu_gets_as_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {3, 5})
    assert [cpu_of(number, 4) for number in range(4)] == [3, 5, 3, 5]
    assert [cpu_of(number, 3) for number in range(3)] == [None, None, None]
    assert cpu_of(0, 1) is None


def test_a_program_runs_on_its_slots_cpu() -> None:
    cpus = sorted(os.sched_getaffinity(0))
    pool = Pool(len(cpus))
    pool.start()
    with pool.borrow() as slot:
        program = Program(mode=Mode.STDIO, source=b"import os\nprint(*os.sched_getaffinity(0))")
        with slot.open_program(program, LIMITS) as session:
            assert session.compiled().ok
            (outcome,) = session.run_all([b""])
        expected = cpu_of(slot._number, len(cpus))
    pool.close()
    assert outcome.stdout.decode().split() == [str(expected)]


def test_a_jail_that_died_idle_is_replaced_before_the_next_program_meets_it(started: Pool) -> None:
    with started.borrow() as slot:
        run_once(slot)
        jail = slot.jails()[0]
        select.select([jail._control], [], [], 20)  # the zygote has said that the session is gone
        died = jail.pid
        os.kill(jail.zygote_pid, signal.SIGKILL)
        os.waitid(os.P_PID, died, os.WEXITED | os.WNOWAIT)

        assert slot.program().pid != died
