"""The permissive chain, and that its page tells the truth about what it wrongly accepts."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from evaluator_service.comparison import compare_text, compare_values
from evaluator_service.schema import Comparison, ComparisonResult
from evaluator_service.values import DictValue, IteratorValue, SetValue, Value, from_json

POLICY = Comparison(profile="microcoder")
PAGE = Path(__file__).resolve().parents[3] / "docs" / "comparison.md"
LINE = re.compile(r"^\| (text|value) \| `(.+?)` \| `(.+?)` \| `(\w+)` \|", re.MULTILINE)
CONFESSED = LINE.findall(PAGE.read_text(encoding="utf-8"))

ACCEPTED = [
    ("stripped", "1 2\n", " 1 2"),
    ("lines", "1\n2", "1 \r\n\n2"),
    ("whitespace", "1 2 3", "1\n2  3"),
    ("close_words", "0.333333333 1", "0.33333333 1.0"),
    ("rounded_words", "0.0001", "0.0002"),
    ("word_sets", "1 a", "a 1.0"),
    ("literal", "[1, 2]", "(1,2)"),
    ("literal", "{'a': [1]}", '{"a": (1.0,)}'),
    ("literal", "'a'", '"a"'),
]
REJECTED = [
    ("1", "2"), ("a", "b"), ("YES", "yes"), ("1", ""), ("", "1"), ("[1]", "[2]"), ("[1]", "[1"), ("{1: 2}", "[1]"),
    ("0.001", "0.002"), ("100", "101"), ("nan", "NaN"), ("\ufeff42", "42"), ("[1] [2]", "[1] [3]"),
]  # fmt: skip
ACCEPTED_VALUES: list[tuple[str, Value, Value]] = [
    ("equal", [1, 2], [1, 2]),
    ("sequences", [[1, 2]], ((1, 2),)),
    ("sequences", [1, 2], IteratorValue((1, 2))),
    ("converted", DictValue((("a", "1"),)), DictValue((("a", 1),))),
    ("converted", None, "None"),
    ("close", [0.3], (0.1 + 0.2,)),
    ("rounded", 0.0001, 0.0002),
    ("sets", SetValue((1, 2)), [2, 1]),
]
REJECTED_VALUES: list[tuple[Value, Value]] = [
    (1, 2), ("a", "b"), ("a", "A"), ([1], [2]), ([1], None), (0, None), (float("nan"), float("nan")), (10**400, 1.0),
    (DictValue((("a", 1),)), DictValue((("b", 1),))), (b"a", "a"),
]  # fmt: skip


@pytest.mark.parametrize(("method", "expected", "actual"), ACCEPTED)
def test_it_accepts_and_names_its_step(method: str, expected: str, actual: str) -> None:
    assert compare_text(expected, actual.encode(), POLICY).method == method


@pytest.mark.parametrize(("expected", "actual"), REJECTED)
def test_it_rejects(expected: str, actual: str) -> None:
    assert compare_text(expected, actual.encode(), POLICY).method is None


@pytest.mark.parametrize(("method", "expected", "actual"), ACCEPTED_VALUES)
def test_it_accepts_a_value_and_names_its_step(method: str, expected: Value, actual: Value) -> None:
    assert compare_values(expected, actual, POLICY).method == method


@pytest.mark.parametrize(("expected", "actual"), REJECTED_VALUES)
def test_it_rejects_a_value(expected: Value, actual: Value) -> None:
    assert compare_values(expected, actual, POLICY).method is None


def test_its_page_confesses_a_wrong_accept_of_every_step_that_can_make_one() -> None:
    assert {(outputs, method) for outputs, _, _, method in CONFESSED} == {
        *(
            ("text", name)
            for name in "lines whitespace close_words rounded_words word_sets literal".split()
        ),
        *(("value", name) for name in "equal sequences converted close rounded sets".split()),
    }


@pytest.mark.parametrize(("outputs", "expected", "actual", "method"), CONFESSED)
def test_it_wrongly_accepts_what_its_page_says(
    outputs: str, expected: str, actual: str, method: str
) -> None:
    assert _said(outputs, json.loads(expected), json.loads(actual)).method == method


def _said(outputs: str, expected: object, actual: object) -> ComparisonResult:
    if outputs == "value":
        return compare_values(from_json(expected), from_json(actual), POLICY)
    assert isinstance(expected, str)
    assert isinstance(actual, str)
    return compare_text(expected, actual.encode(), POLICY)
