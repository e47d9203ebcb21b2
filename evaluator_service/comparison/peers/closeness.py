"""NumPy's idea of close, and the readers of numbers that Python graders use, none of which raises.

``isclose`` is ``a == b``, or ``b`` finite and ``|a - b| <= absolute + relative * |b|`` with ``a`` the
output and ``b`` the expected number. A nan is close to nothing. ``allclose`` of texts asks it of as many
numbers, pairwise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeGuard

from evaluator_service.values import Value

RELATIVE, ABSOLUTE = 1e-5, 1e-8
"""What ``np.isclose`` allows unless told otherwise."""

_MACHINE_INTEGERS = range(-(1 << 63), 1 << 64)

type Number = float | complex


def is_number(value: Value) -> TypeGuard[Number]:
    """Whether NumPy takes a value for a number: a longer integer is an object to it, a boolean a number."""
    return (
        value in _MACHINE_INTEGERS if isinstance(value, int) else isinstance(value, float | complex)
    )


def isclose(
    actual: Number, expected: Number, relative: float = RELATIVE, absolute: float = ABSOLUTE
) -> bool:
    """Whether an output is close to the expected number."""
    if actual == expected:
        return True
    expected_size = _size(expected)
    return math.isfinite(expected_size) and (
        _size(actual - expected) <= absolute + relative * expected_size
    )


def _size(number: Number) -> float:
    try:
        return abs(number)
    except OverflowError:  # of a complex number whose parts are near the largest double
        return math.inf


def allclose(actual: Sequence[str], expected: Sequence[str]) -> bool:
    """Whether two equally long rows of text hold nothing but numbers, close in pairs."""
    return len(actual) == len(expected) and all(map(_both_close, actual, expected))


def _both_close(actual: str, expected: str) -> bool:
    got, wanted = as_float(actual), as_float(expected)
    return got is not None and wanted is not None and isclose(got, wanted)


def as_float(part: str) -> float | None:
    """A text as Python's ``float`` reads it (``nan``, ``inf``, ``1_000``, other scripts), or None."""
    try:
        return float(part)
    except ValueError:
        return None


ROUNDED_DIGITS_COUNT = 3
_WHOLE_FROM = 2.0**53


def rounded(number: float) -> float:
    """A number to three digits after the point; one so large that it has none, at no cost."""
    return number if abs(number) >= _WHOLE_FROM else round(number, ROUNDED_DIGITS_COUNT)
