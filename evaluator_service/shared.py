"""Tests that share a process: isolation mode ``auto``.

One test, secretly chosen, runs strictly: most wrong programs fail it. If it passes, the others run in one
process, in a secret order, and those are believed that no sharing can have helped. Whatever is not believed
runs strictly, so that the verdict is the one of ``strict``; and if that turns out otherwise than in the process,
nothing of it is believed. The argument, and what remains, is in
docs/adr/0004-auto-mode.md.
"""

import secrets
from collections.abc import Iterator

from evaluator_service.case import Case, Stopwatch, Trial
from evaluator_service.classify import failure_of
from evaluator_service.executor import WithdrawnError
from evaluator_service.marking import mark
from evaluator_service.prepare import Prepared
from evaluator_service.schema import TestResult
from evaluator_service.strict import Numbered, run_strictly
from evaluator_service.verdicts import Verdict
from sandbox.model import Mode, Outcome
from sandbox.session import Session

LEAST_TESTS_COUNT = 3
"""With two tests, the one that is left shares its process with nobody."""

MAX_INPUT_BYTES = 32 << 20
"""The process holds all inputs at once, within the memory limit of one test."""

_WORTH_TRYING_RATIO = 0.5
"""Of one test's CPU limit: what the others would take together, by the time that the chosen one took."""


def may_share(case: Case, tests: list[Prepared]) -> bool:
    """Whether the client allows it and there is something to gain."""
    return (
        case.submission.isolation_mode == "auto"
        and len(tests) >= LEAST_TESTS_COUNT
        and sum(len(test.input) for test in tests) <= MAX_INPUT_BYTES
        # the process writes each input to a file of its own, under the limit of its output
        and max(len(test.input) for test in tests) <= case.limits.output_bytes
    )


def run_shared(session: Session, case: Case, trial: Trial, tests: Numbered) -> Iterator[TestResult]:
    """Results in the order of the tests, as ``run_strictly`` gives them.

    Raises:
        StarvedError: If the machine did not let the program run.
        JailDiedError: If the session ends or falls silent.
        WithdrawnError: If nobody waits for the rest.
    """
    chosen = secrets.choice(tests)
    (result,) = run_strictly(session, case, trial, [chosen])
    known = {result.index: result}
    others = [test for test in tests if test is not chosen]
    if result.verdict is Verdict.ACCEPTED and _worth_trying(case, result, len(others)):
        believed = _believed(session, case, trial, result, others)
        doubted = [test for test in others if test[0] not in believed]
        if believed and doubted:
            again = _run_again(session, case, trial, doubted)
            known |= again
            if any(result.verdict is Verdict.ACCEPTED for result in again.values()):
                believed = {}  # it does not do the same twice: no second try for what it guessed
        trial.shared = trial.shared or bool(believed)
        known |= believed
    strict = run_strictly(session, case, trial, [test for test in tests if test[0] not in known])
    for index, _ in tests:
        yield known[index] if index in known else next(strict)


def _worth_trying(case: Case, result: TestResult, others_count: int) -> bool:
    expected_seconds = (result.cpu_time_seconds or 0.0) * others_count
    return expected_seconds <= _WORTH_TRYING_RATIO * case.limits.cpu_time_seconds


def _run_again(
    session: Session, case: Case, trial: Trial, tests: Numbered
) -> dict[int, TestResult]:
    """Run strictly what the process got wrong, up to the first test that fails where that one decides."""
    again: dict[int, TestResult] = {}
    # one by one where it may stop early: nothing handed in ahead is then left to run
    for batch in [[test] for test in tests] if case.stops_at_failure else [tests]:
        for result in run_strictly(session, case, trial, batch):
            if case.work.withdrawn.is_set():
                raise WithdrawnError
            again[result.index] = result
        if case.stops_at_failure and result.verdict is not Verdict.ACCEPTED:
            break
    return again


def _believed(
    session: Session, case: Case, trial: Trial, chosen: TestResult, tests: Numbered
) -> dict[int, TestResult]:
    """Run the tests in one process; the accepted ones by index, none if the process is not to be believed."""
    tests = tests.copy()
    secrets.SystemRandom().shuffle(tests)
    with Stopwatch(trial, "run"):
        whole, outputs = session.run_together([test.input for _, test in tests])
    if not _within_one_test(case, chosen, whole):
        return {}
    with Stopwatch(trial, "compare"):
        results = [
            mark(case, index, test, _share(whole, test, output, len(tests)))
            for (index, test), output in zip(tests, outputs, strict=True)
            if output is not None
        ]
    return {result.index: result for result in results if result.verdict is Verdict.ACCEPTED}


def _within_one_test(case: Case, chosen: TestResult, whole: Outcome) -> bool:
    """Whether all tests together, with all that they started, stayed below the limits of one."""
    if failure_of(whole, case.limits) is not None or whole.stdout:
        return False
    cpu_seconds = whole.cpu_time_seconds + (chosen.cpu_time_seconds or 0.0)
    wall_seconds = whole.wall_time_seconds + (chosen.wall_time_seconds or 0.0)
    return (
        cpu_seconds <= case.limits.cpu_time_seconds
        and wall_seconds <= case.limits.wall_time_seconds
    )


def _share(whole: Outcome, test: Prepared, output: bytes, tests_count: int) -> Outcome:
    """One test's part: its own output, and an equal share of the times."""
    return Outcome(
        reason=whole.reason,
        exit_code=whole.exit_code,
        signal=whole.signal,
        cpu_time_seconds=whole.cpu_time_seconds / tests_count,
        wall_time_seconds=whole.wall_time_seconds / tests_count,
        peak_memory_bytes=whole.peak_memory_bytes,
        out_of_memory=whole.out_of_memory,
        stdout=output if test.mode is Mode.STDIO else b"",
        stderr_tail=b"",
        stderr_cut=False,
        result=b"" if test.mode is Mode.STDIO else output,
    )
