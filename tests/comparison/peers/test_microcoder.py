"""The page of the permissive chain tells the truth about what it wrongly accepts."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from evaluator_service.comparison import compare_text, compare_values
from evaluator_service.schema import Comparison, ComparisonResult
from evaluator_service.values import from_json

POLICY = Comparison(profile="microcoder")
PAGE = Path(__file__).resolve().parents[3] / "docs" / "comparison.md"
LINE = re.compile(r"^\| (text|value) \| `(.+?)` \| `(.+?)` \| `(\w+)` \|", re.MULTILINE)
CONFESSED = LINE.findall(PAGE.read_text(encoding="utf-8"))


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
