"""DMOJ's standard checker, and its checker for floating-point numbers in all three modes."""

from __future__ import annotations

from typing import Any

import pytest

from evaluator_service.comparison import compare_text
from evaluator_service.schema import Comparison

ABSOLUTE: dict[str, Any] = {"absolute_tolerance": 1e-3}
RELATIVE: dict[str, Any] = {"relative_tolerance": 1e-3}
EITHER = {**ABSOLUTE, **RELATIVE}

ACCEPTED_BY_STANDARD = [
    ("1 2\n", "1 2"),
    ("1 2", "  1   2  \n\n"),
    ("1\n2", "1\n\n\n2"),
    ("1\n2", "1\r\n2"),
    ("1\n2", "1 \r 2"),
    ("nan", "nan"),
    ("  *\n ***", "*\n***"),
]
REJECTED_BY_STANDARD = [
    ("1 2", "1\n2"), ("1\n2", "1 2"), ("YES", "yes"), ("1", "1.0"), ("12", "1 2"), ("1", "1 1"), ("1", ""),
    ("0.5", ".5"), ("\ufeff42", "42"),
]  # fmt: skip
ACCEPTED_BY_FLOATS: list[tuple[str, str, dict[str, Any]]] = [
    ("0.5 a", "0.5000001 a", {}),
    ("1000000", "1000000.5", {}),
    ("1", "1e0", {}),
    ("1\n\n2", "1\n2\n", {}),
    ("0", "0.0009", ABSOLUTE),
    ("0", "0.0009", EITHER),
    ("1000", "1000.9", RELATIVE),
    ("-1000", "-1000.9", RELATIVE),
    ("1000", "1000.9", EITHER),
    ("inf", "inf", RELATIVE),
    ("nan1", "nan1", {}),
]
REJECTED_BY_FLOATS: list[tuple[str, str, dict[str, Any]]] = [
    ("nan", "nan", {}),
    ("nan", "nan", ABSOLUTE),
    ("nan", "nan", RELATIVE),
    ("inf", "inf", {}),
    ("inf", "-inf", RELATIVE),
    ("1", "x", {}),
    ("x", "1", {}),
    ("1 2", "1\n2", {}),
    ("1\n2", "1 2", {}),
    ("1 2\n3", "1\n2 3", {}),
    ("", "1", {}),
    ("a", " \na", {}),
    ("1000", "1000.9", ABSOLUTE),
    ("0", "0.0009", RELATIVE),
    ("0.0001", "0.0012", EITHER),
    ("1.5", "4", {"absolute_tolerance": 2, "relative_tolerance": 2}),
    ("0", "1", {"absolute_tolerance": 0, "relative_tolerance": 0}),
]


@pytest.mark.parametrize(("expected", "actual"), ACCEPTED_BY_STANDARD)
def test_standard_accepts(expected: str, actual: str) -> None:
    result = compare_text(expected, actual.encode(), Comparison(profile="dmoj"))
    assert result.method == "standard"


@pytest.mark.parametrize(("expected", "actual"), REJECTED_BY_STANDARD)
def test_standard_rejects(expected: str, actual: str) -> None:
    assert not compare_text(expected, actual.encode(), Comparison(profile="dmoj")).matched


@pytest.mark.parametrize(("expected", "actual", "precision"), ACCEPTED_BY_FLOATS)
def test_floats_accepts(expected: str, actual: str, precision: dict[str, Any]) -> None:
    policy = Comparison(profile="dmoj_floats", **precision)
    assert compare_text(expected, actual.encode(), policy).method == "floats"


@pytest.mark.parametrize(("expected", "actual", "precision"), REJECTED_BY_FLOATS)
def test_floats_rejects(expected: str, actual: str, precision: dict[str, Any]) -> None:
    policy = Comparison(profile="dmoj_floats", **precision)
    assert not compare_text(expected, actual.encode(), policy).matched
