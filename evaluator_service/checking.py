"""A problem's own checker over what programs wrote: in the slot's other jail, which holds nothing of a program's making.

Whatever goes wrong with it is the problem's fault: a judge error, never a wrong answer.
"""

import contextlib
import dataclasses
from collections.abc import Iterator
from typing import Any

import msgpack

from evaluator_service import values
from evaluator_service.asserts import TESTER_LIMITS
from evaluator_service.built import sources_of
from evaluator_service.case import Case, encoded
from evaluator_service.classify import last_line
from evaluator_service.decisions import Decision, Ending, decision_of, decision_of_value
from evaluator_service.marking import Decide
from evaluator_service.prepare import BadProblemError, Prepared
from evaluator_service.schema import Checker, Interactor, StdioProblem
from evaluator_service.values import DictValue
from sandbox.builds import command_of
from sandbox.errors import StarvedError
from sandbox.inside.check import ANSWER, FEEDBACK, GOT, INPUT
from sandbox.languages import LANGUAGES
from sandbox.memory_files import sealed
from sandbox.model import CommandProgram, Mode, Outcome, Program, Reason, RunLimits
from sandbox.session import Session
from sandbox.slot import Slot


class Checking:
    """Runs a checker for one submission; its session is opened when it is first wanted."""

    def __init__(self, slot: Slot, checker: Checker) -> None:
        self._slot = slot
        self._checker = checker
        self._session: Session | None = None

    def close(self) -> None:
        """End its session."""
        if self._session is not None:
            self._session.close()
            self._session = None

    def decide(self, test: Prepared, output: bytes) -> Decision:
        """Whether an output is right.

        Raises:
            BadProblemError: If the checker cannot say.
            StarvedError: If the machine did not let it run.
            JailDiedError: If its jail did not survive it.
        """
        if self._session is None:
            self._open()
        return self._by_call(test, output) if self._is_function else self._by_command(test, output)

    @property
    def _is_function(self) -> bool:
        return self._checker.protocol == "function"

    def _open(self) -> None:
        if not self._is_function:
            files = (
                (INPUT, GOT, ANSWER)
                if self._checker.protocol == "testlib"
                else (INPUT, ANSWER, FEEDBACK)
            )
            program = command_of_problem(self._slot, self._checker, Mode.CHECK, files)
            self._session = self._slot.open_tester_command(program, limits_of(self._checker))
            return
        source = encoded(self._checker.code)
        function = Program(mode=Mode.CALL, source=source, entry_point="check")
        self._session = self._slot.open_tester(function, TESTER_LIMITS, source)
        compiled = self._session.compiled()
        if not compiled.ok:
            raise BadProblemError(f"the checker does not compile: {compiled.message}")

    def _by_call(self, test: Prepared, output: bytes) -> Decision:
        assert self._session is not None  # ``decide`` opened it
        got = output.decode("utf-8", "replace")
        given = [test.input.decode(), test.expected, got]
        (outcome,) = self._session.run_all([values.to_msgpack([given, DictValue(())])])
        check_ended(outcome, "checker")
        if outcome.exit_code != 0 or not outcome.result:
            why = last_line(outcome.stderr_tail) or f"exit status {outcome.exit_code}"
            raise BadProblemError(f"the checker failed: {why}")
        try:
            value = values.from_msgpack(outcome.result)
        except values.ValueFormatError as error:
            raise BadProblemError(f"the checker returned what cannot be read: {error}") from error
        return decision_of_value(self._checker, value)

    def _by_command(self, test: Prepared, output: bytes) -> Decision:
        assert self._session is not None  # ``decide`` opened it
        given = (test.input, encoded(test.expected), output, packed_arguments(test))
        self._session.hand_in([sealed(content) for content in given])
        outcome = self._session.outcome()
        check_ended(outcome, "checker")
        exit_code, said, feedback = told_by(outcome, "checker")
        return decision_of(self._checker, Ending(exit_code, said, feedback))


@contextlib.contextmanager
def deciding(slot: Slot, case: Case) -> Iterator[Decide | None]:
    """What decides on the outputs of a case in place of a comparison, if anything does."""
    checker = case.problem.checker if isinstance(case.problem, StdioProblem) else None
    if checker is None:
        yield None
        return
    with contextlib.closing(Checking(slot, checker)) as checking:
        yield checking.decide


def command_of_problem(
    slot: Slot, program: Checker | Interactor, mode: Mode, files: tuple[str, ...]
) -> CommandProgram:
    """What runs a problem's own program, compiled unless that has been done before.

    Args:
        slot: Whose other jail compiles it.
        program: The program.
        mode: CHECK or INTERACT.
        files: The names of files that it is given as arguments, before its own.

    Raises:
        BadProblemError: If it does not compile.
        ToolchainMissingError: If its language is not here.
    """
    toolchain = slot.toolchain(program.language)
    sources = sources_of(program, encoded(program.code))
    build = slot.build_for_tests(toolchain, sources, TESTER_LIMITS)
    if not build.compiled.ok:
        name = "checker" if isinstance(program, Checker) else "interactor"
        raise BadProblemError(f"the {name} does not compile: {build.compiled.message}")
    run = command_of(toolchain, build, limits_of(program))
    (words,) = run.command.steps
    command = run.command._replace(steps=[[*words, *files, *program.arguments]])
    return dataclasses.replace(run, mode=mode, command=command)


def packed_arguments(test: Prepared) -> bytes:
    """What a test adds to the arguments of a checker or interactor."""
    return msgpack.packb(test.arguments)  # type: ignore[no-any-return]


def limits_of(program: Checker | Interactor) -> RunLimits:
    """Generous, and what its language needs for itself."""
    needs = LANGUAGES[program.language].needs
    return dataclasses.replace(
        TESTER_LIMITS,
        memory_bytes=TESTER_LIMITS.memory_bytes + needs.memory_bytes,
        processes_count=TESTER_LIMITS.processes_count + needs.processes_count,
    )


def check_ended(outcome: Outcome, name: str) -> None:
    """Refuse what did not come to its end.

    Raises:
        StarvedError: If the machine did not let it.
        BadProblemError: If it ran out of its own limits.
    """
    if outcome.reason is Reason.STARVED:
        raise StarvedError(f"the {name} waited for a CPU beyond all patience")
    if outcome.reason is not Reason.BY_ITSELF:
        raise BadProblemError(f"the {name} ran out of time")
    if outcome.out_of_memory:
        raise BadProblemError(f"the {name} ran out of memory")


def told_by(outcome: Outcome, name: str) -> list[Any]:
    """What the process around a checker or interactor reports.

    Raises:
        BadProblemError: If the problem's program kept it from that.
    """
    try:
        return list(msgpack.unpackb(outcome.result))
    except (ValueError, TypeError, msgpack.UnpackException) as error:
        how = last_line(outcome.stderr_tail) or f"exit status {outcome.exit_code}"
        raise BadProblemError(f"the {name} broke what runs it: {how}") from error
