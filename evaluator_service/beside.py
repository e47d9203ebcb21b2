"""Test code that has to run in the program's own process: the judgement then says ``forgeable``.

A token shows that the tests came through, rather than that the process ended. A program bent on it can
still find the token and forge the report; nothing short of another process could keep it from that.
"""

import secrets
from collections.abc import Iterator
from typing import Any

import msgpack

from evaluator_service.case import Case, Stopwatch, Trial
from evaluator_service.classify import Failure, failure_of
from evaluator_service.marking import failed_test, passed_test, result_of
from evaluator_service.prepare import Prepared
from evaluator_service.schema import TestResult
from evaluator_service.strict import Numbered
from evaluator_service.verdicts import Verdict
from sandbox.inside.wire import TestEnd, Unit
from sandbox.model import Mode, Outcome, Program
from sandbox.slot import Slot

_MAX_REPORT_BYTES = 1 << 14
"""An honest report has a message of at most 2000 characters; what is larger is not read."""


def run_beside(slot: Slot, case: Case, tests: Numbered, trial: Trial) -> Iterator[TestResult]:
    """Run test code in the program's own process."""
    trial.forgeable = True
    token = secrets.token_bytes(16)
    inputs = [Unit.unpack(test.input)._replace(token=token).pack() for _, test in tests]
    program = Program(mode=Mode.BESIDE, source=case.code, prelude=case.prelude)
    with slot.open_program(program, case.run_limits) as session:
        if not trial.compiles(session):
            return
        outcomes = session.run_all(inputs)
        for index, test in tests:
            with Stopwatch(trial, "run"):
                outcome = next(outcomes)
            yield _mark_beside(case, index, test, outcome, token)


def _mark_beside(
    case: Case, index: int, test: Prepared, outcome: Outcome, token: bytes
) -> TestResult:
    failure = failure_of(outcome, case.limits)
    if failure is not None:
        return result_of(case, index, test, outcome, failure)
    end, message, returned = _beside_end(outcome.result)
    if end == TestEnd.PASSED and secrets.compare_digest(returned, token):
        return passed_test(case, index, test, outcome)
    if end == TestEnd.FAILED:
        return failed_test(case, index, test, outcome, message)
    why = message or "ended before its tests did"
    return result_of(case, index, test, outcome, Failure(Verdict.RUNTIME_ERROR, why))


def _beside_end(result: bytes) -> tuple[Any, str, bytes]:
    """What the process claims; anything may have written it."""
    if len(result) > _MAX_REPORT_BYTES:
        return None, "", b""
    try:
        end, message, token = msgpack.unpackb(result)
    except (ValueError, TypeError, msgpack.UnpackException):
        return None, "", b""
    if not isinstance(message, str) or not isinstance(token, bytes):
        return None, "", b""
    return end, message, token
