"""Nothing is judged in a jail that has not proved its walls."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest

from evaluator_service.judge import Judge
from evaluator_service.schema import StdioProblem, Submission
from evaluator_service.settings import Settings
from evaluator_service.verdicts import Verdict
from evaluator_service.work import Work
from sandbox import pool
from sandbox.selfcheck import Finding, SelfCheck

pytestmark = pytest.mark.nsjail

PROBLEM = StdioProblem.model_validate({"kind": "stdio", "tests": [{"expected": "7"}]})


def test_a_submission_to_a_judge_whose_self_check_failed_is_its_own_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = Finding("no network", "a program reaches no network", held=False, seen="connected")
    check = SelfCheck((found,), datetime.now(UTC), elapsed_seconds=0.5)
    monkeypatch.setattr(pool, "self_check", lambda _: check)
    judge = Judge(Settings(slots_count=1, packages=()))
    judge.start()
    try:
        submission = Submission(code="print(7)", problem=PROBLEM)
        judgement = judge.judge(Work(submission, PROBLEM, "sha256:" + "0" * 64, time.monotonic()))
    finally:
        judge.close()
    assert (judgement.verdict, judgement.reward) == (Verdict.JUDGE_ERROR, None)
    assert judgement.error is not None
    assert (judgement.error.kind, judgement.error.retryable) == ("sandbox", True)
    assert "no network" in judgement.error.message
    assert judgement.isolation.level == "none"
