"""A judgement under other terms: what was recorded is compared again, and nothing runs again.

A test that ended otherwise than by a comparison keeps its verdict, and so does one that test code decided. What nobody knows is never guessed: where a
test that now counts was skipped, or its output is gone, the answer is a ``judge_error`` that says so.
"""

import contextlib
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from evaluator_service.answer import methods_of
from evaluator_service.fits import decider_of
from evaluator_service.marking import JUDGED, NoAnswerError, compare
from evaluator_service.outputs import Archive, Outputs
from evaluator_service.prepare import BadProblemError, Prepared
from evaluator_service.profiles import TRAITS, misfit
from evaluator_service.schema import (
    AnyProblem,
    Comparison,
    JudgeFault,
    Judgement,
    Rescored,
    Rescoring,
    Rung,
    TestResult,
)
from evaluator_service.verdicts import (
    Penalties,
    RewardMode,
    Verdict,
    by_group,
    credit,
    fold,
    reward,
)
from sandbox.errors import SandboxError

INCOMPLETE = "incomplete"
_NOTHING_RAN = frozenset({Verdict.NO_CODE, Verdict.COMPILE_ERROR})
_COMPARED = frozenset({Verdict.ACCEPTED, Verdict.WRONG_ANSWER})


class MisfitError(ValueError):
    """A judgement that cannot be one of this problem, or names no outputs.

    Attributes:
        where: The place in the judgement, as a path.
        what: What is wrong with it, and what to do.
    """

    def __init__(self, where: tuple[int | str, ...], what: str) -> None:
        super().__init__(what)
        self.where = where
        self.what = what


class _NoMarkError(Exception):
    """Why there is no mark under any terms."""

    def __init__(self, kind: str, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.fault = JudgeFault(kind=kind, message=message, retryable=retryable)


@dataclass(frozen=True, slots=True)
class Terms:
    """By what a judgement is to be looked at anew.

    Attributes:
        policies: How to compare; the first makes the new judgement, the others the ladder.
        mode: How partial success counts.
        first_k: How many tests count, with mode ``first_k``.
        penalties: The reward of what could not be run.
        shows_details: Whether the first difference is said.
    """

    policies: tuple[Comparison, ...]
    mode: RewardMode
    first_k: int | None
    penalties: Penalties
    shows_details: bool


def rescore(
    asked: Rescoring,
    problem: AnyProblem,
    problem_id: str,
    archive: Archive,
    penalties: Penalties,
    go_on: Callable[[], None] = lambda: None,
) -> Rescored:
    """Look at a judgement anew.

    Args:
        asked: The judgement, and the new terms.
        problem: What it was judged against.
        problem_id: Content hash of the problem.
        archive: Where the outputs are, and what reads a problem.
        penalties: The reward of what could not be run.
        go_on: Called before each test; raises to break off.

    Raises:
        MisfitError: If the judgement cannot be one of this problem, or names no outputs.
    """
    judgement, terms = asked.judgement, _terms(asked, problem, penalties)
    if (
        asked.comparison is None
        and decider_of(problem) is None
        and (why := misfit(judgement.comparison.profile, problem.kind))
    ):
        raise MisfitError(("comparison", "profile"), why)
    if judgement.problem_id not in (None, problem_id):
        raise MisfitError(
            ("problem_id",), f"it was judged against another problem than {problem_id}"
        )
    answers = _answers(
        judgement, terms, lambda: archive.tests_of(problem, problem_id), archive.outputs, go_on
    )
    first, *others = answers
    if asked.report == "summary":
        first = first.model_copy(update={"tests": []})
    return Rescored(judgement=first, ladder=[*map(_rung, others)] if asked.ladder else None)


def _terms(asked: Rescoring, problem: AnyProblem, penalties: Penalties) -> Terms:
    policy = asked.comparison or asked.judgement.comparison
    rungs = _rungs(policy, problem.kind) if asked.ladder else ()
    mode, first_k = asked.reward, asked.first_k
    if mode is None:
        mode, first_k = asked.judgement.reward_mode, asked.judgement.first_k
    return Terms((policy, *rungs), mode, first_k, penalties, asked.report == "full")


def _rungs(policy: Comparison, kind: str) -> Iterator[Comparison]:
    """The same policy by each profile: settings that it does not know fall away; none where it cannot compare."""
    for profile in TRAITS:
        if misfit(profile, kind) is None:
            with contextlib.suppress(ValueError):
                yield policy.under(profile)


def _rung(judgement: Judgement) -> Rung:
    return Rung(
        profile=judgement.comparison.profile,
        verdict=judgement.verdict,
        reward=judgement.reward,
        passed=judgement.passed,
        methods=judgement.methods,
    )


# --- one judgement for each policy ----------------------------------------------------------------


def _answers(
    judgement: Judgement,
    terms: Terms,
    tests_of: Callable[[], list[Prepared]],
    outputs: Outputs,
    go_on: Callable[[], None],
) -> list[Judgement]:
    if judgement.verdict is Verdict.JUDGE_ERROR and not _was_incomplete(judgement):
        fault = judgement.error or JudgeFault(
            kind="internal", message="there was no mark", retryable=True
        )
        return [_without_mark(judgement, policy, terms, fault) for policy in terms.policies]
    if judgement.verdict in _NOTHING_RAN:
        return [
            _marked(judgement, policy, terms, judgement.verdict, []) for policy in terms.policies
        ]
    try:
        tests = _readable(tests_of)
        _check_fit(judgement, tests)
        columns = zip(*_compared_again(judgement, tests, terms, outputs, go_on), strict=True)
        return [
            _judged(judgement, policy, terms, results, tests)
            for policy, results in zip(terms.policies, columns, strict=True)
        ]
    except _NoMarkError as error:
        empty = judgement.model_copy(update={"tests": [], "passed": 0, "methods": {}})
        return [_without_mark(empty, policy, terms, error.fault) for policy in terms.policies]


def _was_incomplete(judgement: Judgement) -> bool:
    """Whether it had no mark under earlier terms alone."""
    return judgement.error is not None and judgement.error.kind == INCOMPLETE


def _readable(tests_of: Callable[[], list[Prepared]]) -> list[Prepared]:
    try:
        return tests_of()
    except BadProblemError as error:
        raise _NoMarkError("bad_problem", str(error)) from error
    except SandboxError as error:
        raise _NoMarkError("sandbox", str(error), retryable=True) from error


def _check_fit(judgement: Judgement, tests: Sequence[Prepared]) -> None:
    if not judgement.tests:
        what = "there are none: a judgement by `report: summary` names no outputs"
        raise MisfitError(("tests",), f"{what}; judge with `keep_outputs` and `report: tests`")
    if len(judgement.tests) != len(tests):
        what = f"{len(judgement.tests)} tests, and the problem has {len(tests)}"
        raise MisfitError(("tests",), f"{what}: it was judged against another one")
    for index, result in enumerate(judgement.tests):
        if result.index != index:
            raise MisfitError(("tests", index, "index"), f"must be {index}, its place")


def _compared_again(
    judgement: Judgement,
    tests: Sequence[Prepared],
    terms: Terms,
    outputs: Outputs,
    go_on: Callable[[], None],
) -> Iterator[list[TestResult]]:
    """For each test what each policy says of it."""
    count = terms.first_k if terms.mode == "first_k" else None
    for result, test in itertools.islice(zip(judgement.tests, tests, strict=True), count):
        go_on()
        # what the problem's own code decided stands: no comparison reaches it
        if result.verdict in _COMPARED and test.is_compared:
            output = _output_of(result, outputs)
            yield [_marked_again(result, test, output, policy, terms) for policy in terms.policies]
        else:
            yield [result] * len(terms.policies)
    for result in judgement.tests[len(tests) if count is None else count :]:
        skipped = TestResult(index=result.index, verdict=Verdict.SKIPPED)
        yield [skipped] * len(terms.policies)


def _output_of(result: TestResult, outputs: Outputs) -> bytes:
    if result.output is None:
        what = "was not kept; judge with `keep_outputs`"
        raise MisfitError(("tests", result.index, "output"), what)
    output = outputs.get(result.output)
    if output is None:
        message = f"the output of test {result.index}, {result.output}, is not here (never, or no more); judge again"
        raise _NoMarkError("outputs_gone", message)
    return output


def _marked_again(
    result: TestResult, test: Prepared, output: bytes, policy: Comparison, terms: Terms
) -> TestResult:
    try:
        comparison = compare(policy, test, output)
    except (
        NoAnswerError
    ) as error:  # as when it is judged: only what was never compared can end here
        message = str(error) if terms.shows_details else None
        changes = {"verdict": Verdict.RUNTIME_ERROR, "comparison": None, "message": message}
        return result.model_copy(update=changes)
    if not terms.shows_details and comparison.detail is not None:
        comparison = comparison.model_copy(update={"detail": None})
    verdict = JUDGED[comparison.matched].verdict
    return result.model_copy(update={"verdict": verdict, "comparison": comparison})


# --- the fold -------------------------------------------------------------------------------------


def _judged(
    judgement: Judgement,
    policy: Comparison,
    terms: Terms,
    results: Sequence[TestResult],
    tests: Sequence[Prepared],
) -> Judgement:
    counted = results[: terms.first_k] if terms.mode == "first_k" else results
    gap = _first_unknown(counted, terms.mode)
    passed_count = sum(result.verdict is Verdict.ACCEPTED for result in results)
    known = judgement.model_copy(
        update={"tests": list(results), "passed": passed_count, "methods": methods_of(results)}
    )
    if gap is not None:
        message = f"test {gap} counts now and never ran; judge again with `stop: never`"
        fault = JudgeFault(kind=INCOMPLETE, message=message, retryable=False)
        return _without_mark(known, policy, terms, fault)
    verdict = fold([result.verdict for result in results], mode=terms.mode)
    if verdict is Verdict.JUDGE_ERROR:
        fault = JudgeFault(kind="internal", message="a test has no mark", retryable=True)
        return _without_mark(known, policy, terms, judgement.error or fault)
    earned = [credit(result.verdict, result.score) for result in results]
    credited = by_group(earned, [test.group for test in tests])
    weighed = list(zip(credited, (test.weight for test in tests), strict=True))
    return _marked(known, policy, terms, verdict, weighed)


def _first_unknown(results: Sequence[TestResult], mode: RewardMode) -> int | None:
    """The first test that counts and was skipped; None if all that count are known, or one failure decides."""
    failed = [
        result for result in results if result.verdict not in (Verdict.ACCEPTED, Verdict.SKIPPED)
    ]
    if (failed and mode == "all_or_nothing") or any(map(_broke_the_judge, failed)):
        return None
    skipped = (result.index for result in results if result.verdict is Verdict.SKIPPED)
    return next(skipped, None)


def _broke_the_judge(result: TestResult) -> bool:
    """Whether this is the one result of a program that broke its jails: what it skipped counts as failed."""
    return result.verdict not in _COMPARED and result.wall_time_seconds is None


def _marked(
    judgement: Judgement,
    policy: Comparison,
    terms: Terms,
    verdict: Verdict,
    weighed: Sequence[tuple[float, float]],
) -> Judgement:
    value = reward(terms.mode, verdict, weighed, first_k=terms.first_k, penalties=terms.penalties)
    changes = {"verdict": verdict, "reward": value, "error": None}
    return _under_terms(judgement.model_copy(update=changes), policy, terms)


def _without_mark(
    judgement: Judgement, policy: Comparison, terms: Terms, fault: JudgeFault
) -> Judgement:
    changes = {"verdict": Verdict.JUDGE_ERROR, "reward": None, "error": fault}
    return _under_terms(judgement.model_copy(update=changes), policy, terms)


def _under_terms(judgement: Judgement, policy: Comparison, terms: Terms) -> Judgement:
    changes = {"comparison": policy, "reward_mode": terms.mode, "first_k": terms.first_k}
    return judgement.model_copy(update=changes)
