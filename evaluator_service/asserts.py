"""Test code: read in a jail, then run apart from the program wherever that is possible.

Three ways, chosen by the test code alone (``sandbox/inside/lowering.py``): plain asserts become calls
compared out here (``prepare``); other code runs in a tester's jail and reaches the program through a pair
of pipes (``in_pairs``); what stand-ins cannot serve runs beside the program (``beside``), and is forgeable.
"""

import os
import secrets
import select
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgpack

from evaluator_service import values
from evaluator_service.case import Case, Stopwatch, Trial
from evaluator_service.classify import Failure, failure_of
from evaluator_service.marking import result_of
from evaluator_service.prepare import BadProblemError, Prepared, prepare_call
from evaluator_service.schema import AssertsProblem, ComparisonResult, TestResult
from evaluator_service.verdicts import Verdict
from sandbox import accounting
from sandbox.inside.wire import Kind, TestEnd, Unit
from sandbox.memory_files import sealed
from sandbox.model import Mode, Outcome, Program, Reason, RunLimits
from sandbox.pool import Slot
from sandbox.session import Session

_CALL, _UNIT, _BESIDE = 0, 1, 2
_MODULE = -1

TESTER_LIMITS = RunLimits(
    cpu_time_seconds=20.0,
    wall_time_seconds=60.0,
    memory_bytes=2 << 30,
    output_bytes=64 << 20,
    processes_count=64,
    compile_time_seconds=30.0,
)
"""For the problem's own code; generous, since what it takes is not the program's doing."""

PROGRAM_END_SECONDS = 0.5
"""How long a program may take to notice that nobody calls any more, before its session is ended."""


class Piece(NamedTuple):
    """One test as the jail read it; the twin of ``inside.lowering.Piece``."""

    kind: int
    source: int
    name: str
    passes_entry_point: bool
    solution_names: list[str]
    entry_point: str
    arguments: bytes
    expected: bytes


def lower(slot: Slot, problem: AssertsProblem) -> list[Prepared]:
    """Have the test code read in the tester's jail and lay out what it says.

    Raises:
        BadProblemError: If it cannot be read, or there is nothing in it to run.
    """
    request = msgpack.packb(
        [
            [test.code for test in problem.tests],
            problem.test_code or "",
            problem.entry_point or "",
            problem.prelude or "",
        ],
        unicode_errors="surrogatepass",
    )
    program = Program(mode=Mode.LOWER, source=b"")
    with slot.tester().open_session(program, TESTER_LIMITS) as session:
        session.compiled()
        (outcome,) = session.run_all([request])
    if outcome.exit_code != 0 or not outcome.result:
        raise BadProblemError("the test code could not be read: its reader gave up")
    readable, answer = msgpack.unpackb(outcome.result, unicode_errors="surrogatepass")
    if not readable:
        raise BadProblemError(f"the test code cannot be used: {answer}")
    pieces = [Piece(*fields) for fields in answer]
    return [_prepared(problem, piece, _weight(problem, piece, pieces)) for piece in pieces]


def _weight(problem: AssertsProblem, piece: Piece, pieces: list[Piece]) -> float:
    """A declared test's weight, shared by the pieces it was read as."""
    if piece.source == _MODULE:
        return 1.0
    siblings_count = sum(other.source == piece.source for other in pieces)
    return problem.tests[piece.source].weight / siblings_count


def _prepared(problem: AssertsProblem, piece: Piece, weight: float) -> Prepared:
    declared = problem.tests[piece.source] if piece.source != _MODULE else None
    name = (declared.id if declared else None) or piece.name or None
    if piece.kind == _CALL:
        arguments, keywords = values.from_msgpack(piece.arguments)  # type: ignore[misc]
        expected = values.from_msgpack(piece.expected)
        return prepare_call(piece.entry_point, arguments, keywords, expected, weight=weight, id=name)
    code = declared.code if declared else problem.test_code or ""
    unit = Unit(code, piece.name, piece.passes_entry_point, piece.solution_names, b"")
    mode = Mode.BESIDE if piece.kind == _BESIDE else Mode.TEST
    return Prepared(mode, unit.pack(), weight=weight, id=name)


# --- in a jail of its own -------------------------------------------------------------------------


def in_pairs(
    slot: Slot, case: Case, tests: list[Prepared], first: int, trial: Trial
) -> Iterator[TestResult]:
    """Run test code in the tester's jail; the program answers its calls from the program's jail."""
    tester_program = Program(mode=Mode.TEST, source=b"", prelude=case.prelude)
    with slot.tester().open_session(tester_program, TESTER_LIMITS) as tester:
        read = tester.compiled()
        if not read.ok:
            raise BadProblemError(f"the prelude does not compile: {read.message}")
        place = 0
        while place < len(tests):  # a program that does not come to its end costs it its session
            for result, ended in _pairs_in_session(slot, case, tester, tests[place:], trial):
                yield result.model_copy(update={"index": first + place})
                place += 1
                if not ended:
                    break
            if trial.compiled is not None and not trial.compiled.ok:
                return


def _pairs_in_session(
    slot: Slot, case: Case, tester: Session, tests: list[Prepared], trial: Trial
) -> Iterator[tuple[TestResult, bool]]:
    """Results, each with whether the program's process came to its end."""
    served = Program(mode=Mode.SERVE, source=case.code, prelude=case.prelude)
    with slot.program().open_session(served, case.run_limits) as program:
        with Stopwatch(trial, "compile"):
            trial.compiled = program.compiled()
        if not trial.compiled.ok:
            return
        _excuse_each_other(slot, program, tester)
        for test in tests:
            with Stopwatch(trial, "run"):
                told, did = _run_pair(program, tester, test.input)
            yield _mark_pair(case, test, told, did), did is not None


def _excuse_each_other(slot: Slot, program: Session, tester: Session) -> None:
    """While one of the two works, the other's idling is not its own."""

    def activity(pid: int) -> float:
        return sum(accounting.activity_of_tests(pid))

    program_pid, tester_pid = slot.program().pid, slot.tester().pid
    program.excused_seconds = lambda: activity(tester_pid)
    tester.excused_seconds = lambda: activity(program_pid)


def _run_pair(
    program: Session, tester: Session, unit: bytes
) -> tuple[Outcome, Outcome | None]:
    """Start both ends of a pair; what the tester did, and what the program did if it came to its end."""
    requests_read, requests_write = os.pipe2(os.O_CLOEXEC)
    answers_read, answers_write = os.pipe2(os.O_CLOEXEC)
    program.hand_in([sealed(b""), requests_read, answers_write])
    tester.hand_in([sealed(unit), requests_write, answers_read])
    told: Outcome | None = None
    did: Outcome | None = None
    deadline: float | None = None
    while told is None or did is None:
        waiting = [tester] if told is None else []
        waiting += [program] if did is None else []
        patience = None if deadline is None else max(0.0, deadline - time.monotonic())
        ready, _, _ = select.select(waiting, [], [], patience)
        if not ready:
            break
        for session in ready:
            outcome = session.step(Kind.RAN, 0.0)
            if session is tester and outcome is not None:
                told, deadline = outcome, time.monotonic() + PROGRAM_END_SECONDS
            elif outcome is not None:
                did = outcome
    assert told is not None  # the loop only breaks once there is a deadline
    return told, did


def _mark_pair(case: Case, test: Prepared, told: Outcome, did: Outcome | None) -> TestResult:
    end, message = _test_end(told)
    shown = did or told
    by_limit = failure_of(did, case.limits.output_bytes) if did is not None else None
    if end is TestEnd.BAD_TEST:
        raise BadProblemError(f"the test code cannot run: {message}")
    if end is TestEnd.PASSED and (by_limit is None or by_limit.verdict is Verdict.RUNTIME_ERROR):
        return _passed(test, shown)
    if by_limit is not None and (
        end is TestEnd.PROGRAM_GONE or by_limit.verdict is not Verdict.RUNTIME_ERROR
    ):
        return result_of(0, test, shown, by_limit)
    return result_of(0, test, shown, _failed(end, told, message), _no_match(end, message))


def _failed(end: TestEnd | None, told: Outcome, message: str) -> Failure:
    if told.reason is not Reason.BY_ITSELF:
        return Failure(Verdict.TIME_LIMIT_EXCEEDED, "the test waited for the program beyond all limits")
    if end is TestEnd.PROGRAM_RAISED:
        return Failure(Verdict.RUNTIME_ERROR, message)
    if end is TestEnd.FAILED:
        return Failure(Verdict.WRONG_ANSWER, message)
    return Failure(Verdict.RUNTIME_ERROR, message or "the program's process ended during a call")


def _test_end(told: Outcome) -> tuple[TestEnd | None, str]:
    """What the tester wrote; it runs nothing of the program's making, so it can be believed."""
    if not told.result:
        return None, ""
    end, message = msgpack.unpackb(told.result)
    return TestEnd(end), message


def _passed(test: Prepared, outcome: Outcome) -> TestResult:
    comparison = ComparisonResult(matched=True, method="test_code")
    return result_of(0, test, outcome, Failure(Verdict.ACCEPTED, ""), comparison)


def _no_match(end: TestEnd | None, message: str) -> ComparisonResult | None:
    if end is not TestEnd.FAILED:
        return None
    return ComparisonResult(matched=False, detail=message[:200] or None)


# --- beside the program ---------------------------------------------------------------------------


def beside(
    slot: Slot, case: Case, tests: list[Prepared], first: int, trial: Trial
) -> Iterator[TestResult]:
    """Run test code in the program's own process."""
    trial.forgeable = True
    token = secrets.token_bytes(16)
    inputs = [Unit.unpack(test.input)._replace(token=token).pack() for test in tests]
    program = Program(mode=Mode.BESIDE, source=case.code, prelude=case.prelude)
    with slot.program().open_session(program, case.run_limits) as session:
        with Stopwatch(trial, "compile"):
            trial.compiled = session.compiled()
        if not trial.compiled.ok:
            return
        outcomes = session.run_all(inputs)
        for offset, test in enumerate(tests):
            with Stopwatch(trial, "run"):
                outcome = next(outcomes)
            yield _mark_beside(case, first + offset, test, outcome, token)


def _mark_beside(
    case: Case, index: int, test: Prepared, outcome: Outcome, token: bytes
) -> TestResult:
    failure = failure_of(outcome, case.limits.output_bytes)
    if failure is not None:
        return result_of(index, test, outcome, failure)
    end, message, returned = _beside_end(outcome.result)
    if end == TestEnd.PASSED and secrets.compare_digest(returned, token):
        return _passed(test, outcome).model_copy(update={"index": index})
    if end == TestEnd.FAILED:
        comparison = _no_match(TestEnd.FAILED, message)
        return result_of(index, test, outcome, Failure(Verdict.WRONG_ANSWER, message), comparison)
    why = message or "ended before its tests did"
    return result_of(index, test, outcome, Failure(Verdict.RUNTIME_ERROR, why))


def _beside_end(result: bytes) -> tuple[Any, str, bytes]:
    """What the process claims; anything may have written it."""
    try:
        end, message, token = msgpack.unpackb(result)
    except (ValueError, TypeError, msgpack.UnpackException):
        return None, "", b""
    if not isinstance(message, str) or not isinstance(token, bytes):
        return None, "", b""
    return end, message, token
