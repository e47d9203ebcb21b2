"""The hand-labelled pairs of tricky outputs beside the checkout, where they are there."""

from __future__ import annotations

import ast
import json
import math
import os
from collections import Counter, deque
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from evaluator_service.comparison import compare_text, compare_values
from evaluator_service.schema import Comparison
from evaluator_service.values import DictValue, SetValue, Value

MAX_WRONG_REJECTS_COUNT = 2
_SHARED_DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
PAIRS = Path(os.environ.get("MICROCODER_SHARED_DATA", _SHARED_DATA)) / "pairs.jsonl"
_NAMES = {
    "nan": math.nan, "inf": math.inf, "float": float, "Counter": Counter, "deque": deque,
    "Fraction": Fraction, "Decimal": Decimal,
}  # fmt: skip
_FIELDS = {
    "float_abs": "absolute_tolerance",
    "float_rel": "relative_tolerance",
    "unordered": "order",
}


@pytest.fixture(scope="module")
def judged() -> list[tuple[dict[str, Any], bool]]:
    """Every pair with what ``flexible`` says under the options that the pair names."""
    if not PAIRS.exists():
        pytest.skip(f"no labelled pairs at {PAIRS}; set MICROCODER_SHARED_DATA to their folder")
    pairs = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    return [(pair, matched(pair)) for pair in pairs]


def test_no_wrong_output_is_accepted(judged: list[tuple[dict[str, Any], bool]]) -> None:
    wrong = [pair["id"] for pair, accepted in judged if accepted and pair["want"] == "reject"]
    assert wrong == []


def test_hardly_a_right_output_is_rejected(judged: list[tuple[dict[str, Any], bool]]) -> None:
    wrong = [pair["id"] for pair, accepted in judged if not accepted and pair["want"] == "accept"]
    assert len(wrong) <= MAX_WRONG_REJECTS_COUNT, wrong


def matched(pair: dict[str, Any]) -> bool:
    """Whether the pair compares as equal."""
    policy = policy_of(pair["options"])
    if pair["kind"] == "stdio":
        return compare_text(pair["expected"], pair["actual"].encode(), policy).matched
    expected, actual = (typed(evaluated(pair[side])) for side in ("expected", "actual"))
    return compare_values(expected, actual, policy).matched


def policy_of(options: dict[str, Any]) -> Comparison:
    """The pair's options as a policy."""
    policy = {
        _FIELDS[name]: value
        for name, value in options.items()
        if name in _FIELDS and value is not None
    }
    if options.get("case_sensitive") is False:
        policy["case"] = "ignore"
    if options.get("space_change_sensitive"):
        policy["whitespace"] = "strict"
    if options.get("tree"):
        policy["order"] = "tree"
    return Comparison(**policy)


def evaluated(expression: str) -> Any:
    """The value of a pair's expression, which may only call the names above."""
    tree = ast.parse(expression, mode="eval")
    assert not any(isinstance(node, ast.Attribute) for node in ast.walk(tree)), expression
    return eval(compile(tree, "pair", "eval"), {"__builtins__": {}, **_NAMES})


def typed(value: Any) -> Value:
    """A Python value as a jail would send it."""
    match value:
        case dict():
            return DictValue(tuple((typed(key), typed(item)) for key, item in value.items()))
        case set() | frozenset():
            return SetValue(tuple(typed(item) for item in value))
        case tuple():
            return tuple(typed(item) for item in value)
        case list() | deque():
            return [typed(item) for item in value]
        case Fraction() | Decimal():
            return float(value)
        case _:
            return value  # type: ignore[no-any-return]
