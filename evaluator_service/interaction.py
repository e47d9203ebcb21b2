"""A program and the problem's interactor talk, each in a jail of its own, both of one slot.

Both run at once and wait for each other, so they share the slot: a submission never waits for another one's. What
they say is carried by the interactor's side (``sandbox/inside/interact.py``), which knows who left first.
"""

import dataclasses
import os
import time
from collections.abc import Iterator
from contextlib import closing
from typing import NamedTuple

from evaluator_service.built import built_program
from evaluator_service.case import Case, Stopwatch, Trial, encoded
from evaluator_service.checking import (
    Checking,
    check_ended,
    command_of_problem,
    limits_of,
    packed_arguments,
    told_by,
)
from evaluator_service.classify import Failure, failure_of
from evaluator_service.decisions import Decision, Ending, decision_of
from evaluator_service.marking import JUDGED, result_of
from evaluator_service.prepare import BadProblemError, Prepared
from evaluator_service.schema import InteractiveProblem, Said, TestResult
from evaluator_service.strict import Numbered
from evaluator_service.verdicts import Verdict
from sandbox import accounting
from sandbox.errors import JailDiedError
from sandbox.inside.check import ANSWER, FEEDBACK, INPUT
from sandbox.inside.interact import NOT_REJECTED_CODES, OUTPUT, PROGRAM
from sandbox.inside.wire import Kind
from sandbox.memory_files import sealed
from sandbox.model import Mode, Outcome, Program, Reason
from sandbox.session import Session
from sandbox.slot import Slot
from sandbox.waiting import speaking

PROGRAM_END_SECONDS = 0.5
"""How long a program that was rejected may take to end by itself, so that its figures are known."""

_NOTICED_AFTER_SECONDS = 1.0
"""How long an interactor may take to decide on a program that failed: only who left first is not known yet."""


class _Told(NamedTuple):
    """What the interactor's side reports."""

    ending: Ending
    program_left_first: bool
    flooded: bool
    transcript: list[Said]
    cut: bool
    output: bytes


def run_interactive(
    slot: Slot,
    case: Case,
    problem: InteractiveProblem,
    trial: Trial,
    tests: Numbered,
) -> Iterator[TestResult]:
    """Run and mark one test after the other. Stop iterating to stop running.

    Raises:
        BadProblemError: If the interactor or checker fails.
        StarvedError: If the machine did not let them run.
        JailDiedError: If a session ends or falls silent.
    """
    talk = _Talk(slot, case, problem, trial)
    with closing(talk):
        for index, test in tests:
            if not talk.opens():
                return
            with Stopwatch(trial, "run"):
                did, told = talk.hold(test)
            yield talk.marked(index, test, did, told)


class _Talk:
    """Holds the talks of one submission; sessions are opened when they are first wanted."""

    def __init__(self, slot: Slot, case: Case, problem: InteractiveProblem, trial: Trial) -> None:
        self._slot = slot
        self._case = case
        self._interactor = problem.interactor
        self._checker = problem.checker
        self._trial = trial
        self._program: Session | None = None
        self._other: Session | None = None

    def close(self) -> None:
        """End both sessions."""
        self._end_program()
        self._end_interactor()

    def opens(self) -> bool:
        """Open what is not open; whether there is a program to run."""
        if self._program is None:
            self._open_program()
        if self._program is not None and self._other is None:
            self._other = self._open_interactor()
        if self._program is None or self._other is None:
            return False
        _excuse(self._program, self._other)
        return True

    def _open_program(self) -> None:
        case = self._case
        if not case.is_warm:
            command = built_program(self._slot, case, self._trial, talks=True)
            if command is not None:
                self._program = self._slot.open_program(command, case.run_limits)
            return
        program = Program(mode=Mode.STDIO, source=case.code, prelude=case.prelude, talks=True)
        self._program = self._slot.open_program(program, case.run_limits)
        if not self._trial.compiles(self._program):
            self._end_program()

    def _open_interactor(self) -> Session:
        interactor = self._interactor
        third = FEEDBACK if interactor.protocol == "kattis" else ANSWER
        second = ANSWER if interactor.protocol == "kattis" else OUTPUT
        command = command_of_problem(self._slot, interactor, Mode.INTERACT, (INPUT, second, third))
        hears = command.command._replace(heard_bytes=self._case.limits.output_bytes)
        command = dataclasses.replace(command, command=hears)
        return self._slot.open_tester_command(command, limits_of(interactor))

    def hold(self, test: Prepared) -> tuple[Outcome | None, Outcome | None]:
        """One talk: what the program did, and what the interactor's side reports; None of who did not end."""
        assert self._program is not None  # ``opens`` said so
        assert self._other is not None
        _connect(self._program, self._other, test)
        did, told = _both(self._program, self._other)
        if did is None:
            self._end_program()
        if told is None:
            self._end_interactor()
        return did, told

    def _end_program(self) -> None:
        if self._program is not None:
            self._program.close()
            self._program = None

    def _end_interactor(self) -> None:
        if self._other is not None:
            self._other.close()
            self._other = None

    def marked(
        self, index: int, test: Prepared, did: Outcome | None, told: Outcome | None
    ) -> TestResult:
        """The verdict on one talk."""
        failure = failure_of(did, self._case.limits) if did is not None else None
        heard = _heard(told, excuse_failure=failure is not None)
        judged, decision = self._judged(test, failure, heard)
        shown = did or told
        assert shown is not None  # one of them has ended
        result = result_of(
            self._case,
            index,
            test,
            shown,
            judged,
            decision.comparison if decision is not None else None,
            score=decision.score if decision is not None else None,
        )
        if heard is None:  # given up on, by elapsed time
            return result.model_copy(update={"near_limit": True})
        if self._case.submission.report != "full":
            return result
        changes = {"transcript": heard.transcript, "truncated": result.truncated or heard.cut}
        return result.model_copy(update=changes)

    def _judged(
        self, test: Prepared, failure: Failure | None, heard: _Told | None
    ) -> tuple[Failure, Decision | None]:
        """Who left first decides: what a program does after it was rejected excuses nobody, and blames nobody."""
        if heard is None:
            assert failure is not None  # else what the interactor's side says would have been read
            return failure, None
        if heard.flooded:
            words = f"said more than {self._case.limits.output_bytes} bytes"
            return Failure(Verdict.OUTPUT_LIMIT_EXCEEDED, words), None
        if failure is not None and heard.program_left_first:
            return failure, None
        decision = decision_of(self._interactor, heard.ending)
        if decision.matched and failure is None and self._checker is not None:
            self._end_interactor()  # a jail has one session at a time
            with closing(Checking(self._slot, self._checker)) as checking:
                decision = checking.decide(test, heard.output)
        if failure is not None and (decision.matched or decision.score):
            return failure, None
        return JUDGED[decision.matched], decision


def _excuse(program: Session, other: Session) -> None:
    """While one of the two works, the other's idling is not its own."""
    program.excused_seconds = lambda: sum(accounting.activity_of_tests(other.jail_pid))
    other.excused_seconds = lambda: sum(accounting.activity_of_tests(program.jail_pid))


def _connect(program: Session, other: Session, test: Prepared) -> None:
    """Give each its test: where to read and where to write."""
    heard, said = os.pipe2(os.O_CLOEXEC)
    listened, told = os.pipe2(os.O_CLOEXEC)
    try:
        program.hand_in([listened, said])
    except JailDiedError:
        os.close(heard)
        os.close(told)
        raise
    contents = (test.input, encoded(test.expected), packed_arguments(test))
    given_input, answer, arguments = (sealed(content) for content in contents)
    other.hand_in([given_input, answer, heard, told, arguments])


def _both(program: Session, other: Session) -> tuple[Outcome | None, Outcome | None]:
    """Wait for both, as long as their own limits let them; what each did.

    The second is None where it took too long over what does not matter any more: a program that is rejected, an
    interactor whose program failed.

    Raises:
        JailDiedError: If a session ends or falls silent.
    """
    did: Outcome | None = None
    told: Outcome | None = None
    dead_at = time.monotonic() + max(program.patience_seconds, other.patience_seconds)
    enough_at: float | None = None
    while did is None or told is None:
        waiting = [session for session, end in ((program, did), (other, told)) if end is None]
        until = dead_at if enough_at is None else enough_at
        ready = speaking(waiting, until - time.monotonic())
        if not ready and enough_at is not None:
            return did, told
        for session in ready or waiting:  # silent for so long, its jail is dead: ``step`` says so
            outcome = session.step(Kind.RAN, 0.0)
            if outcome is None:
                continue
            if session is program:
                did, patience_seconds = outcome, _patience_with_interactor(outcome)
            else:
                told, patience_seconds = outcome, _patience_with_program(outcome)
            enough_at = None if patience_seconds is None else time.monotonic() + patience_seconds
    return did, told


def _patience_with_interactor(did: Outcome) -> float | None:
    """How long it may take, its program being gone; None for as long as its limits let it."""
    return None if did.exit_code == 0 else _NOTICED_AFTER_SECONDS


def _patience_with_program(told: Outcome) -> float | None:
    """How long a program may go on, its interactor being gone; None for as long as its limits let it."""
    try:
        exit_code, _, _, _, flooded, *_ = told_by(told, "interactor")
    except BadProblemError:  # said by whoever reads the rest
        return PROGRAM_END_SECONDS
    may_be_accepted = exit_code in NOT_REJECTED_CODES and not flooded
    return None if may_be_accepted else PROGRAM_END_SECONDS


def _heard(told: Outcome | None, *, excuse_failure: bool) -> _Told | None:
    """Read what the interactor's side reports; None if its program failed and it took too long to notice.

    A program that fails once its interactor has failed is not at fault: it may well be for that.

    Raises:
        StarvedError: If the machine did not let the interactor run.
        BadProblemError: If it failed, and not over a program that had failed before.
    """
    if told is None:
        return None
    report = told_by(told, "interactor") if told.reason is Reason.BY_ITSELF else []
    if not (report and excuse_failure and report[3]):
        check_ended(told, "interactor")
    exit_code, said, feedback, left_first, flooded, talk, cut, output = report
    transcript = [
        Said(by="program" if who == PROGRAM else "interactor", text=text.decode("utf-8", "replace"))
        for who, text in talk
    ]
    ending = Ending(exit_code, said, feedback)
    return _Told(ending, left_first, flooded, transcript, cut, output)
