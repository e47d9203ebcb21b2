"""CPU time decides, also where eight busy processes want the CPU too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.accounting import COMPETITORS_COUNT, WANTED, competitors, measure
from evaluator_service.schema import Judgement, Submission

pytestmark = pytest.mark.nsjail


@pytest.mark.parametrize("seconds", WANTED)
def test_a_program_is_judged_by_its_own_clock_on_a_busy_machine(
    judged: Callable[..., Judgement], seconds: float
) -> None:
    def judge(submission: Submission) -> Judgement:
        fields: dict[str, Any] = submission.model_dump(exclude_unset=True)
        return judged(**fields)

    with competitors(COMPETITORS_COUNT):
        row = measure(judge, seconds, rounds_count=3, competitors_count=COMPETITORS_COUNT)
    assert row.holds, row


@pytest.mark.parametrize("mode", ["strict", "auto"])
def test_a_test_has_its_times_to_the_microsecond(
    judged: Callable[..., Judgement], mode: str
) -> None:
    tests = [{"input": "", "expected": "1"}] * 4
    for test in judged("print(1)", {"kind": "stdio", "tests": tests}, isolation_mode=mode).tests:
        for seconds in (test.cpu_time_seconds, test.wall_time_seconds):
            assert seconds is not None
            assert seconds == round(seconds, 6) > 0
