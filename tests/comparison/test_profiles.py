"""Which profile can compare what, which fields it knows, and what all of them say of one pair."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from pydantic import ValidationError

from evaluator_service.comparison import TEXT_PROFILES, VALUE_PROFILES, compare_text, ladder
from evaluator_service.profiles import TRAITS, Profile
from evaluator_service.schema import AssertsProblem, CallProblem, Comparison, StdioProblem

FIELDS: dict[str, Any] = {
    "absolute_tolerance": 0.1,
    "relative_tolerance": 0.1,
    "order": "tokens",
    "case": "ignore",
    "whitespace": "strict",
}


def test_every_profile_has_methods_for_exactly_what_it_can_compare() -> None:
    assert sorted(TRAITS) == sorted(get_args(Profile))
    for outputs, profiles in (("texts", TEXT_PROFILES), ("values", VALUE_PROFILES)):
        assert set(profiles) == {
            name for name, traits in TRAITS.items() if outputs in traits.outputs
        }


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("profile", TRAITS)
def test_a_profile_takes_the_fields_that_it_knows_and_refuses_the_others(
    profile: Profile, field: str
) -> None:
    policy = {"profile": profile, field: FIELDS[field]}
    if field in TRAITS[profile].fields:
        assert getattr(Comparison.model_validate(policy), field) == FIELDS[field]
    else:
        with pytest.raises(ValidationError, match=f"profile '{profile}' allows none of: {field}"):
            Comparison.model_validate(policy)


@pytest.mark.parametrize("profile", TRAITS)
def test_every_profile_may_be_told_that_case_counts_and_what_its_defaults_are(
    profile: Profile,
) -> None:
    written_out = Comparison(profile=profile).model_dump()
    assert Comparison.model_validate(written_out) == Comparison(profile=profile)
    assert Comparison.model_validate(written_out | {"case": "strict"}).case == "strict"


def test_two_precisions_are_one_too_many_for_dmoj() -> None:
    with pytest.raises(ValidationError, match="one precision"):
        Comparison(profile="dmoj_floats", absolute_tolerance=0.1, relative_tolerance=0.2)


@pytest.mark.parametrize("profile", TRAITS)
def test_a_problem_refuses_a_profile_that_has_no_meaning_for_its_outputs(profile: Profile) -> None:
    comparison = {"profile": profile}
    problems: list[tuple[Any, dict[str, Any], str]] = [
        (StdioProblem, {"kind": "stdio", "tests": [{"expected": "1"}]}, "texts"),
        (CallProblem, {"kind": "call", "entry_point": "f", "tests": [{"expected": 1}]}, "values"),
        (AssertsProblem, {"kind": "asserts", "tests": ["assert f() == 1"]}, "values"),
    ]
    for model, problem, outputs in problems:
        if outputs in TRAITS[profile].outputs:
            model.model_validate(problem | {"comparison": comparison})
        else:
            with pytest.raises(ValidationError, match=f"'{profile}' cannot compare {outputs}"):
                model.model_validate(problem | {"comparison": comparison})


def test_the_ladder_has_what_every_profile_says_of_two_texts() -> None:
    said = {name: result.method for name, result in ladder("1 2 2", b"2 1 1", Comparison())}
    assert said == dict.fromkeys(TEXT_PROFILES) | {"apps": "token_sets", "taco": "token_sets"} | {
        "microcoder": "word_sets"
    }


def test_the_ladder_has_what_every_profile_says_of_two_values() -> None:
    said = {name: r.method for name, r in ladder([1, 2], (1, 2), Comparison(), "values")}
    assert list(said) == [name for name in TRAITS if name in VALUE_PROFILES]
    assert {name for name, method in said.items() if method is None} == {"strict", "evalplus"}


def test_the_ladder_keeps_the_fields_that_a_profile_knows() -> None:
    policy = Comparison(absolute_tolerance=0.5, order="lines", case="strict")
    said = dict(ladder("1", b"1.4", policy))
    assert {name for name, result in said.items() if result.matched} == {
        "flexible", "kattis", "dmoj_floats",
    }  # fmt: skip
    assert dict(ladder("YES", b"yes", Comparison(case="ignore")))["flexible"].matched


@pytest.mark.parametrize("policy", [Comparison(), Comparison(case="strict")])
def test_a_policy_written_out_in_full_has_the_ladder_of_the_one_that_was_given(
    policy: Comparison,
) -> None:
    written = Comparison.model_validate_json(policy.model_dump_json())
    said = dict(ladder("YES", b"yes", written))
    assert said["kattis"].matched
    assert said["sandboxfusion"].matched
    assert not said["flexible"].matched


def test_the_ladder_leaves_out_a_profile_whose_settings_would_contradict_each_other() -> None:
    policy = Comparison(absolute_tolerance=0.5, relative_tolerance=0.1)
    assert "dmoj_floats" not in dict(ladder("1", b"1", policy))


def test_a_peer_names_its_own_step_for_the_same_text() -> None:
    assert compare_text("1", b"1", Comparison(profile="kattis")).method == "words"


@pytest.mark.parametrize(
    ("policy", "actual", "detail"),
    [
        (Comparison(profile="kattis"), b"yes no", "line 1, token 2: expected 'b', got 'no'"),
        (
            Comparison(profile="dmoj"),
            b"YES\nB",
            "no token differs, yet 'dmoj' refuses it by a rule of its own",
        ),
    ],
)
def test_the_detail_says_what_a_peer_holds_against_it(
    policy: Comparison, actual: bytes, detail: str
) -> None:
    assert compare_text("YES B", actual, policy).detail == detail
