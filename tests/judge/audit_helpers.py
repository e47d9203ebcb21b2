"""Judgements without a jail, as the audit log gets them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from evaluator_service.answer import answer, in_declared_order
from evaluator_service.audit import AuditFolder, AuditLog
from evaluator_service.audit_record import AuditRecord
from evaluator_service.case import Case, Trial, open_case
from evaluator_service.extraction import Extracted, program_of
from evaluator_service.schema import (
    ComparisonResult,
    JudgeFault,
    Judgement,
    Submission,
    TestResult,
    problem_id,
)
from evaluator_service.settings import Settings
from evaluator_service.verdicts import Verdict
from evaluator_service.work import Work
from sandbox.languages import LANGUAGES
from sandbox.toolchains import Found, Toolchain

FOUND = Found({"python": Toolchain(LANGUAGES["python"], "Python 3.12.1", {})}, {})
PROBLEM = {"kind": "stdio", "tests": [{"input": f"{n}", "expected": f"{n}"} for n in range(3)]}
ECHO = "print(input())"


def case_of(
    code: str = ECHO, settings: Settings | None = None, likely: int | None = None, **more: Any
) -> Case:
    """A case of the problem with three tests."""
    fields = {"code": code, "problem": PROBLEM, **more}
    submission = Submission.model_validate({k: v for k, v in fields.items() if v is not None})
    assert submission.problem is not None
    name = problem_id(submission.problem)
    work = Work(submission, submission.problem, name, time.monotonic(), owner="trainer")
    return open_case(settings or Settings(), work, program_of(submission), likely_failure=likely)


def results(*verdicts: Verdict) -> list[TestResult]:
    """Results of the first tests."""
    return [
        TestResult(
            index=index,
            verdict=verdict,
            comparison=ComparisonResult(
                matched=verdict is Verdict.ACCEPTED,
                method="exact" if verdict is Verdict.ACCEPTED else None,
            ),
        )
        for index, verdict in enumerate(verdicts)
    ]


def judgement_of(
    case: Case, ran: list[TestResult], error: JudgeFault | None = None, **changes: Any
) -> Judgement:
    """The judgement that follows."""
    judged = answer(
        case,
        program_of(case.submission),
        Trial(results=ran),
        level="nsjail",
        queue_seconds=0.0,
        before_tests=Verdict.JUDGE_ERROR if error else None,
        error=error,
    )
    return judged.model_copy(update=changes)


def add(
    log: AuditLog, case: Case, ran: list[TestResult], error: JudgeFault | None = None
) -> Judgement:
    """Have a judgement of a case logged."""
    judgement = judgement_of(case, ran, error)
    log.add(case, in_declared_order(ran, judgement.total), judgement, FOUND)
    return judgement


def records(folder: Path) -> list[AuditRecord]:
    """All that a log says."""
    return [AuditRecord.model_validate_json(line) for _, line in AuditFolder(folder).lines()]


class FakeJudge:
    """Judges cases as it is told, and remembers them."""

    def __init__(self, ran: list[TestResult], **changes: Any) -> None:
        self._ran = ran
        self._changes = changes
        self.cases: list[Case] = []

    def judge_case(self, case: Case, _: Extracted) -> Judgement:
        """What it was told."""
        self.cases.append(case)
        return judgement_of(case, self._ran, **self._changes)

    def languages(self) -> Found:
        """Python alone."""
        return FOUND
