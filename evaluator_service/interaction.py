"""A program and the problem's interactor talk, each in a jail of its own, both of one slot.

Both run at once and wait for each other, so they share the slot: a submission never waits for another one's. What
they say is carried by the interactor's side (``sandbox/inside/interact.py``), which knows who left first.
"""

import dataclasses
import os
import select
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
from evaluator_service.verdicts import Verdict
from sandbox import accounting
from sandbox.errors import JailDiedError
from sandbox.inside.check import ANSWER, FEEDBACK, INPUT
from sandbox.inside.interact import OUTPUT, PROGRAM
from sandbox.inside.wire import Kind
from sandbox.memory_files import sealed
from sandbox.model import Mode, Outcome, Program
from sandbox.session import SILENCE_SECONDS, Session
from sandbox.slot import Slot

PROGRAM_END_SECONDS = 0.5
"""How long a program that was rejected may take to end by itself, so that its figures are known."""

_TOLD_AFTER_SECONDS = 10.0
"""How long an interactor may take to decide on a program that has ended."""

_NOTICED_AFTER_SECONDS = 1.0
"""The same where the program failed: only who left first is not known yet."""


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
    tests: list[tuple[int, Prepared]],
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
        for session in (self._program, self._other):
            if session is not None:
                session.close()
        self._program = self._other = None

    def opens(self) -> bool:
        """Open what is not open; whether there is a program to run."""
        if self._program is None:
            self._program = self._open_program()
        if self._program is not None and self._other is None:
            self._other = self._open_interactor()
        if self._program is None or self._other is None:
            return False
        _excuse(self._program, self._other)
        return True

    def _open_program(self) -> Session | None:
        case = self._case
        if not case.is_warm:
            command = built_program(self._slot, case, self._trial, talks=True)
            return None if command is None else self._slot.open_program(command, case.run_limits)
        program = Program(mode=Mode.STDIO, source=case.code, prelude=case.prelude, talks=True)
        session = self._slot.open_program(program, case.run_limits)
        if self._trial.compiles(session):
            return session
        session.close()
        return None

    def _open_interactor(self) -> Session:
        interactor = self._interactor
        third = FEEDBACK if interactor.protocol == "kattis" else ANSWER
        second = ANSWER if interactor.protocol == "kattis" else OUTPUT
        command = command_of_problem(self._slot, interactor, Mode.INTERACT, (INPUT, second, third))
        limits = dataclasses.replace(
            limits_of(interactor), output_bytes=self._case.limits.output_bytes
        )
        return self._slot.tester().open_session(command, limits)

    def hold(self, test: Prepared) -> tuple[Outcome | None, Outcome | None]:
        """One talk: what the program did, and what the interactor's side reports; None of who did not end."""
        assert self._program is not None  # ``opens`` said so
        assert self._other is not None
        _connect(self._program, self._other, test)
        did, told = _both(self._program, self._other)
        if did is None:
            self._program.close()
            self._program = None
        if told is None:
            self._end_interactor()
        return did, told

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
        if heard is None or self._case.submission.report != "full":
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
        if failure is not None and decision.matched:
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
    """Wait for both, and a little for the second; what each did, None if it did not end."""
    did: Outcome | None = None
    told: Outcome | None = None
    deadline: float | None = None
    while did is None or told is None:
        waiting = [session for session, end in ((program, did), (other, told)) if end is None]
        patience = SILENCE_SECONDS if deadline is None else max(0.0, deadline - time.monotonic())
        ready, _, _ = select.select(waiting, [], [], patience)
        if not ready and deadline is not None:
            return did, told
        for session in ready:
            outcome = session.step(Kind.RAN, 0.0)
            if outcome is None:
                continue
            if session is program:
                did = outcome
                patience = _TOLD_AFTER_SECONDS if outcome.exit_code == 0 else _NOTICED_AFTER_SECONDS
            else:
                told, patience = outcome, PROGRAM_END_SECONDS
            deadline = time.monotonic() + patience
    return did, told


def _heard(told: Outcome | None, *, excuse_failure: bool) -> _Told | None:
    """Read what the interactor's side reports; None if it came to nothing and its program failed by itself.

    Raises:
        StarvedError: If the machine did not let the interactor run.
        BadProblemError: If it failed, and nobody else.
    """
    try:
        if told is None:
            raise BadProblemError("the interactor does not notice that its program has gone")
        check_ended(told, "interactor")
        exit_code, said, feedback, left_first, flooded, talk, cut, output = told_by(
            told, "interactor"
        )
    except BadProblemError:
        if excuse_failure:
            return None
        raise
    transcript = [
        Said(by="program" if who == PROGRAM else "interactor", text=text.decode("utf-8", "replace"))
        for who, text in talk
    ]
    ending = Ending(exit_code, said, feedback)
    return _Told(ending, left_first, flooded, transcript, cut, output)
