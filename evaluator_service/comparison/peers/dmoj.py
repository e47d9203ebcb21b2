"""Two checkers of DMOJ: the standard one, and the one for floating-point numbers.

``standard`` is known to reject ``1 2`` for ``1`` and ``2`` on two lines, another case, any other spelling
of a number. ``floats`` is known to accept ``100000.05`` for ``100000`` and ``1e0`` for ``1``, and to
reject ``nan`` for ``nan``, and ``inf`` for ``inf`` unless a relative tolerance alone is given.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from evaluator_service.comparison.chain import TextMethod
from evaluator_service.comparison.text import Text
from evaluator_service.schema import Comparison

PRECISION = 1e-6
"""The tolerance of ``floats`` where the policy gives none."""

type Near = Callable[[float, float, float], bool]

_LINE_ENDS = re.compile(rb"[\r\n]++")


def standard(expected: Text, actual: Text, _policy: Comparison) -> bool:
    """Accepts the same words with a line end between them where one is expected, and none where none is.

    How many blanks or line ends there are does not count, nor do those at the ends of the text.
    """
    return _lines_of_words(expected) == _lines_of_words(actual)


def _lines_of_words(text: Text) -> bytes:
    return Text(text.raw.replace(b"\r", b"\n")).lines


def floats(expected: Text, actual: Text, policy: Comparison) -> bool:
    """Accepts as many words on as many lines that are not empty, each near or, if no number, the same.

    How near is the checker's mode. ``absolute_tolerance`` alone: off by no more than it.
    ``relative_tolerance`` alone: no more than that ratio of the expected number. Both alike, or none
    (1e-6): one of the two is enough, the ratio only where the expected number is no smaller than it.
    """
    if expected.tokens_count != actual.tokens_count:
        return False
    wanted, got = _filled_lines(expected), _filled_lines(actual)
    near, precision = _mode(policy)
    return len(wanted) == len(got) and all(
        _same_line(one.split(), other.split(), near, precision)
        for one, other in zip(wanted, got, strict=True)
    )


def _filled_lines(text: Text) -> list[bytes]:
    return [line for line in _LINE_ENDS.split(text.raw) if line]


def _same_line(expected: list[bytes], actual: list[bytes], near: Near, precision: float) -> bool:
    return len(expected) == len(actual) and all(
        _same(one, other, near, precision) for one, other in zip(expected, actual, strict=True)
    )


def _mode(policy: Comparison) -> tuple[Near, float]:
    absolute, relative = policy.absolute_tolerance, policy.relative_tolerance
    if absolute is not None and relative is None:
        return _near_absolutely, absolute
    if relative is not None and absolute is None:
        return _near_relatively, relative
    return _near_either_way, PRECISION if absolute is None else absolute


def _same(expected: bytes, actual: bytes, near: Near, precision: float) -> bool:
    try:
        wanted = float(expected)
    except ValueError:
        return expected == actual
    try:
        return near(wanted, float(actual), precision)
    except ValueError:
        return False


def _near_either_way(expected: float, actual: float, precision: float) -> bool:
    return _near_absolutely(expected, actual, precision) or (
        abs(expected) >= precision and expected != 0 and abs(1 - actual / expected) <= precision
    )


def _near_absolutely(expected: float, actual: float, precision: float) -> bool:
    return abs(actual - expected) <= precision


def _near_relatively(expected: float, actual: float, precision: float) -> bool:
    low, high = sorted((expected * (1 - precision), expected * (1 + precision)))
    return low <= actual <= high


STANDARD_METHODS: tuple[TextMethod, ...] = (("standard", standard),)
FLOATS_METHODS: tuple[TextMethod, ...] = (("floats", floats),)
