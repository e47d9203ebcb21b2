"""Faults that are nobody's mark: told apart from the problem's own, and silent about what it says."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from evaluator_service import asserts, judge
from evaluator_service.schema import AssertsProblem, JudgeFault, Judgement
from sandbox.errors import StarvedError
from sandbox.model import Outcome, Reason

PROBLEM = AssertsProblem.model_validate({"kind": "asserts", "tests": ["assert f(1) == 2"]})


class _StarvedSlot:
    """A slot on a machine that lets nothing run."""

    @contextlib.contextmanager
    def open_tester(self, *_: Any) -> Iterator[Any]:
        yield self

    def compiled(self) -> None: ...

    def run_all(self, _: Any) -> list[Outcome]:
        return [Outcome(Reason.STARVED, None, 9, 0.0, 99.0, 0, False, b"", b"", False, b"")]


def test_test_code_that_no_cpu_was_there_to_read_is_no_bad_problem() -> None:
    with pytest.raises(StarvedError):
        asserts.lower(_StarvedSlot(), PROBLEM)  # type: ignore[arg-type]


def test_the_log_does_not_quote_a_problem() -> None:
    fault = JudgeFault(kind="bad_problem", message="answer = 8675309 +", retryable=False)
    with structlog.testing.capture_logs() as events:
        judge._log_fault(fault)
    assert "8675309" not in str(events)


def test_an_invalid_answer_does_not_show_its_content_in_a_traceback() -> None:
    with pytest.raises(ValueError, match="Judgement") as raised:
        Judgement.model_validate({"message": "print(8675309)", "reward": "print(8675309)"})
    assert "8675309" not in str(raised.value)
