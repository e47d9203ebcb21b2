"""Kattis' default validator: a stream of words, with the flags that a problem may set.

================================ =============================================
 field of the policy              flag of the validator
================================ =============================================
 ``case: "strict"``               ``case_sensitive``; unset, case is ignored
 ``whitespace: "strict"``         ``space_change_sensitive``
 ``absolute_tolerance``           ``float_absolute_tolerance``
 ``relative_tolerance``           ``float_relative_tolerance``
================================ =============================================

A flag that is not set is off. Known to accept wrongly: ``yes`` for ``YES`` without the flag, and with a
tolerance a wrong integer (``1000001`` for ``1000000``). Known to reject wrongly: ``3.0`` for ``3`` without
a tolerance, ``inf`` for ``infinity`` with one.
"""

from __future__ import annotations

import math
import re
from itertools import compress
from operator import ne

from evaluator_service.comparison.chain import TextMethod
from evaluator_service.comparison.text import Text
from evaluator_service.schema import Comparison

_DECIMAL = rb"(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?"
_HEXADECIMAL = rb"0[xX](?:[0-9a-fA-F]++(?:\.[0-9a-fA-F]*+)?|\.[0-9a-fA-F]++)(?:[pP][+-]?[0-9]++)?"
_NUMBER = re.compile(rb"[+-]?(?:(?P<hexadecimal>" + _HEXADECIMAL + rb")|" + _DECIMAL + rb")")


def words(expected: Text, actual: Text, policy: Comparison) -> bool:
    """Accepts the same words, up to the case of ASCII letters unless the policy says that it counts."""
    if not _same_shape(expected, actual, policy):
        return False
    return _folded(expected.tokens, policy) == _folded(actual.tokens, policy)


def floats(expected: Text, actual: Text, policy: Comparison) -> bool:
    """Accepts as many words, each the same or, where a number is expected, a number within a tolerance.

    A number is what C's ``strtod`` reads, all of it, and finite: ``+5``, ``.5``, ``1e3``, ``0x1p-1``.
    """
    if policy.absolute_tolerance is None and policy.relative_tolerance is None:
        return False
    if not _same_shape(expected, actual, policy):
        return False
    wanted, got = (_folded(text.tokens, policy).split(b" ") for text in (expected, actual))
    differing = compress(zip(wanted, got, strict=True), map(ne, wanted, got))
    return all(_near(one, other, policy) for one, other in differing)


def _same_shape(expected: Text, actual: Text, policy: Comparison) -> bool:
    """As many words, and the same blanks, every one, where they count."""
    if policy.whitespace == "strict":
        return expected.blanks == actual.blanks
    return expected.tokens_count == actual.tokens_count


def _folded(tokens: bytes, policy: Comparison) -> bytes:
    return tokens.lower() if policy.case == "ignore" else tokens


def _near(expected: bytes, actual: bytes, policy: Comparison) -> bool:
    wanted = _finite(expected)
    got = None if wanted is None else _finite(actual)
    if wanted is None or got is None:
        return False
    gap = abs(wanted - got)
    absolute, relative = policy.absolute_tolerance, policy.relative_tolerance
    return (absolute is not None and gap <= absolute) or (
        relative is not None and gap <= relative * abs(wanted)
    )


def _finite(token: bytes) -> float | None:
    """The value of a token that is a number to C and no infinity, else None."""
    found = _NUMBER.fullmatch(token)
    if found is None:
        return None
    try:
        value = float.fromhex(token.decode()) if found["hexadecimal"] else float(token)
    except OverflowError:
        return None
    return value if math.isfinite(value) else None


TEXT_METHODS: tuple[TextMethod, ...] = (("words", words), ("floats", floats))
