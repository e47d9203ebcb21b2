"""A process of its own for every test: isolation mode ``strict``."""

from collections.abc import Iterator

from evaluator_service.case import Case, Stopwatch, Trial
from evaluator_service.marking import Decide, mark
from evaluator_service.prepare import Prepared
from evaluator_service.schema import TestResult
from sandbox.session import Session

Numbered = list[tuple[int, Prepared]]
"""Tests with their index in the problem."""


def run_strictly(
    session: Session,
    case: Case,
    trial: Trial,
    tests: Numbered,
    decide: Decide | None = None,
) -> Iterator[TestResult]:
    """Run and mark one test after the other. Stop iterating to stop running.

    Raises:
        StarvedError: If the machine did not let the program run.
        JailDiedError: If the session ends or falls silent.
    """
    outcomes = session.run_all([test.input for _, test in tests])
    for index, test in tests:
        with Stopwatch(trial, "run"):
            outcome = next(outcomes)
        with Stopwatch(trial, "compare"):
            result = mark(case, index, test, outcome, decide)
        yield result
