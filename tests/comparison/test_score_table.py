"""Labelled lines: both forms are read, and the table says how often each profile is wrong."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from evaluator_service.compare_cli import CompareLineError, answers
from evaluator_service.labelled_pairs import policy_of, value_of
from evaluator_service.values import DictValue, SetValue

RIGHT = {"kind": "stdio", "expected": "1\n", "actual": "1", "want": "accept"}
WRONG = {"kind": "stdio", "expected": "1 2", "actual": "2 1", "want": "reject"}
OPEN = {"kind": "stdio", "expected": "YES", "actual": "yes", "want": "depends"}
VALUE = {"kind": "call", "expected": [1, 2], "actual": [2, 1], "want": "reject"}
REMARKED = {
    "kind": "call", "expected": "{1: (2,)}", "actual": "{1: [2]}", "want": "accept", "options": {}, "why": "…",
}  # fmt: skip


def printed(*lines: dict[str, Any], profile: str | None = None, as_json: bool = False) -> list[str]:
    return list(answers(map(json.dumps, lines), profile, as_json=as_json))


def test_the_table_has_a_row_a_profile_best_first() -> None:
    (table,) = printed(RIGHT, WRONG, OPEN, VALUE)
    rows = [line.split() for line in table.splitlines()[3:]]
    assert rows[0] == ["flexible", "0", "0", "2", "0", "0", "1"]
    assert [row for row in rows if row[0] == "apps"] == [["apps", "1", "0", "2", "0", "0", "1"]]
    assert [row for row in rows if row[0] == "dmoj"] == [["dmoj", "0", "0", "2", "-", "-", "-"]]
    assert rows[-1] == ["microcoder", "1", "0", "2", "1", "0", "1"]


def test_the_table_is_there_for_machines_as_well() -> None:
    (table,) = printed(RIGHT, WRONG, as_json=True)
    assert {
        "profile": "apps", "outputs": "texts", "pairs_count": 2, "wrong_accepts_count": 1, "wrong_rejects_count": 0,
    } in json.loads(table)  # fmt: skip


def test_labelled_lines_are_compared_one_by_one_where_a_profile_is_named() -> None:
    assert [json.loads(line)["matched"] for line in printed(RIGHT, WRONG, profile="apps")] == [
        True,
        True,
    ]


def test_the_second_form_is_read_as_python_writes_it() -> None:
    (result,) = printed(REMARKED, profile="flexible")
    assert json.loads(result)["method"] == "literal"


def test_a_line_without_a_label_among_labelled_ones_is_named() -> None:
    unlabelled = {key: value for key, value in RIGHT.items() if key != "want"}
    with pytest.raises(CompareLineError, match=r"^2: `want` is missing"):
        printed(RIGHT, unlabelled)


@pytest.mark.parametrize(
    ("options", "policy"),
    [
        ({"float_abs": 0.1, "float_rel": None}, {"absolute_tolerance": 0.1}),
        ({"unordered": "lines"}, {"order": "lines"}),
        ({"tree": True}, {"order": "tree"}),
        ({"case_sensitive": True}, {"case": "strict"}),
        ({"case_sensitive": False}, {"case": "ignore"}),
        ({"space_change_sensitive": True}, {"whitespace": "strict"}),
    ],
)
def test_options_become_fields(options: dict[str, Any], policy: dict[str, Any]) -> None:
    assert policy_of(options) == policy


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("10**19 + 1", 10**19 + 1), ('"a" * 3', "aaa"), ("-inf", -math.inf), ("float(2**53)", 2.0**53),
        ("{1, 2}", SetValue((1, 2))), ("{'a': [None]}", DictValue((("a", [None]),))), ("1 + 0j", 1 + 0j),
        ('Counter("aa")', DictValue((("a", 2),))), ("deque([1])", [1]), ("Fraction(1, 2)", 0.5),
        ('Decimal("0.1")', 0.1), ("(1,)", (1,)), ('b"a"', b"a"),
    ],
)  # fmt: skip
def test_an_expression_is_read_without_being_evaluated(expression: str, value: object) -> None:
    assert value_of(expression) == value


@pytest.mark.parametrize(
    "expression",
    [
        "open('x')",
        "().__class__",
        "[x for x in 1]",
        "x",
        "1 +",
        "float('x')",
        "{**{}}",
        "",
        "1 + 'a'",
    ],
)
def test_any_other_expression_is_refused(expression: str) -> None:
    with pytest.raises(ValueError, match=r"^(no value|not read|could not)"):
        value_of(expression)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ({**REMARKED, "options": {"colour": 1}}, "unknown option 'colour'"),
        ({**REMARKED, "options": 3}, ""),
        ({**REMARKED, "actual": "open('x')"}, "not read here"),
        ({**REMARKED, "actual": 3}, "actual"),
        ({**VALUE, "comparison": {"profile": "kattis"}}, "cannot compare values"),
        ({**RIGHT, "want": "maybe"}, "want"),
    ],
)
def test_a_line_that_cannot_be_compared_is_named(line: dict[str, Any], what: str) -> None:
    with pytest.raises(CompareLineError, match=f"^line 2: .*{what}"):
        printed(RIGHT, line)
