"""Folding verdicts and rewards: no process, no jail."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator_service.verdicts import (
    Penalties,
    RewardMode,
    Verdict,
    by_group,
    credit,
    fold,
    reward,
    stops_for,
)

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


@given(lists, st.sampled_from(get_args(RewardMode)))
def test_the_judges_own_failure_is_never_a_number(
    verdicts: list[Verdict], mode: RewardMode
) -> None:
    tests = [(credit(verdict), 1.0) for verdict in verdicts]
    assert reward(mode, Verdict.JUDGE_ERROR, tests) is None


weights_of_any_size = st.floats(min_value=0, exclude_min=True, allow_infinity=False)


@given(lists, st.lists(weights_of_any_size, min_size=30, max_size=30))
def test_only_the_accepted_get_the_whole_reward(
    verdicts: list[Verdict], weights: list[float]
) -> None:
    tests = list(zip(map(credit, verdicts[:30]), weights, strict=False))
    modes: tuple[RewardMode, ...] = ("fraction", "weighted")
    for mode in modes:
        value = reward(mode, Verdict.WRONG_ANSWER, tests)
        assert value is not None
        assert 0.0 <= value < 1.0
        assert reward(mode, Verdict.ACCEPTED, tests) == 1.0


def test_partial_rewards_count_tests_or_their_weights() -> None:
    tests = [(1.0, 3.0), (0.0, 1.0)]
    assert reward("fraction", Verdict.WRONG_ANSWER, tests) == 0.5
    assert reward("weighted", Verdict.WRONG_ANSWER, tests) == 0.75
    assert reward("all_or_nothing", Verdict.WRONG_ANSWER, tests) == 0.0


def test_only_the_first_k_tests_count() -> None:
    verdicts = [Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.ACCEPTED, Verdict.ACCEPTED]
    tests = [(credit(verdict), 9.0) for verdict in verdicts]
    assert reward("first_k", Verdict.WRONG_ANSWER, tests, first_k=2) == 1 / 2
    assert reward("first_k", Verdict.WRONG_ANSWER, tests, first_k=3) == 2 / 3
    assert reward("first_k", Verdict.WRONG_ANSWER, tests, first_k=99) == 3 / 4


penalties = st.builds(Penalties, *[st.floats(-1, 0)] * 2)
modes = st.sampled_from(get_args(RewardMode))
ks = st.integers(1, 40)
judged = st.lists(st.sampled_from(OF_TESTS), min_size=1).filter(
    lambda verdicts: verdicts[0] is not Verdict.SKIPPED
)


def marked(
    verdicts: list[Verdict], weights: list[float], mode: RewardMode, k: int, costs: Penalties
) -> float | None:
    """As a submission of these tests is marked: those beyond k are skipped."""
    first_k = k if mode == "first_k" else None
    ran = verdicts[:first_k] + [Verdict.SKIPPED] * len(verdicts[k:] if first_k else [])
    tests = list(zip(map(credit, ran), weights, strict=False))
    return reward(mode, fold(ran, mode=mode), tests, first_k=first_k, penalties=costs)


all_weights = st.lists(weights_of_any_size, min_size=50, max_size=50)


@given(judged.filter(lambda v: len(v) <= 50), all_weights, modes, ks, penalties)
def test_a_reward_is_null_or_within_its_bounds(
    verdicts: list[Verdict], weights: list[float], mode: RewardMode, k: int, costs: Penalties
) -> None:
    value = marked(verdicts, weights, mode, k, costs)
    assert value is None or 0 <= value <= 1


@given(st.sampled_from(Verdict), modes, penalties)
def test_what_could_not_be_run_has_its_penalty_and_only_that(
    verdict: Verdict, mode: RewardMode, costs: Penalties
) -> None:
    value = reward(mode, verdict, [(0.0, 1.0)], first_k=1, penalties=costs)
    match verdict:
        case Verdict.NO_CODE:
            assert value == costs.no_code
        case Verdict.COMPILE_ERROR:
            assert value == costs.compile_error
        case Verdict.JUDGE_ERROR:
            assert value is None
        case _:
            assert value in (0.0, 1.0)


@given(
    judged.filter(lambda v: len(v) <= 50 and Verdict.JUDGE_ERROR not in v),
    st.integers(0, 49),
    all_weights,
    modes,
    ks,
    penalties,
)
def test_one_more_accepted_test_never_lowers_a_reward(
    verdicts: list[Verdict],
    place: int,
    weights: list[float],
    mode: RewardMode,
    k: int,
    costs: Penalties,
) -> None:
    better = verdicts.copy()
    better[place % len(verdicts)] = Verdict.ACCEPTED
    before = marked(verdicts, weights, mode, k, costs)
    after = marked(better, weights, mode, k, costs)
    assert before is not None
    assert after is not None
    assert after >= before


def test_partial_rewards_never_stop_early() -> None:
    assert stops_for("fraction", "first_failure") == "never"
    assert stops_for("weighted", "first_failure") == "never"
    assert stops_for("first_k", "first_failure") == "never"
    assert stops_for("all_or_nothing", "first_failure") == "first_failure"


def test_codes_are_unique_and_every_verdict_has_a_meaning() -> None:
    assert len({verdict.code for verdict in Verdict}) == len(Verdict)
    assert all(verdict.meaning.endswith(".") for verdict in Verdict)


def test_a_group_counts_only_if_all_of_it_is_accepted() -> None:
    credited = by_group([1.0, 1.0, 0.0, 1.0], ["a", "b", "b", None])
    assert credited == [1.0, 0.0, 0.0, 1.0]
    assert reward("fraction", Verdict.WRONG_ANSWER, zip(credited, [1.0] * 4, strict=True)) == 0.5


@given(judged, st.lists(st.sampled_from(["a", "b", None]), min_size=50, max_size=50))
def test_groups_never_raise_a_reward_nor_touch_an_accepted_submission(
    verdicts: list[Verdict], groups: list[str | None]
) -> None:
    ran = list(map(credit, verdicts[:50]))
    credited = by_group(ran, groups[: len(ran)])
    ones = [1.0] * len(ran)
    alone = reward("fraction", Verdict.WRONG_ANSWER, zip(ran, ones, strict=True))
    together = reward("fraction", Verdict.WRONG_ANSWER, zip(credited, ones, strict=True))
    assert alone is not None
    assert together is not None
    assert together <= alone
    if set(ran) == {1.0}:
        assert credited == ran


def test_a_group_earns_the_share_of_its_worst_test() -> None:
    assert by_group([0.5, 0.25, 1.0], ["a", "a", "a"]) == [0.25] * 3


def test_a_share_that_a_checker_gave_counts_in_a_partial_reward_alone() -> None:
    tests = [(credit(Verdict.ACCEPTED), 1.0), (credit(Verdict.WRONG_ANSWER, 0.5), 1.0)]
    assert reward("fraction", Verdict.WRONG_ANSWER, tests) == 0.75
    assert reward("all_or_nothing", Verdict.WRONG_ANSWER, tests) == 0.0


@given(st.sampled_from(Verdict), st.floats(0, 1) | st.none())
def test_only_an_accepted_test_earns_everything(verdict: Verdict, score: float | None) -> None:
    assert (credit(verdict, score) == 1.0) == (verdict is Verdict.ACCEPTED)
