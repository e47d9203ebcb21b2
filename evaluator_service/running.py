"""Running a case in a slot: compile once, a process per test, compare, stop early."""

from collections.abc import Generator, Iterator
from contextlib import closing
from itertools import groupby

from evaluator_service import asserts
from evaluator_service.beside import run_beside
from evaluator_service.built import built_program
from evaluator_service.case import Case, Trial
from evaluator_service.checking import deciding
from evaluator_service.interaction import run_interactive
from evaluator_service.near_limit import deserves_second_run, settled
from evaluator_service.paired import CannotPairError, open_pairs
from evaluator_service.prelude import try_prelude
from evaluator_service.prepare import Prepared, PreparedProblems, prepare
from evaluator_service.schema import AssertsProblem, InteractiveProblem, TestResult
from evaluator_service.shared import may_share, run_shared
from evaluator_service.strict import Numbered, run_strictly
from sandbox.model import AnyProgram, Mode, Program
from sandbox.slot import Slot


def run(slot: Slot, case: Case, prepared_problems: PreparedProblems) -> Trial:
    """Run the tests of a case until one decides, or all.

    Raises:
        BadProblemError: If the problem cannot be judged, whatever the program.
        StarvedError: If the machine did not let the program run.
        JailDiedError: If the jail did not survive it.
        SandboxUnavailableError: If no jail can be started.
        InterruptionError: If nobody waits for the rest.
    """
    trial = Trial()
    tests = prepared_problems.get(case.work.problem_id, lambda: _prepare(slot, case))
    trial.weights = [test.weight for test in tests]
    trial.groups = [test.group for test in tests]
    ordered = in_order(tests[: case.submission.first_k], case.first_test)
    while _run_on(slot, case, ordered[len(trial.results) :], trial):
        _run_again(slot, case, ordered[len(trial.results) - 1], trial)
    return trial


def in_order(tests: list[Prepared], first_test: int | None) -> Numbered:
    """Tests as declared, but for the one that goes first."""
    ordered = list(enumerate(tests))
    if first_test is not None and first_test < len(ordered):
        ordered.insert(0, ordered.pop(first_test))
    return ordered


def _run_on(slot: Slot, case: Case, tests: Numbered, trial: Trial) -> bool:
    """Run tests until one decides; True if the last deserves a second run."""
    if trial.failed and case.stops_at_failure:
        return False
    with closing(_results(slot, case, tests, trial)) as results:
        for result in results:
            trial.results.append(result)
            if case.reruns_near_limit and deserves_second_run(result):
                return True
            if trial.failed and case.stops_at_failure:
                break
    return False


def _run_again(slot: Slot, case: Case, test: tuple[int, Prepared], trial: Trial) -> None:
    """Run the last test once more, in a session of its own."""
    for second in _results(slot, case, [test], trial):
        trial.results[-1] = settled(trial.results[-1], second)


def _prepare(slot: Slot, case: Case) -> list[Prepared]:
    if case.prelude:
        try_prelude(slot, case)
    if isinstance(case.problem, AssertsProblem):
        return asserts.lower(slot, case.problem)
    return prepare(case.problem)


def _results(slot: Slot, case: Case, tests: Numbered, trial: Trial) -> Generator[TestResult]:
    """Tests in this order; neighbours that use the program alike share a session."""
    for (mode, entry_point), group in groupby(
        tests, lambda test: (test[1].mode, test[1].entry_point)
    ):
        same = list(group)
        match mode:
            case Mode.INTERACT if isinstance(case.problem, InteractiveProblem):
                results = run_interactive(slot, case, case.problem, trial, same)
            case Mode.STDIO | Mode.CALL:
                results = _alone(slot, case, same, mode, entry_point, trial)
            case Mode.TEST:
                results = _in_pairs(slot, case, same, trial)
            case _:
                results = run_beside(slot, case, same, trial)
        yield from results
        if trial.compiled is not None and not trial.compiled.ok:
            return


def _alone(
    slot: Slot, case: Case, tests: Numbered, mode: Mode, entry_point: str, trial: Trial
) -> Iterator[TestResult]:
    """Tests whose outputs are compared out here."""
    if case.is_warm:
        program: AnyProgram | None = Program(
            mode=mode,
            source=case.code,
            prelude=case.prelude,
            entry_point=entry_point,
            provide_names=case.problem.kind == "call",
        )
    else:
        program = built_program(slot, case, trial)
    if program is None:
        return
    with slot.open_program(program, case.run_limits) as session:
        if case.is_warm and not trial.compiles(session):
            return
        if may_share(case, [test for _, test in tests]):
            yield from run_shared(session, case, trial, tests)
            return
        with deciding(slot, case) as decide:
            yield from run_strictly(session, case, trial, tests, decide)


def _in_pairs(slot: Slot, case: Case, tests: Numbered, trial: Trial) -> Iterator[TestResult]:
    """Tests whose code runs in a jail of its own; beside the program where that turns out impossible."""
    with open_pairs(slot, case, trial) as pairs:
        for index, test in tests:
            if not pairs.compiles():
                return
            try:
                yield pairs.run(index, test)
            except CannotPairError:
                pairs.close_program()
                yield from run_beside(slot, case, [(index, test)], trial)
