"""What the log says of a judge error: whose fault it was, and of a bad problem no more than where."""

from __future__ import annotations

import pytest
import structlog

from evaluator_service import judge
from evaluator_service.schema import JudgeFault

MESSAGE = "the test code cannot be used: SyntaxError: secret = (tests.py, line 2)"


def test_a_bad_problem_is_a_warning_and_a_fault_of_ours_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    logger = structlog.testing.CapturingLogger()
    monkeypatch.setattr(judge, "log", logger)
    for kind in ("bad_problem", "sandbox"):
        judge._log_fault(JudgeFault(kind=kind, message=MESSAGE, retryable=False))
    assert [(call.method_name, call.kwargs["message"]) for call in logger.calls] == [
        ("warning", "SyntaxError, line 2"),
        ("error", MESSAGE),
    ]
