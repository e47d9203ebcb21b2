"""The limits that apply: who wins, what clamps, and whose seconds they are."""

from __future__ import annotations

import pytest

from evaluator_service.allowances import with_allowances
from evaluator_service.limits import effective_limits
from evaluator_service.schema import Limits, StdioProblem, Submission
from evaluator_service.settings import Settings
from sandbox.speed import REFERENCE, Speed

PROBLEM = StdioProblem.model_validate({"kind": "stdio", "tests": [{"expected": "7"}]})


def test_a_submission_wins_over_its_problem_and_that_over_the_default() -> None:
    problem = Limits(cpu_time_seconds=2, memory_bytes=1 << 28)
    limits = effective_limits(Settings(), problem, Limits(cpu_time_seconds=3), REFERENCE)
    assert (limits.cpu_time_seconds, limits.memory_bytes) == (3, 1 << 28)
    assert limits.output_bytes == Settings().default_output_bytes


@pytest.mark.parametrize("limit", Limits.model_fields)
def test_every_limit_is_clamped_to_its_maximum(limit: str) -> None:
    asked = Limits(**{limit: 10**15})
    limits = effective_limits(Settings(), asked, None, REFERENCE)
    assert getattr(limits, limit) == getattr(Settings(), f"max_{_enforced(limit)}")


def _enforced(limit: str) -> str:
    return "cpu_time_seconds" if limit == "cpu_time_reference_seconds" else limit


def test_the_backstop_stays_wider_than_the_cpu_limit_unless_named() -> None:
    named = Limits(cpu_time_seconds=40, wall_time_seconds=10)
    for asked, wall_time_seconds in (
        (Limits(cpu_time_seconds=40), 80),
        (Limits(cpu_time_reference_seconds=10), 80),
        (named, 10),
    ):
        limits = effective_limits(Settings(), None, asked, Speed.fixed(4))
        assert limits.wall_time_seconds == wall_time_seconds


@pytest.mark.parametrize("seconds_here", [0.5, 1.0, 1.237, 3.0])
def test_reference_seconds_are_turned_into_this_machines(seconds_here: float) -> None:
    asked = Limits(cpu_time_reference_seconds=1)
    limits = effective_limits(Settings(), asked, None, Speed.fixed(seconds_here))
    assert (limits.cpu_time_seconds, limits.cpu_time_reference_seconds) == (seconds_here, 1)


def test_seconds_that_are_no_reference_seconds_are_left_alone() -> None:
    limits = effective_limits(Settings(), None, Limits(cpu_time_seconds=3), Speed.fixed(2))
    assert (limits.cpu_time_seconds, limits.cpu_time_reference_seconds) == (3, 1.5)
    default = effective_limits(Settings(), None, None, Speed.fixed(2))
    assert (default.cpu_time_seconds, default.cpu_time_reference_seconds) == (4, 2)


def test_reference_seconds_are_clamped_in_this_machines_seconds() -> None:
    asked = Limits(cpu_time_reference_seconds=40)
    limits = effective_limits(Settings(), None, asked, Speed.fixed(3))
    assert (limits.cpu_time_seconds, limits.cpu_time_reference_seconds) == (60, 20)


@pytest.mark.parametrize(
    ("problem", "submission", "cpu_time_seconds"),
    [
        (Limits(cpu_time_reference_seconds=5), Limits(cpu_time_seconds=1), 1),
        (Limits(cpu_time_seconds=5), Limits(cpu_time_reference_seconds=1), 2),
        (Limits(cpu_time_reference_seconds=5), Limits(memory_bytes=1 << 28), 10),
    ],
)
def test_a_submissions_clock_wins_over_its_problems_whichever_each_names(
    problem: Limits, submission: Limits, cpu_time_seconds: float
) -> None:
    limits = effective_limits(Settings(), problem, submission, Speed.fixed(2))
    assert limits.cpu_time_seconds == cpu_time_seconds


def test_a_slow_machine_gets_longer_to_start_a_language() -> None:
    submission = Submission(code="-", language="java", problem=PROBLEM)
    asked = Limits(cpu_time_reference_seconds=1)
    here, slow = (
        with_allowances(
            effective_limits(Settings(), asked, None, speed), submission, Settings(), speed
        )
        for speed in (REFERENCE, Speed.fixed(3))
    )
    assert here.cpu_time_seconds > 1
    assert slow.cpu_time_seconds == pytest.approx(3 * here.cpu_time_seconds)
    assert slow.cpu_time_reference_seconds == pytest.approx(here.cpu_time_seconds)
