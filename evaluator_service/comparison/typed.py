"""Returned values: the methods for ``call``, from the same type to any order.

=============  =====================  ============================================================
 method         also accepts           always refuses
=============  =====================  ============================================================
 exact          (sets, dicts: content) any other type or value; a nan is a nan
 numeric        1.0 = 1, nearly 1.0    an integer that differs; a bool or a string for a number
 literal        tuple = list           a set for a list
 structure      iterator, nodes = list a container more or less
 unordered      any order, if allowed  another multiplicity
 equal          Python's own ``==``    an iterator or nodes: as objects they equal nothing
=============  =====================  ============================================================

Strings are exact, but for letter case where the policy ignores it. ``None`` and ``[]`` differ, except as
the empty tree where the policy says ``tree``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from evaluator_service.comparison import numeric
from evaluator_service.comparison.nested import Key, Rules, same
from evaluator_service.comparison.numeric import Tolerance
from evaluator_service.policy import Order
from evaluator_service.schema import Comparison
from evaluator_service.values import Value

type Number = int | float | complex

_NUMBERS = (int, float, complex)


def exact(expected: Value, actual: Value, _policy: Comparison) -> bool:
    """Accepts the same types and values throughout; sets and dicts by content."""
    return same(expected, actual, _EXACT)


def equal(expected: Value, actual: Value, _policy: Comparison) -> bool:
    """Accepts what ``assert actual == expected`` accepts on plain values, no more and no less.

    ``1 == 1.0 == True``, a tuple is no list, a nan equals nothing.
    """
    return same(expected, actual, _EQUAL)


def numeric_values(expected: Value, actual: Value, policy: Comparison) -> bool:
    """Accepts numbers of another type or near enough, in containers of the same types.

    An expected integer equals a float only of exactly its value; an expected float has a tolerance.
    """
    return same(expected, actual, _near(policy, tuple_is_list=False))


def literal(expected: Value, actual: Value, policy: Comparison) -> bool:
    """Accepts a tuple for a list and a list for a tuple, at every level."""
    return same(expected, actual, _near(policy))


def structure(expected: Value, actual: Value, policy: Comparison) -> bool:
    """Accepts what an iterator yielded, a linked list, or a tree in level order for a plain list.

    Missing children at the end of a tree count for nothing; ``None`` is the empty tree where the policy
    says ``tree``.
    """
    if policy.order == "tree":
        expected, actual = (_tree(value) for value in (expected, actual))
        return same(expected, actual, _near(policy, drained_is_list=True, order="tree"))
    return same(expected, actual, _near(policy, drained_is_list=True))


def _tree(value: Value) -> Value:
    return [] if value is None else value


def unordered(expected: Value, actual: Value, policy: Comparison) -> bool:
    """Accepts another order of the elements where the policy says ``elements`` or ``nested``.

    A set equals a list of its members there. Multiplicity counts.
    """
    if policy.order not in ("elements", "nested"):
        return False
    return same(expected, actual, _near(policy, drained_is_list=True, order=policy.order))


def _near(policy: Comparison, **how: Any) -> Rules:
    allowed, ignore_case = numeric.tolerance(policy), policy.case == "ignore"

    def leaf(expected: Any, actual: Any) -> bool:
        if type(expected) in _NUMBERS:
            return type(actual) in _NUMBERS and near(expected, actual, allowed)
        if ignore_case and type(expected) is str and type(actual) is str:
            return expected.lower() == actual.lower()
        return type(expected) is type(actual) and _plainly_equal(expected, actual)

    def key(value: Any) -> Key:
        return leaf_key(value.lower() if ignore_case and type(value) is str else value)

    def coarse_key(value: Any) -> Key:
        finite = isinstance(value, float) and math.isfinite(value)
        return key(allowed.coarsely(value) if finite else value)

    return Rules(leaf=leaf, leaf_key=key, coarse_key=coarse_key, **how)


def _same_leaf(expected: Any, actual: Any) -> bool:
    if type(expected) is not type(actual):
        return False
    return _plainly_equal(expected, actual) or _same_with_nan(expected, actual)


def _plainly_equal(expected: Any, actual: Any) -> bool:
    """Python's equality of two leaves; iterators and nodes are no leaves that equal anything."""
    leaves = isinstance(expected, _LEAVES) and isinstance(actual, _LEAVES)
    return leaves and bool(expected == actual)


_LEAVES = (type(None), bool, int, float, complex, str, bytes)


def _same_with_nan(expected: Any, actual: Any) -> bool:
    """Whether two numbers are the same where nan is nan; of complex ones, part by part."""
    if isinstance(expected, complex) and isinstance(actual, complex):
        wanted, got = complex_parts(expected), complex_parts(actual)
        return all(
            one == other or _same_with_nan(one, other)
            for one, other in zip(wanted, got, strict=True)
        )
    return all(isinstance(value, float) and math.isnan(value) for value in (expected, actual))


def near(expected: Number, actual: Number, allowed: Tolerance) -> bool:
    """Whether a number is equal to an expected one, or near it where the tolerance reaches it."""
    if isinstance(expected, complex) or isinstance(actual, complex):
        wanted, got = complex_parts(expected), complex_parts(actual)
        return all(near(one, other, allowed) for one, other in zip(wanted, got, strict=True))
    if expected == actual or _same_with_nan(expected, actual):
        return True
    if isinstance(expected, int) and not allowed.declared:
        return False
    if not (_is_finite(expected) and _is_finite(actual)):
        return False
    if isinstance(expected, float) and isinstance(actual, float):
        return abs(expected - actual) <= allowed.allowed(expected)
    return _near_exactly(expected, actual, allowed)


def complex_parts(value: Number) -> tuple[int | float, int | float]:
    """Real and imaginary part; those of an integer stay integers."""
    return value.real, value.imag


def _is_finite(value: int | float) -> bool:
    return isinstance(value, int) or math.isfinite(value)


def _near_exactly(expected: int | float, actual: int | float, allowed: Tolerance) -> bool:
    """The tolerance in integers alone: a long integer fits no double."""
    wanted, wanted_unit = expected.as_integer_ratio()
    got, got_unit = actual.as_integer_ratio()
    gap, unit = abs(wanted * got_unit - got * wanted_unit), wanted_unit * got_unit
    if abs(expected) >= allowed.absolute_from:
        absolute, absolute_unit = allowed.absolute.as_integer_ratio()
        if gap * absolute_unit <= absolute * unit:
            return True
    relative, relative_unit = allowed.relative.as_integer_ratio()
    return gap * relative_unit <= relative * abs(wanted) * got_unit


def leaf_key(value: Any) -> Key:
    """Where a leaf stands when order is free: classes one after another, numbers by value, nan last."""
    if isinstance(value, bool):
        return 1, value
    if isinstance(value, _NUMBERS):
        real, imaginary = complex_parts(value)
        return 2, _place(real), _place(imaginary)
    return _OTHER_CLASSES.get(type(value), 5), value if isinstance(value, str | bytes) else None


_OTHER_CLASSES: Mapping[type, int] = {type(None): 0, str: 3, bytes: 4}


def _place(part: float) -> tuple[bool, float]:
    return (True, 0) if part != part else (False, part)  # noqa: PLR0124 - a nan


def _equal_key(value: Any) -> Key:
    return leaf_key(int(value) if isinstance(value, bool) else value)


_EXACT = Rules(leaf=_same_leaf, leaf_key=leaf_key, tuple_is_list=False)
_EQUAL = Rules(leaf=_plainly_equal, leaf_key=_equal_key, tuple_is_list=False)


def rules_of(policy: Comparison) -> Rules:
    """The laxest rules of ``flexible`` that the policy allows: what differs under these differs under all.

    Other profiles show where Python's ``==`` finds the first difference.
    """
    if policy.profile != "flexible":
        return _EQUAL
    order: Order = policy.order if policy.order in ("elements", "nested", "tree") else "strict"
    return _near(policy, drained_is_list=True, order=order)
