"""Whether a judgement is what a label promised."""

from __future__ import annotations

import pytest

from evaluator_service.kattis import Expectation, earned, unmet
from evaluator_service.kattis.expectations import Rule
from evaluator_service.kattis.globs import matches
from evaluator_service.kattis.labels import LEGACY_RULES, RULES
from evaluator_service.kattis.worth import Scoring, Worth
from evaluator_service.verdicts import Verdict
from tests.kattis.judgements import judgement


def plain(count: int) -> Scoring:
    return Scoring(tuple(Worth(f"secret/{number}", 1.0) for number in range(count)))


def is_met(rule: Rule, codes: str, scores: dict[int, float] | None = None) -> bool:
    got = judgement(codes, scores)
    return unmet(Expectation("x", (rule,)), got, plain(len(got.tests))) is None


@pytest.mark.parametrize(
    ("label", "codes", "old", "new"),
    [
        ("accepted", "AC AC", True, True),
        ("accepted", "AC WA", False, False),
        ("accepted", "SK SK", False, False),
        ("wrong_answer", "AC WA AC", True, True),
        ("wrong_answer", "AC WA SK", True, True),
        ("wrong_answer", "WA TLE", False, False),
        ("wrong_answer", "AC AC", False, False),
        ("time_limit_exceeded", "AC TLE", True, True),
        ("time_limit_exceeded", "WA TLE", True, False),
        ("time_limit_exceeded", "WA SK", False, False),
        ("time_limit_exceeded", "RE TLE", False, False),
        ("run_time_error", "AC RE", True, True),
        ("run_time_error", "WA MLE", True, False),
        ("run_time_error", "MLE AC", True, True),
        ("run_time_error", "OLE AC", True, True),
        ("rejected", "AC TLE", True, True),
        ("rejected", "AC AC", False, False),
        ("brute_force", "RE TLE", True, True),
        ("brute_force", "WA TLE", False, False),
    ],
)  # fmt: skip
def test_a_label_is_what_the_format_says(label: str, codes: str, old: bool, new: bool) -> None:
    assert is_met(LEGACY_RULES[label], codes) is old
    assert is_met(RULES[label], codes) is new


def test_a_test_with_fewer_points_is_accepted_in_the_words_of_the_format() -> None:
    assert is_met(RULES["accepted"], "AC WA", {1: 0.5})
    assert not is_met(RULES["wrong_answer"], "AC WA", {1: 0.5})
    assert not is_met(RULES["accepted"], "AC WA", {1: 0.0})


@pytest.mark.parametrize(
    ("codes", "scores", "met"),
    [
        ("AC WA", {}, True),
        ("AC TLE", {}, True),
        ("AC AC", {}, False),
        ("WA WA", {}, False),
        ("WA WA", {0: 0.3}, True),
    ],
)
def test_a_part_of_the_points_is_neither_all_nor_none(
    codes: str, scores: dict[int, float], met: bool
) -> None:
    assert is_met(Rule(points="some"), codes, scores) is met


def test_all_points_are_all_points() -> None:
    assert is_met(Rule(points="all"), "AC AC")
    assert not is_met(Rule(points="all"), "AC WA", {1: 0.9})


def test_a_score_lies_between_two_ends() -> None:
    for score, met in (((1, 1), True), ((0, 2), True), ((1.5, 2), False), ((0, 0.5), False)):
        assert is_met(Rule(score=score), "AC WA") is met


def test_a_group_earns_as_its_worst_test() -> None:
    worths = (Worth("a", 10, "g"), Worth("b", 10, "g"), Worth("c", 5))
    for codes, scores, points in (
        ("AC AC AC", {}, 25),
        ("AC WA AC", {}, 5),
        ("AC WA AC", {1: 0.5}, 15),
        ("AC AC WA", {2: 0.2}, 21),
    ):
        tests = judgement(codes, scores).tests
        assert earned(zip(tests, worths, strict=True)) == pytest.approx(points)


def test_a_rule_may_hold_for_some_tests() -> None:
    scoring = Scoring((Worth("sample/1", 0), Worth("secret/a/1", 10), Worth("secret/b/1", 10)))
    got = judgement("AC AC TLE")
    rules = {
        "secret/a": Rule("secret/a", permitted=frozenset({"AC"})),
        "secret/b": Rule("secret/b", required=frozenset({"TLE"})),
        "{sample,secret/*}": Rule("{sample,secret/*}", required=frozenset({"TLE"})),
    }
    assert unmet(Expectation("x", tuple(rules.values())), got, scoring) is None
    wrong = Rule("secret/a", required=frozenset({"WA"}))
    assert unmet(Expectation("x", (wrong,)), got, scoring) == "no test of secret/a ended with WA"


def test_a_comment_names_the_verdicts_that_a_submission_may_end_with() -> None:
    named = Expectation("x", verdicts=frozenset({Verdict.WRONG_ANSWER}))
    assert unmet(named, judgement("AC WA"), plain(2)) is None
    assert unmet(named, judgement("AC AC"), plain(2)) == "it ended with accepted"


def test_what_did_not_compile_is_no_wrong_answer() -> None:
    got = judgement("SK SK", verdict="compile_error", message="line 1: no")
    assert unmet(Expectation("x", (RULES["rejected"],)), got, plain(2)) == "nothing ran: line 1: no"
    named = Expectation("x", verdicts=frozenset({Verdict.COMPILE_ERROR}))
    assert unmet(named, got, plain(2)) is None


def test_a_judge_error_reproduces_no_label() -> None:
    fault = {"kind": "bad_problem", "message": "the checker crashed", "retryable": False}
    got = judgement("AC JE", verdict="judge_error", reward=None, error=fault)
    assert unmet(Expectation("x"), got, plain(2)) == "the judge failed: the checker crashed"


@pytest.mark.parametrize(
    ("pattern", "name", "met"),
    [
        ("accepted", "accepted/a.py", True),
        ("accepted/*", "accepted/a.py", True),
        ("*", "accepted/a.py", True),
        ("accepted/*.py", "accepted/a/b.py", False),
        ("a.{py,cpp}", "a.cpp", True),
        ("a.{py,cpp}", "a.c", False),
        ("secret/*-hard", "secret/01-hard", True),
        ("{a{b,c},d}", "ac", True),
        ("a[b]", "ab", False),
        ("a.b", "axb", False),
        ("a{", "a", True),
    ],
)
def test_patterns_are_those_of_the_format(pattern: str, name: str, met: bool) -> None:
    assert matches(pattern, name) is met
