"""Whose time it was."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sandbox.accounting import decide, longest_wait_seconds
from sandbox.model import Reason

seconds = st.floats(0.01, 100)


def test_a_sleeper_is_ended_two_seconds_beyond_its_cpu_limit() -> None:
    assert decide(6.0, 0.0, 4.0, 30.0) == (Reason.IDLE, 0.0)


def test_a_program_that_waited_for_a_cpu_gets_that_time_back() -> None:
    reason, more = decide(6.0, 5.0, 4.0, 30.0)
    assert reason is Reason.BY_ITSELF
    assert more == 5.0


def test_a_short_backstop_ends_it_earlier() -> None:
    assert decide(1.0, 0.0, 4.0, 1.0) == (Reason.WALL_LIMIT, 0.0)


def test_who_never_got_a_cpu_is_starved_not_slow() -> None:
    assert decide(30.0, 29.0, 4.0, 30.0) == (Reason.STARVED, 0.0)


@given(st.floats(5e-324, 0.2), st.floats(0.0, 0.01))
def test_a_moment_of_waiting_is_no_starving_however_small_the_limit(
    wall_limit: float, late_by: float
) -> None:
    elapsed = 0.001
    assert decide(elapsed, elapsed + late_by, 4.0, wall_limit)[0] is not Reason.STARVED


@given(seconds, seconds, seconds)
def test_excused_time_never_hurts(elapsed: float, cpu_limit: float, wall_limit: float) -> None:
    without, _ = decide(elapsed, 0.0, cpu_limit, wall_limit)
    excused, _ = decide(elapsed, elapsed, cpu_limit, wall_limit)
    assert excused in (without, Reason.BY_ITSELF, Reason.STARVED)


@given(seconds, seconds, st.floats(0, 1))
def test_every_program_comes_to_an_end(cpu_limit: float, wall_limit: float, share: float) -> None:
    elapsed = longest_wait_seconds(cpu_limit, wall_limit)
    assert decide(elapsed, share * elapsed, cpu_limit, wall_limit)[0] is not Reason.BY_ITSELF
