"""Marking one test: from what a process did, and what was expected, to a TestResult."""

from collections.abc import Callable
from typing import Any

from evaluator_service import values
from evaluator_service.case import Case
from evaluator_service.classify import Failure, failure_of
from evaluator_service.comparison import compare_text, compare_values, matched_by
from evaluator_service.decisions import Decision
from evaluator_service.near_limit import is_near_limit
from evaluator_service.prepare import Prepared
from evaluator_service.schema import Comparison, ComparisonResult, TestResult
from evaluator_service.verdicts import Verdict
from sandbox.model import Mode, Outcome

HEAD_CHARACTERS = 2048
"""How much of standard output a full report shows."""

_MAX_GROWTH_RATIO = 10
_SPARE_BYTES = 1 << 16
"""A right value takes at most nine times the bytes of the expected one (a double for a small integer); what is
larger is refused unread, since reading it would take a hundred times its size."""


class NoAnswerError(Exception):
    """There is nothing to compare; the message says why."""


ACCEPTED = Failure(Verdict.ACCEPTED, "")
JUDGED = {True: ACCEPTED, False: Failure(Verdict.WRONG_ANSWER, "")}


Decide = Callable[[Prepared, bytes], Decision]
"""What decides on an output in place of a comparison; raises what ``checking`` does."""


def mark(
    case: Case, index: int, test: Prepared, outcome: Outcome, decide: Decide | None = None
) -> TestResult:
    """Verdict on one test.

    Raises:
        StarvedError: If the machine did not let the program run.
    """
    failure = failure_of(outcome, case.limits)
    if failure is not None:
        return result_of(case, index, test, outcome, failure)
    output = output_of(test, outcome)
    try:
        decision = decide(test, output) if decide else Decision(compare(case.policy, test, output))
    except NoAnswerError as error:
        failure = Failure(Verdict.RUNTIME_ERROR, str(error))
        return result_of(case, index, test, outcome, failure)
    judged = JUDGED[decision.matched]
    return result_of(
        case,
        index,
        test,
        outcome,
        judged,
        decision.comparison,
        output_id=kept(case, output),
        score=decision.score,
    )


def output_of(test: Prepared, outcome: Outcome) -> bytes:
    """What decides."""
    return outcome.stdout if test.mode is Mode.STDIO else outcome.result


def kept(case: Case, output: bytes) -> str | None:
    """Keep what was compared where the client asked for it; its content hash."""
    return case.outputs.put(output) if case.outputs is not None else None


def compare(policy: Comparison, test: Prepared, output: bytes) -> ComparisonResult:
    """Compare what a test wrote or returned with what was expected.

    Raises:
        NoAnswerError: If it returned nothing that could be read.
    """
    if test.mode is Mode.STDIO:
        return compare_text(test.expected, output, policy)
    if not output:
        raise NoAnswerError("ended before the function returned")
    if output == test.expected_bytes and policy.profile == "flexible":
        return matched_by("exact")
    if len(output) > _MAX_GROWTH_RATIO * len(test.expected_bytes) + _SPARE_BYTES:
        detail = f"a result of {len(output)} bytes, far more than was expected"
        return ComparisonResult(matched=False, detail=detail)
    try:
        actual = values.from_msgpack(output)
    except values.ValueFormatError as error:
        raise NoAnswerError(f"wrote a result that is {error}") from error
    return compare_values(test.expected, actual, policy)


def result_of(
    case: Case,
    index: int,
    test: Prepared,
    outcome: Outcome,
    judged: Failure,
    comparison: ComparisonResult | None = None,
    *,
    output_id: str | None = None,
    score: float | None = None,
) -> TestResult:
    """What is said of one test: no more than was asked for."""
    full = case.submission.report == "full"
    if not full and comparison is not None and comparison.detail is not None:
        comparison = comparison.model_copy(update={"detail": None})
    return TestResult(
        index=index,
        id=test.id,
        verdict=judged.verdict,
        comparison=comparison,
        output=output_id,
        score=score,
        cpu_time_seconds=round(outcome.cpu_time_seconds, 6),
        wall_time_seconds=round(outcome.wall_time_seconds, 6),
        memory_bytes=outcome.peak_memory_bytes,
        exit_code=outcome.exit_code,
        signal=outcome.signal,
        near_limit=is_near_limit(outcome, case.limits),
        **(_outputs(judged, outcome) if full else {}),
    )


def _outputs(judged: Failure, outcome: Outcome) -> dict[str, Any]:
    """What only a full report shows."""
    head = outcome.stdout[: 4 * HEAD_CHARACTERS].decode("utf-8", "replace")[:HEAD_CHARACTERS]
    return {
        "message": judged.message or None,
        "stdout_head": head,
        "stderr_tail": outcome.stderr_tail.decode("utf-8", "replace"),
        "truncated": outcome.stderr_cut or len(head.encode()) < len(outcome.stdout),
    }


def passed_test(case: Case, index: int, test: Prepared, outcome: Outcome) -> TestResult:
    """Test code came through."""
    comparison = matched_by("test_code")
    return result_of(case, index, test, outcome, ACCEPTED, comparison)


def failed_test(
    case: Case, index: int, test: Prepared, outcome: Outcome, message: str
) -> TestResult:
    """Test code was not satisfied; ``message`` is its assertion's."""
    comparison = ComparisonResult(matched=False, detail=message[:200] or None)
    return result_of(case, index, test, outcome, Failure(Verdict.WRONG_ANSWER, message), comparison)
