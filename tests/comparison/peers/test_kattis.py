"""Kattis' default validator and its flags."""

from __future__ import annotations

from typing import Any

import pytest

from evaluator_service.comparison import compare_text
from evaluator_service.schema import Comparison

CASE: dict[str, Any] = {"case": "strict"}
SPACE: dict[str, Any] = {"whitespace": "strict"}
BOTH: dict[str, Any] = {"absolute_tolerance": 1e-6, "relative_tolerance": 1e-6}
ABSOLUTE: dict[str, Any] = {"absolute_tolerance": 0.5}
RELATIVE: dict[str, Any] = {"relative_tolerance": 1e-5}

RIGHT_ACCEPTS: list[tuple[str, str, str, dict[str, Any]]] = [
    ("words", "1 2\n3", "1\n2  3\n\n", {}),
    ("words", "hello\n world\n", "hello\n world\n", SPACE),
    ("words", "inf", "INF", BOTH),
    ("words", "nan", "nan", BOTH),
    ("floats", "0.5", ".5", BOTH),
    ("floats", "2E0", "2.0", BOTH),
    ("floats", "0.5", "0x1p-1", BOTH),
    ("floats", "5.0", "+5", BOTH),
    ("floats", "1", "1.4", ABSOLUTE),
    ("floats", "PI is 3.14", "PI is 3.15", {**ABSOLUTE, **CASE, **SPACE}),
    ("floats", "200000", "200001", RELATIVE),
]
WRONG_ACCEPTS: list[tuple[str, str, str, dict[str, Any]]] = [
    ("words", "YES", "yes", {}),
    ("words", "  *\n ***", "*\n***", {}),
    ("floats", "1000001", "1000000", BOTH),
    ("floats", "007", "7.0", BOTH),
]
RIGHT_REJECTS: list[tuple[str, str, dict[str, Any]]] = [
    ("1", "1 2", {}),
    ("1 2", "1", {}),
    ("12", "1 2", {}),
    ("Hello", "hello", CASE),
    ("hello\n world\n", "hello\nworld\n", SPACE),
    ("a  b", "a b", SPACE),
    ("a", "a\n", SPACE),
    ("1", "1.6", ABSOLUTE),
    ("1.0", "1.0a", BOTH),
    ("1.0", "1_0.0e-1", BOTH),
    ("1.0", "\uff11", BOTH),
    ("inf", "-inf", BOTH),
    ("inf", "0", ABSOLUTE),
    ("0", "inf", ABSOLUTE),
    ("0", "nan", ABSOLUTE),
    ("1", "1e999", RELATIVE),
    ("1e999", "5", RELATIVE),
    ("1", "0x1p99999", RELATIVE),
    ("STRASSE", "stra\u00dfe", {}),
]
WRONG_REJECTS: list[tuple[str, str, dict[str, Any]]] = [
    ("0.30000000000000004", "0.3", {}),
    ("3", "3.0", {}),
    ("inf", "infinity", BOTH),
    ("['a']", '["a"]', {}),
    ("\u00c9", "\u00e9", {}),
]


def said_of(expected: str, actual: str, flags: dict[str, Any]) -> str | None:
    """The step that accepts, or None."""
    return compare_text(expected, actual.encode(), Comparison(profile="kattis", **flags)).method


@pytest.mark.parametrize(
    ("method", "expected", "actual", "flags"), [*RIGHT_ACCEPTS, *WRONG_ACCEPTS]
)
def test_it_accepts_and_names_its_step(
    method: str, expected: str, actual: str, flags: dict[str, Any]
) -> None:
    assert said_of(expected, actual, flags) == method


@pytest.mark.parametrize(("expected", "actual", "flags"), [*RIGHT_REJECTS, *WRONG_REJECTS])
def test_it_rejects(expected: str, actual: str, flags: dict[str, Any]) -> None:
    assert said_of(expected, actual, flags) is None


def test_a_policy_that_was_written_out_whole_means_the_same_when_it_is_read_again() -> None:
    policy = Comparison(profile="kattis")
    again = Comparison.model_validate_json(policy.model_dump_json())
    assert compare_text("YES", b"yes", again).matched
