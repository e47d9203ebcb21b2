"""Attacks kept as data (tests/cases): none gets a mark it does not deserve, and none leaves a trace."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from evaluator_service.judge import Judge
from evaluator_service.schema import Judgement, Submission, problem_id
from evaluator_service.settings import Settings
from evaluator_service.verdicts import Verdict
from evaluator_service.work import Work
from tests.sandbox.attack_cases import HONEST, AttackCase, load_cases

pytestmark = pytest.mark.nsjail

CASES = load_cases()


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    """One slot, so that every case meets what the one before left behind."""
    judge = Judge(Settings(slots_count=1))
    judge.start()
    yield judge
    judge.close()


def test_there_are_attacks_of_every_sort() -> None:
    sorts = {case.name.partition("_")[0] for case in CASES}
    assert len(CASES) >= 200
    assert sorts == {
        *("escape", "exhaust", "cheat", "time", "state"),
        *("compile", "call", "asserts", "native", "compiler"),
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_an_attack_gets_its_verdict_and_harms_nobody_else(judge: Judge, case: AttackCase) -> None:
    level = _judged(judge, HONEST).isolation.level
    if unmet := case.unmet_needs(level):
        pytest.skip(f"needs {', '.join(unmet)}, and this machine has {level}")

    judgement = _judged(judge, case.submission())

    assert case.complaints(judgement) == []
    assert _judged(judge, HONEST).verdict is Verdict.ACCEPTED


def _judged(judge: Judge, fields: dict[str, Any]) -> Judgement:
    submission = Submission.model_validate(fields)
    resolved = submission.problem
    assert resolved is not None
    return judge.judge(Work(submission, resolved, problem_id(resolved), time.monotonic()))
