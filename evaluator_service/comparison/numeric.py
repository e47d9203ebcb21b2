"""Numbers: what counts as one, how far apart two may be, and the method ``numeric``.

A *number* is what ``float`` reads among the characters ``0-9 . + - e E``: no ``nan``, ``inf``, ``0x10``,
``1_000``, ``1,000``, no digits of other scripts. These are words, equal to nothing but their own text.

Without a declared tolerance only an expected *decimal* is compared as a number: one with a decimal point
or a signed exponent (``1e-06``). ``12``, ``007``, ``1e3`` are text: ``+12``, ``-0``, ``12.0``, ``7``
differ from them, and integers are exact at any size. Between decimals zeros, a plus sign, and the sign
of zero carry no value: ``0.5 = .50 = +0.5``, ``0.0 = -0``. A declared tolerance reaches every number.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from itertools import compress, count
from operator import ne, sub
from typing import Literal

from evaluator_service.comparison.text import Text
from evaluator_service.schema import Comparison

NUMBER_CHARACTERS = b"0123456789.+-eE"
_SIGNED_EXPONENT = re.compile(rb"[eE][+-]")
_ROUNDING_RATIO = 2.0**-48  # above what reading and subtracting two doubles can be off, as a ratio
_SIXTY_DIGITS = Context(prec=60, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
_ALL_DIGITS = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
_GRID_RATIO = 100
_FIRST_CHUNK_TOKENS = 256
_BLOCK_TOKENS = 1024


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far a number may be from the expected one: within ``absolute`` OR within ``relative`` of it.

    Attributes:
        absolute: Largest difference, in the unit of the output.
        relative: Largest difference as a ratio of the expected value.
        absolute_from: Expected values smaller than this get no absolute tolerance: a small value is
            not noise around 0.
        declared: Whether the problem set it. If not, expected integers are exact.
    """

    absolute: float
    relative: float
    absolute_from: float = 0.0
    declared: bool = True

    def allowed(self, expected: float) -> float:
        """The largest difference from ``expected`` that is no mistake."""
        size = abs(expected)
        limit = self.relative * size
        return self.absolute if self.absolute > limit and size >= self.absolute_from else limit

    def coarsely(self, value: float) -> float:
        """A value on a grid far wider than the tolerance: what is near is nearly always the same on it."""
        step = _GRID_RATIO * max(self.absolute, self.relative * abs(value))
        if not 0 < step < math.inf:
            return value
        grid = 10.0 ** math.ceil(math.log10(step))
        return round(value / grid) * grid if grid else value


INFERRED = Tolerance(absolute=1e-6, relative=1e-9, absolute_from=1e-6, declared=False)


def tolerance(policy: Comparison) -> Tolerance:
    """The tolerance a policy declares, or the tight one that is inferred when it declares none."""
    if policy.absolute_tolerance is None and policy.relative_tolerance is None:
        return INFERRED
    return Tolerance(policy.absolute_tolerance or 0.0, policy.relative_tolerance or 0.0)


def number(token: bytes) -> float | None:
    """The value of a token that is a number (infinite when too large for a double), else None."""
    if token.translate(None, NUMBER_CHARACTERS):
        return None
    try:
        return float(token)
    except ValueError:
        return None


def reaches(text: bytes, allowed: Tolerance) -> bool:
    """Whether a token, or some tokens of a text, may equal another one: else only their own text will do."""
    return allowed.declared or b"." in text or _SIGNED_EXPONENT.search(text) is not None


def near(expected: bytes, actual: bytes, allowed: Tolerance) -> bool:
    """Whether two different tokens are numbers within the tolerance.

    Decided by doubles where these can tell, and by 60-digit decimals where the difference is at the
    edge of the tolerance or a value beyond the doubles.
    """
    if not reaches(expected, allowed):
        return False
    if b"_" in expected or b"_" in actual:
        return False  # `float` would read it
    try:
        wanted, got = float(expected), float(actual)
    except ValueError:
        return False
    gap, size, limit = abs(wanted - got), abs(wanted), allowed.allowed(wanted)
    if abs(gap - limit) > _ROUNDING_RATIO * (size + gap + limit):
        return gap < limit
    return _near_exactly(expected, actual, allowed)


def _plainly_zero(token: bytes) -> bool:
    return not token.strip(b"+-.0")


def _near_exactly(expected: bytes, actual: bytes, allowed: Tolerance) -> bool:
    if _plainly_zero(expected) and _plainly_zero(actual):
        return True
    if number(expected) is None or number(actual) is None:
        return False  # `nan` or `inf`, which `float` reads too
    wanted, got = exact_value(expected), exact_value(actual)
    if not (wanted.is_finite() and got.is_finite()):
        return False
    gap, size = _SIXTY_DIGITS.subtract(wanted, got).copy_abs(), wanted.copy_abs()
    if size >= Decimal(repr(allowed.absolute_from)) and gap <= Decimal(repr(allowed.absolute)):
        return True
    return gap.is_finite() and gap <= _SIXTY_DIGITS.multiply(Decimal(repr(allowed.relative)), size)


def exact_value(number_token: bytes) -> Decimal:
    """The exact value of a number, all its digits; not finite where its exponent is beyond all bounds."""
    return _ALL_DIGITS.create_decimal(number_token.decode("ascii"))


def first_apart(
    expected: list[bytes], actual: list[bytes], allowed: Tolerance | None
) -> int | None:
    """The index of the first pair that is neither the same text nor near as numbers, if any may be."""
    differing = list(compress(count(), map(ne, expected, actual)))
    if allowed is None:
        return differing[0] if differing else None
    for start in range(0, len(differing), _BLOCK_TOKENS):
        block = differing[start : start + _BLOCK_TOKENS]
        wants, gets = [expected[index] for index in block], [actual[index] for index in block]
        for place in range(_plainly_near_count(wants, gets, allowed), len(block)):
            if not near(wants[place], gets[place], allowed):
                return block[place]
    return None


def _plainly_near_count(expected: list[bytes], actual: list[bytes], allowed: Tolerance) -> int:
    """How many pairs at the beginning are near beyond doubt; ten times quicker than asking ``near``."""
    text = b"".join(expected)
    if b"_" in text or b"_" in b"".join(actual):
        return 0  # `float` would read it
    absolute, relative, absolute_from = allowed.absolute, allowed.relative, allowed.absolute_from
    wanted_numbers, got_numbers = _leading_numbers(expected), _leading_numbers(actual)
    all_are_numbers = len(wanted_numbers) == len(got_numbers) == len(expected)
    # a number has no more than one point
    all_reached = allowed.declared or (all_are_numbers and text.count(b".") == len(expected))
    if all_reached and all_are_numbers and _all_plainly_near(wanted_numbers, got_numbers, allowed):
        return len(expected)
    near_count = 0
    for wanted, got in zip(wanted_numbers, got_numbers, strict=False):
        gap, size = abs(wanted - got), abs(wanted)
        limit = relative * size
        if absolute > limit and size >= absolute_from:
            limit = absolute
        if not (all_reached or reaches(expected[near_count], allowed)):
            break
        # false where one is infinite, for then nan is compared
        if not gap + _ROUNDING_RATIO * (size + gap + limit) < limit:
            break
        near_count += 1
    return near_count


def _all_plainly_near(expected: list[float], actual: list[float], allowed: Tolerance) -> bool:
    """Whether the widest gap of all is below the narrowest limit of all: most right answers, at the speed of C."""
    sizes, gaps = list(map(abs, expected)), list(map(abs, map(sub, expected, actual)))
    smallest, gap = min(sizes), max(gaps)
    limit = allowed.relative * smallest
    if smallest >= allowed.absolute_from:
        limit = max(limit, allowed.absolute)
    # a sum that is finite has no nan in it, which `max` may overlook
    return math.isfinite(sum(gaps)) and gap + _ROUNDING_RATIO * (max(sizes) + gap + limit) < limit


def _leading_numbers(tokens: list[bytes]) -> list[float]:
    numbers: list[float] = []
    with suppress(ValueError):  # what was read before stays
        numbers.extend(map(float, tokens))
    return numbers


@dataclass(frozen=True, slots=True)
class Difference:
    """The first token that differs. ``offset`` is its place in the tokens of the expected text, in bytes."""

    offset: int
    expected: bytes | None
    actual: bytes | None


def first_difference(expected: Text, actual: Text, allowed: Tolerance | None) -> Difference | None:
    """The first token that is missing, too many, or neither the same text nor, if any may be, near as a number."""
    asked = (id(actual), allowed)
    if asked not in expected.findings:
        expected.findings[asked] = _first_difference(expected, actual, allowed)
    return expected.findings[asked]  # type: ignore[return-value]


def _first_difference(expected: Text, actual: Text, allowed: Tolerance | None) -> Difference | None:
    wanted, got = expected.tokens, actual.tokens
    offset = _common_tokens_length(wanted, got)
    for wants, gets in _chunks(wanted[offset:], got[offset:]):
        index = first_apart(wants, gets, allowed)
        if index is None and len(wants) == len(gets):
            offset += sum(map(len, wants)) + len(wants)
            continue
        index = min(len(wants), len(gets)) if index is None else index
        offset += sum(map(len, wants[:index])) + index
        return Difference(
            offset, *(part[index] if index < len(part) else None for part in (wants, gets))
        )
    return None


def _common_tokens_length(one: bytes, other: bytes) -> int:
    """How many bytes of whole tokens two texts begin with in common."""
    low, step = 0, 1 << 16
    while low < len(one) and one[low : low + step] == other[low : low + step]:
        low += step
    while step := step // 2:
        if one[low : low + step] == other[low : low + step]:
            low += step
    return one.rfind(b" ", 0, min(low, len(one), len(other))) + 1


def _chunks(one: bytes, other: bytes) -> Iterator[tuple[list[bytes], list[bytes]]]:
    """Tokens of two texts side by side, in lists that grow, so that an early difference costs little."""
    size = _FIRST_CHUNK_TOKENS
    while one or other:
        ones, one = _split(one, size)
        others, other = _split(other, size)
        yield ones, others
        size *= 8


def _split(text: bytes, size: int) -> tuple[list[bytes], bytes]:
    parts = text.split(maxsplit=size)
    return (parts[:size], parts[size]) if len(parts) > size else (parts, b"")


def numeric(expected: Text, actual: Text, policy: Comparison) -> bool:
    """Accepts as many tokens, each the same text or a number near enough to an expected one.

    Refuses a number where a word is expected, and any difference between integers unless the problem
    declares a tolerance. Where whitespace is strict the blanks must be the same, and only a declared
    tolerance counts.
    """
    allowed = tolerance(policy)
    if expected.tokens_count != actual.tokens_count:
        return False
    if policy.whitespace == "strict" and not (
        allowed.declared and expected.layout == actual.layout
    ):
        return False
    return first_difference(expected, actual, allowed) is None


OrderKey = tuple[Literal[0], float | Decimal] | tuple[Literal[1], bytes]
_MAX_DOUBLE_CHARACTERS = 15  # digits that a double tells apart


def order_key(token: bytes) -> OrderKey:
    """Where a token stands when order is free: numbers by value, then words by their bytes."""
    value: float | Decimal | None = number(token)
    if value is not None and len(token) > _MAX_DOUBLE_CHARACTERS:
        value = exact_value(token)
    return (1, token) if value is None or not math.isfinite(value) else (0, value)


def coarse_key(token: bytes, allowed: Tolerance) -> OrderKey:
    """The same, but for numbers that are near: those have the same place."""
    value = number(token)
    if value is None or not math.isfinite(value) or not reaches(token, allowed):
        return order_key(token)
    return 0, allowed.coarsely(value)
