"""The test that failed most often goes first where one failure is enough; who passes, and what for, stays the same."""

from __future__ import annotations

import dataclasses
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator_service import likely_failures, running
from evaluator_service.answer import answer
from evaluator_service.case import Case, open_case
from evaluator_service.extraction import program_of
from evaluator_service.judge import Judge
from evaluator_service.likely_failures import LikelyFailures
from evaluator_service.prepare import PreparedProblems
from evaluator_service.schema import Judgement, Submission, TestResult, problem_id
from evaluator_service.settings import Settings
from evaluator_service.verdicts import Verdict
from evaluator_service.work import Work
from sandbox.model import Compiled, Outcome, Reason

AC, WA, SK = Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.SKIPPED


def ran(*verdicts: Verdict) -> list[TestResult]:
    return [TestResult(index=index, verdict=verdict) for index, verdict in enumerate(verdicts)]


# --- what is learned ------------------------------------------------------------------------------


def test_the_test_that_failed_most_often_is_the_likeliest() -> None:
    known = LikelyFailures()
    assert known.likeliest("p") is None
    for results in (ran(AC, AC, WA), ran(AC, WA), ran(AC, AC, WA), ran(AC, AC, AC)):
        known.learn("p", results)
    assert (known.likeliest("p"), known.likeliest("q")) == (2, None)


def test_of_tests_that_failed_as_often_the_first_declared_is_the_likeliest() -> None:
    known = LikelyFailures()
    known.learn("p", ran(AC, WA, WA))
    assert known.likeliest("p") == 1


def test_what_failed_long_ago_is_forgotten() -> None:
    known = LikelyFailures()
    for _ in range(100):
        known.learn("p", ran(WA))
    for _ in range(7):
        known.learn("p", ran(AC, WA))
    assert known.likeliest("p") == 1


def test_what_is_known_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(likely_failures, "MAX_PROBLEMS_COUNT", 2)
    known = LikelyFailures()
    for name in "abac":
        known.learn(name, ran(*[WA] * 1000))
    assert [known.likeliest(name) for name in "abc"] == [0, None, 0]
    assert len(known._by_problem["a"]) == likely_failures.MAX_TESTS_COUNT


# --- what follows from it -------------------------------------------------------------------------

ONCE_CLOSE = "close, then right"
ENDINGS = ("right", "right", "right", ONCE_CLOSE, ONCE_CLOSE, "wrong", "crash", "close")
"""Most of them right, or an accepted program would hardly ever be among them."""
ASKED: list[dict[str, Any]] = [
    {},
    {"stop": "never"},
    {"reward": "fraction"},
    {"reward": "weighted"},
    {"reward": "first_k", "first_k": 2},
]


class FakeSession:
    """Runs tests whose input says how they end."""

    def __init__(self, runs: Counter[bytes]) -> None:
        self._runs = runs

    def __enter__(self) -> FakeSession:
        return self

    def __exit__(self, *_: object) -> None: ...

    def compiled(self) -> Compiled:
        """It compiles."""
        return Compiled(True, "", True, 0.0)

    def run_all(self, inputs: Sequence[bytes]) -> Iterator[Outcome]:
        """Outcomes in order."""
        return map(self._outcome, inputs)

    def _outcome(self, given: bytes) -> Outcome:
        self._runs[given] += 1
        ending = given.decode().partition(" ")[2]
        if ending == ONCE_CLOSE:
            ending = "close" if self._runs[given] == 1 else "right"
        seconds = 4.1 if ending == "close" else 0.01
        said = b"no" if ending == "wrong" else b"yes"
        code = int(ending == "crash")
        return Outcome(
            Reason.BY_ITSELF, code, None, seconds, seconds, 0, False, said, b"", False, b""
        )


class FakeSlot:
    """Opens sessions in no jail."""

    def __init__(self) -> None:
        self._runs: Counter[bytes] = Counter()

    def open_program(self, *_: object) -> Any:
        """A new session."""
        return FakeSession(self._runs)


def case_of(endings: Sequence[str], settings: Settings, likely: int | None, **more: Any) -> Case:
    tests = [
        {"input": f"{n} {ending}", "expected": "yes", "group": f"{n % 2}"}
        for n, ending in enumerate(endings)
    ]
    problem = {"kind": "stdio", "tests": tests}
    fields = {"code": "-", "problem": problem, "report": "tests", **more}
    submission = Submission.model_validate(fields)
    assert submission.problem is not None
    work = Work(submission, submission.problem, problem_id(submission.problem), time.monotonic())
    return open_case(settings, work, program_of(submission), likely_failure=likely)


def judged(case: Case) -> Judgement:
    slot: Any = FakeSlot()
    trial = running.run(slot, case, PreparedProblems(1 << 20))
    return answer(case, program_of(case.submission), trial, level="", queue_seconds=0.0)


@pytest.mark.parametrize("asked", ASKED, ids=str)
@given(
    endings=st.lists(st.sampled_from(ENDINGS), min_size=1, max_size=6),
    likely=st.integers(0, 8),
    reruns=st.booleans(),
)
def test_acceptance_and_reward_are_the_same_in_any_order(
    asked: dict[str, Any], endings: list[str], likely: int, reruns: bool
) -> None:
    case = case_of(endings, Settings(rerun_near_limit=reruns), None, **asked)
    as_declared = judged(case)
    reordered = judged(dataclasses.replace(case, first_test=likely))
    assert (reordered.verdict is AC, reordered.reward) == (
        as_declared.verdict is AC,
        as_declared.reward,
    )
    assert [test.index for test in reordered.tests] == list(range(len(endings)))
    if reordered.verdict is AC and case.stops_at_failure:
        assert {test.verdict for test in reordered.tests} == {AC}
    if not case.stops_at_failure:
        assert reordered == as_declared.model_copy(update={"timing": reordered.timing})


def test_the_verdict_is_of_the_failure_that_was_met() -> None:
    judgement = judged(case_of(["right", "crash", "wrong", "right"], Settings(), 2))
    assert [test.verdict for test in judgement.tests] == [SK, SK, WA, SK]
    assert (judgement.verdict, judgement.passed) == (WA, 0)


@pytest.mark.parametrize(
    ("settings", "asked", "first"),
    [
        ({}, {}, 2),
        ({"likely_failure_first": False}, {}, None),
        ({}, {"isolation_mode": "auto"}, None),
        ({}, {"stop": "never"}, None),
        ({}, {"reward": "fraction"}, None),
    ],
)
def test_nothing_moves_but_where_one_failure_is_enough_and_no_order_is_secret(
    settings: dict[str, Any], asked: dict[str, Any], first: int | None
) -> None:
    assert case_of(["right"] * 4, Settings(**settings), 2, **asked).first_test == first


@pytest.mark.nsjail
def test_a_judge_learns_which_test_its_programs_fail() -> None:
    tests = [{"args": [n], "expected": n} for n in range(4)]
    calls = {"kind": "call", "entry_point": "f", "tests": tests}
    mixed = {
        "kind": "asserts",
        "entry_point": "f",
        "tests": ["assert f(0) == 0", "x = f(1)\nassert x == 1", "x = f(2)\nassert x == 2"],
    }
    judge = Judge(Settings(slots_count=1, packages=()))
    judge.start()
    try:
        for problem in (calls, mixed):
            verdicts = []
            for code in ("return x if x < 2 else None", "return x if x < 2 else None", "return x"):
                fields = {"code": f"def f(x): {code}", "problem": problem, "report": "tests"}
                submission = Submission.model_validate(fields)
                assert submission.problem is not None
                name = problem_id(submission.problem)
                work = Work(submission, submission.problem, name, time.monotonic())
                verdicts.append(" ".join(test.verdict.code for test in judge.judge(work).tests))
            later = ["SK"] * (len(verdicts[0].split()) - 3)
            declared, learned = ["AC", "AC", "WA", *later], ["SK", "SK", "WA", *later]
            assert verdicts == [*map(" ".join, (declared, learned)), verdicts[2]]
            assert set(verdicts[2].split()) == {"AC"}
    finally:
        judge.close()
