"""Tests that share a process: isolation mode ``auto``.

One test, secretly chosen, runs as if strictly: most wrong programs fail it. If it passes, the others follow in
the same process, in a secret order, and those are believed that no sharing can have helped. Whatever is not
believed runs strictly, so that the verdict is the one of ``strict``; and if that turns out otherwise than in the process,
nothing of it is believed. The argument, and what remains, is in
docs/adr/0004-auto-mode.md.
"""

from collections.abc import Iterator
from operator import itemgetter
from random import Random

from evaluator_service.case import Case, Stopwatch, Trial
from evaluator_service.classify import failure_of
from evaluator_service.marking import ACCEPTED, NoAnswerError, compare, kept, mark, result_of
from evaluator_service.near_limit import is_near_limit
from evaluator_service.prepare import Prepared
from evaluator_service.schema import TestResult
from evaluator_service.strict import Numbered, run_strictly
from evaluator_service.verdicts import Verdict
from sandbox.model import Mode, Outcome, Reason
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
        case.is_warm
        and all(test.is_compared for test in tests)
        and case.submission.isolation_mode == "auto"
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
        InterruptionError: If nobody waits for the rest.
    """
    lot = _lot_of(case, tests)
    chosen = lot.choice(tests)
    others = [test for test in tests if test is not chosen]
    with Stopwatch(trial, "run"):
        first = session.run_first(chosen[1].input)
    result = mark(case, *chosen, first)
    if result.verdict is Verdict.ACCEPTED and _worth_trying(case, first, len(others)):
        lot.shuffle(others)
        known = _run_others(session, case, trial, first, result, others)
    else:
        if first.reason is Reason.GOES_ON:
            result = mark(case, *chosen, session.finish())
        known = {result.index: result}
    strict = run_strictly(session, case, trial, [test for test in tests if test[0] not in known])
    for index, _ in tests:
        yield known[index] if index in known else next(strict)


def _lot_of(case: Case, tests: Numbered) -> Random:
    """One of its own for each group of tests: what a program may see of one tells nothing of the next."""
    first, _ = tests[0]
    return Random(case.seed + first.to_bytes(4))  # noqa: S311 - seeded by the system's entropy


def _worth_trying(case: Case, first: Outcome, others_count: int) -> bool:
    expected_seconds = first.cpu_time_seconds * others_count
    return expected_seconds <= _WORTH_TRYING_RATIO * case.limits.cpu_time_seconds


def _run_others(
    session: Session, case: Case, trial: Trial, first: Outcome, chosen: TestResult, tests: Numbered
) -> dict[int, TestResult]:
    """What is known, by index, after they ran in one process: of the chosen test as well, if its end was good."""
    with Stopwatch(trial, "run"):
        whole, outputs = session.run_together([test.input for _, test in tests])
    if not _within_one_test(case, first, whole):
        return {} if first.reason is Reason.GOES_ON else {chosen.index: chosen}
    if first.reason is Reason.GOES_ON:
        chosen = _with_memory(case, chosen, first, whole.peak_memory_bytes)
    with Stopwatch(trial, "compare"):
        believed = dict(_accepted(case, whole, tests, outputs))
    doubted = [test for test in tests if test[0] not in believed]
    again = (
        _run_again(session, case, trial, sorted(doubted, key=itemgetter(0)))
        if believed and doubted
        else {}
    )
    if any(result.verdict is Verdict.ACCEPTED for result in again.values()):
        believed = {}  # it does not do the same twice: no second try for what it guessed
    trial.shared = trial.shared or bool(believed)
    return {chosen.index: chosen} | believed | again


def _run_again(
    session: Session, case: Case, trial: Trial, tests: Numbered
) -> dict[int, TestResult]:
    """Run strictly what the process got wrong, up to the first test that fails where that one decides."""
    again: dict[int, TestResult] = {}
    # one by one where it may stop early: nothing handed in ahead is then left to run
    for batch in [[test] for test in tests] if case.stops_at_failure else [tests]:
        for result in run_strictly(session, case, trial, batch):
            again[result.index] = result
        if case.stops_at_failure and result.verdict is not Verdict.ACCEPTED:
            break
    return again


def _with_memory(case: Case, chosen: TestResult, first: Outcome, peak: int) -> TestResult:
    """Of a process that went on the peak is known only at its end."""
    near_limit = is_near_limit(first._replace(peak_memory_bytes=peak), case.limits)
    return chosen.model_copy(update={"memory_bytes": peak, "near_limit": near_limit})


def _accepted(
    case: Case, whole: Outcome, tests: Numbered, outputs: list[bytes | None]
) -> Iterator[tuple[int, TestResult]]:
    share = _share(whole, len(tests))
    like_all = result_of(case, 0, tests[0][1], share, ACCEPTED)
    for (index, test), output in zip(tests, outputs, strict=True):
        if output is None:
            continue
        try:
            comparison = compare(case.policy, test, output)
        except NoAnswerError:
            continue
        if not comparison.matched:
            continue
        name = kept(case, output)
        if case.submission.report == "full":
            outcome = share._replace(stdout=output) if test.mode is Mode.STDIO else share
            yield index, result_of(case, index, test, outcome, ACCEPTED, comparison, output_id=name)
        else:  # a third of the time: with many tests this is much of what happens out here
            own = {"index": index, "id": test.id, "comparison": comparison, "output": name}
            yield index, like_all.model_copy(update=own)


def _within_one_test(case: Case, first: Outcome, whole: Outcome) -> bool:
    """Whether all tests together, with all that they started, stayed below the limits of one."""
    if failure_of(whole, case.limits) is not None:
        return False
    cpu_seconds = whole.cpu_time_seconds + first.cpu_time_seconds
    wall_seconds = whole.wall_time_seconds + first.wall_time_seconds
    return (
        cpu_seconds <= case.limits.cpu_time_seconds
        and wall_seconds <= case.limits.wall_time_seconds
    )


def _share(whole: Outcome, tests_count: int) -> Outcome:
    """One test's part of what the process did: an equal share of the times."""
    return whole._replace(
        cpu_time_seconds=whole.cpu_time_seconds / tests_count,
        wall_time_seconds=whole.wall_time_seconds / tests_count,
        stdout=b"",
        stderr_tail=b"",
        stderr_cut=False,
        result=b"",
    )
