"""What each method for text accepts and refuses, and that hostile output does no harm."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator_service.comparison import TEXT_PROFILES, compare_text
from evaluator_service.comparison.detail import MAX_DETAIL_CHARACTERS, shown
from evaluator_service.comparison.text import BLANKS, encoded
from evaluator_service.schema import Comparison

FLEXIBLE = Comparison()
STRICT = Comparison(profile="strict")

policies = st.one_of(
    st.builds(
        Comparison,
        absolute_tolerance=st.none() | st.floats(0, 10),
        relative_tolerance=st.none() | st.floats(0, 1),
        order=st.sampled_from(["strict", "lines", "tokens", "elements", "nested", "tree"]),
        case=st.sampled_from(["strict", "ignore"]),
    ),
    st.builds(
        Comparison,
        absolute_tolerance=st.none() | st.floats(0, 10),
        case=st.sampled_from(["strict", "ignore"]),
        whitespace=st.just("strict"),
    ),
    st.just(STRICT),
)
pieces = st.sampled_from(
    ["[", "]", "(", ")", "{", "}", ",", ":", " ", "\n", "\r\n", "\t", "'", '"', "\\", "\\u12", "True",
     "null", "-", "+", ".", "e", "1", "0", "12", "1.5", "1e400", "1e-400", "1_0", "nan", "inf", "ß", "\x00"]
)  # fmt: skip
outputs = st.lists(pieces | st.text(max_size=3), max_size=30).map("".join)


def method_of(expected: str, actual: str | bytes, policy: Comparison = FLEXIBLE) -> str | None:
    """The method that matched, or None."""
    got = actual if isinstance(actual, bytes) else actual.encode()
    return compare_text(expected, got, policy).method


@pytest.mark.parametrize(
    ("method", "expected", "actual"),
    [
        ("exact", "1 2\n", "1 2\n"),
        ("whitespace", "1 2\n", " 1\t 2 \r\n\n"),
        ("whitespace", "\ufeff42\n", "42"),
        ("tokens", "1 2 3", "1\n2\n3"),
        ("numeric", "0.5 x 1e-06", ".50 x 0.000001"),
        ("numeric", "0.30000000000000004", "0.3"),
        ("numeric", "0.0", "-0"),
        ("literal", "[1, 2]\nTrue", "(1,2)\ntrue"),
        ("literal", "{'a': [0.5], 'b': None}", '{"b":null,"a":[.50]}'),
        ("literal", "{1, 2}", "{2, 1}"),
        ("literal", '"a b"', "a b"),
        ("literal", "['\u00e9']", '["\\u00e9"]'),
        ("literal", "[1, 2]", "[1, 2,]"),
        ("tokens", "[1, 2]", "[1,\n 2]"),
        ("structure", "[1, 2]", "[\n1, 2\n]"),
        ("structure", "Case #1: [1, 2]", "Case #1:\n(1,2)"),
    ],
)
def test_the_first_method_that_accepts_is_named(method: str, expected: str, actual: str) -> None:
    assert method_of(expected, actual) == method


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ("12", "1 2"), ("1 2", "12"), ("a", "a a"), ("a", ""), ("YES", "Yes"), ("1\u00a02", "1 2"),
        ("5", "+5"), ("0", "-0"), ("007", "7"), ("1000", "1_000"), ("1000", "1,000"), ("16", "0x10"),
        ("1e3", "1000.0"), ("12", "12.0"), ("1.5", "\u0661.5"), ("1.0", "1_0.0e-1"), ("1.0", "nan"),
        ("inf", "Infinity"), ("9" * 5000, "9" * 4999 + "8"), ("1234567.89", "1234568.89"),
        ("0.0", "0.0000003"), ("1.0.0", "1.0"), ("0.000005", "0.000009"),
        ("[1, 0]", "[true, false]"), ("[1]", "['1']"), ("['1']", "[1]"), ("'1'", "1"), ("'None'", "None"),
        ("[1, 2]", "[2, 1]"), ("[1, 2]", "[[1, 2]]"), ("1 2", "(1, 2)"), ("3", "(3)"), ("[3]", "(3)"),
        ("['a b']", "['ab']"), ("['a,b']", "['a', 'b']"), ("[1]", "{1}"), ("{1, 2}", "{1, 1}"),
        ("{'a': 1}", "{'a': 1, 'b': 0}"), ("[]", "{}"), ("[]", "None"), ("[1,, 2]", "[1, 2]"),
        ("[1.5]", "[1.5001]"), ("[10000000000000000001]", "[10000000000000000000]"),
    ],
    ids=shown,
)  # fmt: skip
def test_near_misses_are_refused(expected: str, actual: str) -> None:
    assert method_of(expected, actual) is None


@pytest.mark.parametrize(
    ("matches", "expected", "actual", "policy"),
    [
        (True, "10", "10.4", {"absolute_tolerance": 0.5}),
        (False, "10", "10.6", {"absolute_tolerance": 0.5}),
        (True, "100", "101", {"relative_tolerance": 0.01}),
        (False, "1" + "0" * 30, "1" + "0" * 29 + "2", {"absolute_tolerance": 1.0}),
        (True, "1" + "0" * 30, "1" + "0" * 29 + "1", {"absolute_tolerance": 1.0}),
        (False, "3" * 2000, "3" * 1999 + "4", {"absolute_tolerance": 0.0}),
        (True, "yes ß", "YES ß", {"case": "ignore"}),
        (False, "STRASSE", "straße", {"case": "ignore"}),
        (True, "1 2\n3 4", "3 4\n1 2", {"order": "lines"}),
        (False, "1 2\n3 4", "4 3\n1 2", {"order": "lines"}),
        (True, "0.5 a\n0.7 b", "0.70 b\n0.50 a", {"order": "lines"}),
        (False, "1.5 2\n3", "3\n1.50", {"order": "lines"}),
        (True, "1 2\n3", "3\n2 1", {"order": "tokens"}),
        (False, "1 2 2", "1 1 2", {"order": "tokens"}),
        (True, "[1, [2, 3]]", "[[2, 3], 1]", {"order": "elements"}),
        (False, "[1, [2, 3]]", "[[3, 2], 1]", {"order": "elements"}),
        (True, "[1, [2, 3]]", "[[3, 2], 1]", {"order": "nested"}),
        (True, "[1,null,2]", "[1, null, 2, null]", {"order": "tree"}),
        (False, "[1,null,2]", "[1, 2]", {"order": "tree"}),
        (False, " *\n**", "*\n**", {"whitespace": "strict"}),
        (True, " *\n**", " *\n**\n", {"whitespace": "strict"}),
        (True, "PI is 3.14\n", "PI is 3.15\n", {"whitespace": "strict", "absolute_tolerance": 0.5}),
        (
            False,
            "PI is 3.14\n",
            "PI  is 3.15\n",
            {"whitespace": "strict", "absolute_tolerance": 0.5},
        ),
        (True, "1 \n", "1", {"profile": "strict"}),
        (False, "1 2", "1  2", {"profile": "strict"}),
        (False, "1.0", "1.00", {"profile": "strict"}),
    ],
    ids=shown,
)
def test_a_policy_frees_what_it_names_and_no_more(
    matches: bool, expected: str, actual: str, policy: dict[str, object]
) -> None:
    assert (method_of(expected, actual, Comparison.model_validate(policy)) is not None) is matches


@given(outputs, outputs, policies)
def test_comparing_never_raises_and_its_detail_is_bounded_and_printable(
    expected: str, actual: str, policy: Comparison
) -> None:
    result = compare_text(expected, encoded(actual), policy)
    assert result.matched == (result.method is not None) == (result.detail is None)
    assert len(result.detail or "") <= MAX_DETAIL_CHARACTERS
    assert (result.detail or "").isprintable()


@given(st.text(max_size=20), st.binary(max_size=40), policies)
def test_any_bytes_can_be_compared(expected: str, actual: bytes, policy: Comparison) -> None:
    result = compare_text(expected, actual, policy)
    assert (result.detail or "").isprintable()


@given(outputs, policies)
def test_every_output_equals_itself_exactly(output: str, policy: Comparison) -> None:
    assert compare_text(output, encoded(output), policy).method == "exact"


@given(outputs, outputs, policies)
def test_exact_to_tokens_and_structure_are_symmetric(
    one: str, other: str, policy: Comparison
) -> None:
    forth = compare_text(one, encoded(other), policy).method
    if forth in ("exact", "whitespace", "tokens", "trailing") and "\ufeff" not in one + other:
        assert compare_text(other, encoded(one), policy).method == forth


@given(outputs, outputs)
def test_whitespace_and_tokens_accept_the_same_tokens_only(one: str, other: str) -> None:
    method = method_of(one, encoded(other))
    same_tokens = encoded(one).removeprefix(b"\xef\xbb\xbf").split() == encoded(other).split()
    if "\ufeff" not in one + other:
        assert (method in ("exact", "whitespace", "tokens")) == same_tokens


@given(st.lists(st.integers(-(10**30), 10**30), min_size=1), st.data())
def test_a_changed_integer_is_refused(numbers: list[int], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(numbers) - 1))
    changed = [*numbers]
    changed[place] += data.draw(st.sampled_from([-1, 1, 10**6]))
    for layout in (str, lambda items: " ".join(map(str, items))):
        assert method_of(layout(numbers), layout(changed)) is None


@given(st.floats(allow_nan=False, allow_infinity=False, allow_subnormal=False))
def test_a_float_printed_to_twelve_digits_is_accepted(number: float) -> None:
    if "." in repr(number) or "e-" in repr(number):
        assert method_of(repr(number), f"{number:.12g}") is not None


decimals = st.from_regex(r"[+-]?[0-9]{1,4}\.[0-9]{0,8}([eE][+-]?[0-9]{1,2})?", fullmatch=True)


@given(decimals, st.data())
def test_numeric_accepts_exactly_what_lies_within_the_tolerance(
    expected: str, data: st.DataObject
) -> None:
    wanted = Fraction(expected)
    limit = max(Fraction("1e-6") if abs(wanted) >= Fraction("1e-6") else 0, abs(wanted) / 10**9)
    factor = data.draw(
        st.sampled_from(["0", "0.5", "0.999999999999", "1", "1.000000000001", "2", "-1", "-1.1"])
    )
    got = Decimal(expected) + Decimal(str(float(limit))) * Decimal(factor)
    accepted = method_of(expected, f"{got:f}") is not None
    assert accepted == (abs(Fraction(got) - wanted) <= limit)


@given(st.lists(outputs, max_size=6), st.randoms(use_true_random=False))
def test_shuffled_lines_match_where_lines_are_free(lines: list[str], random: Any) -> None:
    shuffled = [line.replace("\n", " ") for line in lines]
    expected = "\n".join(shuffled)
    random.shuffle(shuffled)
    if "\ufeff" not in expected:
        assert method_of(expected, encoded("\n".join(shuffled)), Comparison(order="lines"))


@pytest.mark.parametrize("policy", [FLEXIBLE, Comparison(absolute_tolerance=0.1), STRICT])
@pytest.mark.parametrize(
    "actual",
    [
        b"[" * 100_000, b"[" * 100_000 + b"]" * 100_000, b"9" * 1_000_000, b"1e308 " * 100_000,
        b"0." + b"3" * 100_000, b"1e" + b"9" * 100_000, b"1e-" + b"9" * 100_000, b"'" * 100_000,
        b'"' + b"\\" * 100_001, b"' " * 50_000, b"[1," * 100_000, b"[" + b"1," * 100_000 + b"]", b"\xff" * 1000,
        b"{" * 300 + b"}" * 300, b" " * 1_000_000, b"\n" * 1_000_000,
    ],
)  # fmt: skip
@pytest.mark.parametrize("expected", ["1", "1.5", "[1]", "'a'", "[[1.5], {2: 3}]"])
def test_hostile_output_is_refused(expected: str, actual: bytes, policy: Comparison) -> None:
    assert not compare_text(expected, actual, policy).matched


def test_brackets_beyond_the_depth_limit_are_text() -> None:
    deep = "[" * 5000 + "1" + "]" * 5000
    assert method_of(deep, deep.replace("1", " 1 ")) is None


def test_bytes_that_are_no_text_equal_no_text() -> None:
    for expected in ("\ufffd", "\\xff", "ÿ", "\udcff"):
        assert method_of(expected, b"\xff") is None
        assert method_of(expected, b"\xff", Comparison(case="ignore")) is None


@pytest.mark.parametrize(
    ("expected", "actual", "detail"),
    [
        ("1 2\n3 4\n", "1 2\n3 5\n", "line 2, token 2: expected '4', got '5'"),
        ("1 2", "1", "line 1, token 2: expected '2', got the end of the output"),
        ("", "x", "line 1, token 1: expected the end of the output, got 'x'"),
        ("0.5 1", "0.50 2", "line 1, token 2: expected '1', got '2'"),
        ("a", "\x1b[0m", r"line 1, token 1: expected 'a', got '\x1b[0m'"),
    ],
)
def test_the_detail_names_the_first_difference(expected: str, actual: str, detail: str) -> None:
    assert compare_text(expected, actual.encode(), FLEXIBLE).detail == detail


def test_flexible_has_its_seven_methods_in_order() -> None:
    names = [name for name, _ in TEXT_PROFILES["flexible"]]
    assert names == [
        "exact", "whitespace", "tokens", "numeric", "literal", "structure", "unordered",
    ]  # fmt: skip
    assert BLANKS == b" \t\r\n\v\f"
