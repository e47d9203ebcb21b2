"""A limit in reference seconds holds in the seconds of the machine, and the judgement says both."""

from __future__ import annotations

import time
from typing import Any

import pytest

from evaluator_service.judge import Judge
from evaluator_service.schema import Judgement, Submission, problem_id
from evaluator_service.settings import Settings
from evaluator_service.verdicts import Verdict
from evaluator_service.work import Work

pytestmark = pytest.mark.nsjail

BURNS_HALF_A_SECOND = "import time\nwhile time.process_time() < 0.5: pass\nprint(7)"
PROBLEM = {
    "kind": "stdio",
    "tests": [{"expected": "7"}],
    "limits": {"cpu_time_reference_seconds": 1},
}


def judged(machine_seconds_per_reference_second: float, **fields: Any) -> Judgement:
    settings = Settings(
        slots_count=1,
        packages=(),
        machine_seconds_per_reference_second=machine_seconds_per_reference_second,
    )
    submission = Submission.model_validate({"problem": PROBLEM, **fields})
    assert submission.problem is not None
    judge = Judge(settings)
    judge.start()
    try:
        name = problem_id(submission.problem)
        return judge.judge(Work(submission, submission.problem, name, time.monotonic()))
    finally:
        judge.close()


@pytest.mark.parametrize("fields", [{"code": "print(7)"}, {"completion": "I do not know."}])
def test_a_machine_three_times_as_slow_gives_three_times_as_long(fields: dict[str, str]) -> None:
    limits = judged(3, **fields).limits
    assert (limits.cpu_time_seconds, limits.cpu_time_reference_seconds) == (3, 1)


@pytest.mark.parametrize(
    ("machine_seconds_per_reference_second", "verdict"),
    [(0.2, Verdict.TIME_LIMIT_EXCEEDED), (1.0, Verdict.ACCEPTED)],
)
def test_what_is_in_time_depends_on_how_fast_the_machine_is(
    machine_seconds_per_reference_second: float, verdict: Verdict
) -> None:
    assert judged(machine_seconds_per_reference_second, code=BURNS_HALF_A_SECOND).verdict is verdict
