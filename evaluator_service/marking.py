"""Marking one test: from what a process did, and what was expected, to a TestResult."""

from evaluator_service import values
from evaluator_service.case import Case
from evaluator_service.classify import Failure, failure_of
from evaluator_service.comparison import compare_text, compare_values
from evaluator_service.near_limit import is_near_limit
from evaluator_service.prepare import Prepared
from evaluator_service.schema import ComparisonResult, TestResult
from evaluator_service.verdicts import Verdict
from sandbox.model import Mode, Outcome

HEAD_CHARACTERS = 2048
"""How much of standard output a full report shows."""

_MAX_GROWTH_RATIO = 10
_SPARE_BYTES = 1 << 16
"""A right value takes at most nine times the bytes of the expected one (a double for a small integer); what is
larger is refused unread, since reading it would take a hundred times its size."""


def mark(case: Case, index: int, test: Prepared, outcome: Outcome) -> TestResult:
    """Verdict on one test whose expected output is data.

    Raises:
        StarvedError: If the machine did not let the program run.
    """
    failure = failure_of(outcome, case.limits)
    if failure is not None:
        return result_of(case, index, test, outcome, failure)
    if test.mode is Mode.STDIO:
        comparison = compare_text(test.expected, outcome.stdout, case.policy)
        return _compared(case, index, test, outcome, comparison)
    if not outcome.result:
        failure = Failure(Verdict.RUNTIME_ERROR, "ended before the function returned")
        return result_of(case, index, test, outcome, failure)
    if outcome.result == test.expected_bytes and case.policy.profile == "flexible":
        comparison = ComparisonResult(matched=True, method="exact")
        return _compared(case, index, test, outcome, comparison)
    if len(outcome.result) > _MAX_GROWTH_RATIO * len(test.expected_bytes) + _SPARE_BYTES:
        detail = f"a result of {len(outcome.result)} bytes, far more than was expected"
        comparison = ComparisonResult(matched=False, detail=detail)
        return _compared(case, index, test, outcome, comparison)
    try:
        actual = values.from_msgpack(outcome.result)
    except values.ValueFormatError as error:
        failure = Failure(Verdict.RUNTIME_ERROR, f"wrote a result that is {error}")
        return result_of(case, index, test, outcome, failure)
    comparison = compare_values(test.expected, actual, case.policy)
    return _compared(case, index, test, outcome, comparison)


def _compared(
    case: Case, index: int, test: Prepared, outcome: Outcome, comparison: ComparisonResult
) -> TestResult:
    verdict = Verdict.ACCEPTED if comparison.matched else Verdict.WRONG_ANSWER
    return result_of(case, index, test, outcome, Failure(verdict, ""), comparison)


def result_of(
    case: Case,
    index: int,
    test: Prepared,
    outcome: Outcome,
    judged: Failure,
    comparison: ComparisonResult | None = None,
) -> TestResult:
    """Everything a full report says of one test; ``answer`` leaves out what was not asked for."""
    head = outcome.stdout[: 4 * HEAD_CHARACTERS].decode("utf-8", "replace")[:HEAD_CHARACTERS]
    return TestResult(
        index=index,
        id=test.id,
        verdict=judged.verdict,
        comparison=comparison,
        cpu_time_seconds=outcome.cpu_time_seconds,
        wall_time_seconds=outcome.wall_time_seconds,
        memory_bytes=outcome.peak_memory_bytes,
        exit_code=outcome.exit_code,
        signal=outcome.signal,
        near_limit=is_near_limit(outcome, case.limits),
        message=judged.message or None,
        stdout_head=head,
        stderr_tail=outcome.stderr_tail.decode("utf-8", "replace"),
        truncated=outcome.stderr_cut or len(head.encode()) < len(outcome.stdout),
    )


def passed_test(case: Case, index: int, test: Prepared, outcome: Outcome) -> TestResult:
    """Test code came through."""
    comparison = ComparisonResult(matched=True, method="test_code")
    return result_of(case, index, test, outcome, Failure(Verdict.ACCEPTED, ""), comparison)


def failed_test(
    case: Case, index: int, test: Prepared, outcome: Outcome, message: str
) -> TestResult:
    """Test code was not satisfied; ``message`` is its assertion's."""
    comparison = ComparisonResult(matched=False, detail=message[:200] or None)
    return result_of(case, index, test, outcome, Failure(Verdict.WRONG_ANSWER, message), comparison)
