"""Test code in a jail of its own; the program answers its calls from another, through pipes.

The tester runs nothing of the program's making, so what it reports can be believed. Both jails belong to
one slot: a submission that needs two never waits for another one's.
"""

import contextlib
import os
import time
from collections.abc import Iterator

import msgpack

from evaluator_service.asserts import TESTER_LIMITS, test_text
from evaluator_service.case import Case, Stopwatch, Trial
from evaluator_service.classify import Failure, failure_of
from evaluator_service.marking import failed_test, passed_test, result_of
from evaluator_service.prepare import BadProblemError, Prepared
from evaluator_service.schema import TestResult
from evaluator_service.verdicts import Verdict
from sandbox import accounting
from sandbox.errors import JailDiedError, StarvedError
from sandbox.inside.wire import Kind, TestEnd
from sandbox.memory_files import sealed
from sandbox.model import Mode, Outcome, Program, Reason
from sandbox.session import SILENCE_SECONDS, Session
from sandbox.slot import Slot
from sandbox.waiting import speaking

PROGRAM_END_SECONDS = 0.5
"""How long a program may take to notice that nobody calls any more, before its session is ended."""


_MAX_SILENCE_SECONDS = SILENCE_SECONDS + accounting.longest_wait_seconds(
    TESTER_LIMITS.cpu_time_seconds, TESTER_LIMITS.wall_time_seconds
)
"""A tester that says nothing for so long, not even that its program is overdue, is dead."""


class CannotPairError(Exception):
    """The test code hands the program something that cannot travel: it has to run beside it."""


class Pairs:
    """Runs pairs for one submission; sessions are opened when they are first wanted."""

    def __init__(self, slot: Slot, case: Case, trial: Trial) -> None:
        self._slot = slot
        self._test_code = test_text(case.problem) if case.problem.kind == "asserts" else b""
        self._case = case
        self._trial = trial
        self._tester: Session | None = None
        self._program: Session | None = None

    def close(self) -> None:
        """End both sessions."""
        self.close_program()
        if self._tester is not None:
            self._tester.close()
            self._tester = None

    def close_program(self) -> None:
        """End the program's session; the next pair opens a new one."""
        if self._program is not None:
            self._program.close()
            self._program = None

    def compiles(self) -> bool:
        """Open what is not open; whether there is a program to run.

        Raises:
            BadProblemError: If the problem's prelude does not compile.
        """
        tester = self._tester or self._open_tester()
        if self._program is None:
            self._open_program(tester)
        return self._trial.compiled is not None and self._trial.compiled.ok

    def _open_tester(self) -> Session:
        program = Program(mode=Mode.TEST, source=b"", prelude=self._case.prelude)
        self._tester = tester = self._slot.open_tester(program, TESTER_LIMITS, self._test_code)
        read = tester.compiled()
        if not read.ok:
            raise BadProblemError(f"the prelude does not compile: {read.message}")
        return tester

    def _open_program(self, tester: Session) -> None:
        program = Program(mode=Mode.SERVE, source=self._case.code, prelude=self._case.prelude)
        self._program = session = self._slot.open_program(program, self._case.run_limits)
        self._trial.compiles(session)
        # while one of the two works, the other's idling is not its own
        session.excused_seconds = lambda: sum(accounting.activity_of_tests(tester.jail_pid))
        tester.excused_seconds = lambda: sum(accounting.activity_of_tests(session.jail_pid))

    def run(self, index: int, test: Prepared) -> TestResult:
        """Run one unit of test code against the program; both must be open.

        Raises:
            CannotPairError: If it has to run beside the program.
            BadProblemError: If the test code cannot run at all.
        """
        assert self._tester is not None  # ``compiles`` said so
        assert self._program is not None
        with Stopwatch(self._trial, "run"):
            told, did = _run_pair(self._program, self._tester, test.input)
        if did is None:
            self.close_program()
        return _mark_pair(self._case, index, test, told, did)


@contextlib.contextmanager
def open_pairs(slot: Slot, case: Case, trial: Trial) -> Iterator[Pairs]:
    """Pairs for one submission, closed on the way out."""
    pairs = Pairs(slot, case, trial)
    try:
        yield pairs
    finally:
        pairs.close()


def _run_pair(program: Session, tester: Session, unit: bytes) -> tuple[Outcome, Outcome | None]:
    """Start both ends of a pair; what the tester did, and what the program did if it came to its end."""
    _connect(program, tester, unit)
    told: Outcome | None = None
    did: Outcome | None = None
    deadline = 0.0
    while told is None or did is None:
        waiting = [session for session, end in ((tester, told), (program, did)) if end is None]
        patience = _MAX_SILENCE_SECONDS if told is None else deadline - time.monotonic()
        ready = speaking(waiting, patience)
        if not ready and told is not None:
            break
        ready = ready or [tester]  # its step then says that it fell silent
        for session in ready:
            outcome = session.step(Kind.RAN, 0.0)
            if session is tester and outcome is not None:
                told, deadline = outcome, time.monotonic() + PROGRAM_END_SECONDS
            elif outcome is not None:
                did = outcome
    assert told is not None  # the loop only breaks once it is there
    return told, did


def _connect(program: Session, tester: Session, unit: bytes) -> None:
    """Give each end of a pair its test: its input, where to read and where to write."""
    requests_read, requests_write = os.pipe2(os.O_CLOEXEC)
    answers_read, answers_write = os.pipe2(os.O_CLOEXEC)
    try:
        program.hand_in([sealed(b""), requests_read, answers_write])
    except JailDiedError:
        os.close(requests_write)
        os.close(answers_read)
        raise
    tester.hand_in([sealed(unit), requests_write, answers_read])


def _mark_pair(
    case: Case, index: int, test: Prepared, told: Outcome, did: Outcome | None
) -> TestResult:
    end, message = _test_end(told)
    if end is TestEnd.NEEDS_BESIDE:
        raise CannotPairError(message)
    if end is TestEnd.BAD_TEST:
        raise BadProblemError(f"the test code cannot run: {message}")
    shown = did or told
    failure = failure_of(did, case.limits) if did is not None else None
    over_limit = failure is not None and failure.verdict is not Verdict.RUNTIME_ERROR
    if failure is not None and (over_limit or end is TestEnd.PROGRAM_GONE):
        return result_of(case, index, test, shown, failure)
    if end is TestEnd.PASSED:
        return passed_test(case, index, test, shown)
    if end is TestEnd.FAILED:
        return failed_test(case, index, test, shown, message)
    result = result_of(case, index, test, shown, _failure_by_tester(end, told, message))
    if told.reason is Reason.BY_ITSELF:
        return result
    return result.model_copy(update={"near_limit": True})  # the wait was too long, in elapsed time


def _failure_by_tester(end: TestEnd | None, told: Outcome, message: str) -> Failure:
    if told.reason is Reason.STARVED:
        raise StarvedError("the test code waited for a CPU beyond all patience")
    if told.reason is not Reason.BY_ITSELF:
        words = "the test waited for the program beyond all limits"
        return Failure(Verdict.TIME_LIMIT_EXCEEDED, words)
    if end is TestEnd.PROGRAM_RAISED:
        return Failure(Verdict.RUNTIME_ERROR, message)
    return Failure(Verdict.RUNTIME_ERROR, message or "the program's process ended during a call")


def _test_end(told: Outcome) -> tuple[TestEnd | None, str]:
    """What the tester wrote; None if it was stopped before it could, or its test code wrote there too."""
    try:
        end, message = msgpack.unpackb(told.result)
        return TestEnd(end), str(message)
    except (ValueError, TypeError, msgpack.UnpackException):
        return None, ""
