"""How fast the machine is, is measured before anything is lent, or given."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from sandbox import calibration, pool
from sandbox.errors import JailDiedError, SandboxUnavailableError
from sandbox.pool import Pool
from sandbox.slot import Slot
from sandbox.speed import REFERENCE, Speed

pytestmark = pytest.mark.nsjail

Start = Callable[..., Pool]


@pytest.fixture
def start() -> Iterator[Start]:
    """``start(speed)``: a pool of one slot, which may still be proving itself."""
    pools: list[Pool] = []

    def started(machine_seconds_per_reference_second: float | None = None) -> Pool:
        given = machine_seconds_per_reference_second
        pools.append(Pool(1, machine_seconds_per_reference_second=given))
        pools[-1].start()
        return pools[-1]

    yield started
    for each in pools:
        each.close()


def test_this_machine_is_within_twenty_times_of_the_reference_machine(start: Start) -> None:
    started = start()
    with started.borrow():
        speed = started.figures().speed
    assert speed is started.speed()
    for loop in (speed.integers, speed.memory, speed.machine_seconds_per_reference_second):
        assert 0.1 < loop < 20


def test_both_loops_count_as_much_as_the_other() -> None:
    assert Speed(integers=2, memory=8).machine_seconds_per_reference_second == 4


def test_a_loop_whose_jail_dies_is_run_again_in_another(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    best_seconds = calibration._best_seconds
    deaths = [JailDiedError("the jail is gone")]

    def dies_once(slot: Slot, source: bytes) -> float:
        if deaths:
            raise deaths.pop()
        return best_seconds(slot, source)

    monkeypatch.setattr(calibration, "_best_seconds", dies_once)
    started = start()
    with started.borrow():
        assert started.figures().speed is not None


def test_a_machine_whose_speed_cannot_be_measured_lends_nothing_and_says_why(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibration, "_INTEGERS", b"raise SystemExit(1)")
    started = start()
    with pytest.raises(SandboxUnavailableError, match="could not be measured"), started.borrow():
        pass
    assert started.speed() is REFERENCE


def test_a_speed_that_is_given_is_not_measured(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "measure", lambda _: Speed.fixed(9))
    started = start(2.5)
    with started.borrow():
        assert started.speed().machine_seconds_per_reference_second == 2.5
