"""Folding verdicts and rewards: no process, no jail."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator_service.verdicts import RewardMode, Verdict, fold, reward, stops_for

OF_TESTS = [
    verdict for verdict in Verdict if verdict not in (Verdict.NO_CODE, Verdict.COMPILE_ERROR)
]
FAILURES = [v for v in OF_TESTS if v not in (Verdict.ACCEPTED, Verdict.SKIPPED)]
lists = st.lists(st.sampled_from(OF_TESTS), min_size=1)


@given(lists)
def test_accepted_exactly_when_every_test_that_ran_was_accepted(verdicts: list[Verdict]) -> None:
    ran = [v for v in verdicts if v is not Verdict.SKIPPED]
    if not ran:
        return
    assert (fold(verdicts) is Verdict.ACCEPTED) == (set(ran) == {Verdict.ACCEPTED})


@given(lists.filter(lambda verdicts: any(v in FAILURES for v in verdicts)))
def test_the_first_failure_in_declared_order_decides(verdicts: list[Verdict]) -> None:
    assert fold(verdicts) is next(v for v in verdicts if v in FAILURES)


@given(lists)
def test_with_a_partial_reward_one_judge_error_leaves_the_mark_unknown(
    verdicts: list[Verdict],
) -> None:
    assert fold([*verdicts, Verdict.JUDGE_ERROR], mode="fraction") is Verdict.JUDGE_ERROR


def test_a_judge_error_after_a_failure_does_not_hide_it() -> None:
    assert fold([Verdict.WRONG_ANSWER, Verdict.JUDGE_ERROR]) is Verdict.WRONG_ANSWER


@pytest.mark.parametrize("verdicts", [[], [Verdict.SKIPPED]], ids=["no tests", "none ran"])
def test_silence_is_never_acceptance(verdicts: list[Verdict]) -> None:
    with pytest.raises(ValueError, match="no test was judged"):
        fold(verdicts)


@given(lists, st.sampled_from(["all_or_nothing", "fraction", "weighted"]))
def test_the_judges_own_failure_is_never_a_number(
    verdicts: list[Verdict], mode: RewardMode
) -> None:
    tests = [(verdict, 1.0) for verdict in verdicts]
    assert reward(mode, Verdict.JUDGE_ERROR, tests) is None


weights_of_any_size = st.floats(min_value=0, exclude_min=True, allow_infinity=False)


@given(lists, st.lists(weights_of_any_size, min_size=30, max_size=30))
def test_only_the_accepted_get_the_whole_reward(
    verdicts: list[Verdict], weights: list[float]
) -> None:
    tests = list(zip(verdicts[:30], weights, strict=False))
    modes: tuple[RewardMode, ...] = ("fraction", "weighted")
    for mode in modes:
        value = reward(mode, Verdict.WRONG_ANSWER, tests)
        assert value is not None
        assert 0.0 <= value < 1.0
        assert reward(mode, Verdict.ACCEPTED, tests) == 1.0


def test_partial_rewards_count_tests_or_their_weights() -> None:
    tests = [(Verdict.ACCEPTED, 3.0), (Verdict.WRONG_ANSWER, 1.0)]
    assert reward("fraction", Verdict.WRONG_ANSWER, tests) == 0.5
    assert reward("weighted", Verdict.WRONG_ANSWER, tests) == 0.75
    assert reward("all_or_nothing", Verdict.WRONG_ANSWER, tests) == 0.0


def test_partial_rewards_never_stop_early() -> None:
    assert stops_for("fraction", "first_failure") == "never"
    assert stops_for("weighted", "first_failure") == "never"
    assert stops_for("all_or_nothing", "first_failure") == "first_failure"


def test_codes_are_unique_and_every_verdict_has_a_meaning() -> None:
    assert len({verdict.code for verdict in Verdict}) == len(Verdict)
    assert all(verdict.meaning.endswith(".") for verdict in Verdict)
