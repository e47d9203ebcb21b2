"""What holds of every peer's profile, whatever is compared."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator_service.comparison import compare_text, compare_values
from evaluator_service.comparison.detail import MAX_DETAIL_CHARACTERS
from evaluator_service.comparison.peers import (
    PEER_TEXT_PROFILES,
    PEER_VALUE_PROFILES,
)
from evaluator_service.comparison.text import encoded
from evaluator_service.profiles import Profile
from evaluator_service.schema import Comparison
from evaluator_service.values import DictValue, IteratorValue, NodesValue, SetValue, Value

pieces = st.sampled_from(
    ["[", "]", "(", ")", "{", "}", ",", ":", " ", "\n", "\r\n", "\t", "'", '"', "\\", "True", "null", "-", "+",
     ".", "e", "E+", "0x", "p", "1", "0", "12", "1.5", "1e400", "1e-400", "1_0", "nan", "snan", "inf", "\u00df",
     "\uff11", "\x1c", "\u2028", "\x00", "1e999999999999999999"]
)  # fmt: skip
texts = st.lists(pieces | st.text(max_size=3), max_size=30).map("".join)
policies = st.one_of(
    st.sampled_from(sorted(PEER_TEXT_PROFILES)).map(lambda name: Comparison(profile=name)),
    st.builds(
        Comparison,
        profile=st.just("kattis"),
        absolute_tolerance=st.none() | st.floats(0, 10),
        relative_tolerance=st.none() | st.floats(0, 2),
        case=st.sampled_from(["strict", "ignore"]),
        whitespace=st.sampled_from(["flexible", "strict"]),
    ),
    st.builds(
        Comparison, profile=st.just("dmoj_floats"), absolute_tolerance=st.none() | st.floats(0, 10)
    ),
    st.builds(
        Comparison, profile=st.just("dmoj_floats"), relative_tolerance=st.none() | st.floats(0, 2)
    ),
)
scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.complex_numbers(), st.text(max_size=4),
    st.binary(max_size=3), st.sampled_from(["1", "nan", "1e999", 10**400, 2**64, "[1]", " 1 "]),
)  # fmt: skip
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.lists(inner, max_size=4).map(tuple).map(SetValue),
        st.lists(st.tuples(inner, inner), max_size=4).map(tuple).map(DictValue),
        st.lists(inner, max_size=4).map(tuple).map(IteratorValue),
        st.builds(
            NodesValue, st.sampled_from(["list", "tree"]), st.lists(inner, max_size=3).map(tuple)
        ),
    ),
    max_leaves=12,
)
plain_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.lists(inner, max_size=4).map(tuple),
    max_leaves=12,
)


@given(texts, texts, policies)
def test_comparing_texts_never_raises_and_its_detail_is_bounded_and_printable(
    expected: str, actual: str, policy: Comparison
) -> None:
    result = compare_text(expected, encoded(actual), policy)
    assert result.matched == (result.method is not None) == (result.detail is None)
    assert len(result.detail or "") <= MAX_DETAIL_CHARACTERS
    assert (result.detail or "").isprintable()


@given(st.text(max_size=20), st.binary(max_size=40), policies)
def test_any_bytes_can_be_compared(expected: str, actual: bytes, policy: Comparison) -> None:
    compare_text(expected, actual, policy)


@given(values, values, st.sampled_from(sorted(PEER_VALUE_PROFILES)), st.none() | st.floats(0, 10))
def test_comparing_values_never_raises(
    expected: Value, actual: Value, profile: Profile, absolute: float | None
) -> None:
    tolerance = absolute if profile == "evalplus" else None
    compare_values(expected, actual, Comparison(profile=profile, absolute_tolerance=tolerance))


@given(texts, policies)
def test_a_text_is_accepted_for_itself(text: str, policy: Comparison) -> None:
    if policy.profile == "dmoj_floats" and ("nan" in text.lower() or "inf" in text or "e" in text):
        return  # no nan and no infinity is near itself there
    assert compare_text(text, encoded(text), policy).matched


@given(texts, st.sampled_from([" ", "\n", "\r\n", "\t \n"]), policies)
def test_blanks_at_the_end_are_free_unless_the_policy_says_otherwise(
    text: str, blanks: str, policy: Comparison
) -> None:
    if policy.profile != "dmoj_floats" and policy.whitespace == "flexible":
        assert compare_text(text, encoded(text + blanks), policy).matched


@given(plain_values, st.sampled_from(sorted(PEER_VALUE_PROFILES)))
def test_a_plain_value_is_accepted_for_itself(value: Value, profile: Profile) -> None:
    assert compare_values(value, value, Comparison(profile=profile)).method == "equal"


@given(texts, texts)
def test_taco_accepts_all_that_apps_accepts_but_two_numbers_apart(
    expected: str, actual: str
) -> None:
    if compare_text(expected, encoded(actual), Comparison(profile="apps")).matched:
        assert compare_text(expected, encoded(actual), Comparison(profile="taco")).matched


@given(texts, texts)
def test_apps_accepts_all_that_verl_accepts(expected: str, actual: str) -> None:
    if compare_text(expected, encoded(actual), Comparison(profile="verl")).matched:
        assert compare_text(expected, encoded(actual), Comparison(profile="apps")).matched


def test_bytes_that_are_no_text_equal_no_text() -> None:
    for expected in ("\ufffd", "\\xff", "\u00ff", "\udcff"):
        for profile in PEER_TEXT_PROFILES:
            policy = Comparison(profile=profile)
            assert profile == "taco" or not compare_text(expected, b"\xff", policy).matched


HOSTILE = [
    b"[" * 100_000, b"[" * 50_000 + b"]" * 50_000, b"9" * 100_000, b"9" * 16_000_000, b"1e308 " * 1_000_000,
    b"1e308\n" * 10_000, b"0." + b"3" * 100_000, b"1e" + b"9" * 50_000, b"1e-" + b"9" * 50_000,
    b"1e999999999999999999\n" * 3000, b"'" * 60_000, b"1_" * 30_000 + b"1", b"\xff" * 60_000, b" " * 16_000_000,
    b"\n" * 60_000, b"0x" + b"f" * 60_000 + b"p9", b"[1," * 20_000, b"2\n" * 30_000,
]  # fmt: skip


@pytest.mark.parametrize("actual", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("expected", ["1", "1.5", "[1]", "'a'", "[[1.5], {2: 3}]", "1 2\n3 4"])
@pytest.mark.parametrize("profile", PEER_TEXT_PROFILES)
def test_hostile_output_is_refused(profile: Profile, expected: str, actual: bytes) -> None:
    tolerance = 0.1 if profile in ("kattis", "dmoj_floats") else None
    policy = Comparison(profile=profile, absolute_tolerance=tolerance)
    assert profile == "taco" or not compare_text(expected, actual, policy).matched


def test_an_output_that_has_outgrown_the_expected_one_is_refused_unread() -> None:
    policy = Comparison(profile="apps")
    at_most = 10 * len("1") + 65_536
    assert compare_text("1", b"1\n" * (at_most // 2), policy).method == "token_sets"
    refused = compare_text("1", b"1\n" * (at_most // 2 + 1), policy)
    assert refused.detail == f"an output of {at_most + 2} bytes, far more than was expected"
