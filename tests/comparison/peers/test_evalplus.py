"""EvalPlus' grader of returned values: equality, then closeness."""

from __future__ import annotations

import math

import pytest

from evaluator_service.comparison import compare_values
from evaluator_service.schema import Comparison
from evaluator_service.values import SetValue, Value

ACCEPTED: list[tuple[str, Value, Value, float | None]] = [
    ("equal", [1, "a"], [1, "a"], None),
    ("equal", 1, 1.0, None),
    ("equal", 1, True, None),
    ("equal", 2.0, 2, None),
    ("equal", SetValue((1, 2)), SetValue((2, 1)), None),
    ("equal", math.inf, math.inf, None),
    ("allclose", 0.3, 0.1 + 0.2, None),
    ("allclose", 2.0, 2.0000009, None),
    ("allclose", [1.0, math.inf], [1.0000001, math.inf], None),
    ("allclose", (0.5,), (0.5000001,), None),
    ("allclose", [1, 2], [1, 3], 1.0),
    ("allclose", [[1.0], [2.0]], [[1.1], [2.1]], 0.2),
    ("allclose", 1e9, 1e9 + 50, None),
]
REJECTED: list[tuple[Value, Value, float | None]] = [
    (2.0, 2.1, None),
    (2.0000001, 2, None),
    ([1, 2], (1, 2), None),
    ([1.0], [1.0, 1.0], None),
    ([[1.0]], [[1.0000001]], None),
    (1, 2, None),
    (math.nan, math.nan, None),
    ([math.nan], [math.nan], None),
    (1e308, math.inf, None),
    (math.inf, 1e308, None),
    ("a", "b", 1.0),
    ([1.0, 2.0], ["1.0", 2.0], 1.0),
    (10**400, 10**400 + 1, 2.0),
    ([1.0, 2.0], [[1.0], [2.0]], 0.5),
]


@pytest.mark.parametrize(("method", "expected", "actual", "absolute"), ACCEPTED)
def test_it_accepts_and_names_its_step(
    method: str, expected: Value, actual: Value, absolute: float | None
) -> None:
    policy = Comparison(profile="evalplus", absolute_tolerance=absolute)
    assert compare_values(expected, actual, policy).method == method


@pytest.mark.parametrize(("expected", "actual", "absolute"), REJECTED)
def test_it_rejects(expected: Value, actual: Value, absolute: float | None) -> None:
    policy = Comparison(profile="evalplus", absolute_tolerance=absolute)
    assert not compare_values(expected, actual, policy).matched
