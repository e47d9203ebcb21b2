"""Compares what a program produced with what was expected, and says which method matched.

A profile is an ordered tuple of named pure methods; the first that matches decides, and a new profile is
one more tuple. Comparing never raises and is bounded in time and memory, whatever the program wrote.

==========  ===============  ===============================================================
 file        methods          owns
==========  ===============  ===============================================================
 text        exact, trailing, outputs as bytes
             whitespace,
             tokens
 numeric     numeric          numbers in text, tolerance
 literals                     the reader of printed values
 structure   literal,         printed values
             structure
 unordered   unordered        any order in text
 typed       all for values   returned values
 nested                       the walk that printed and returned values share
 detail                       the first difference in words
==========  ===============  ===============================================================
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from evaluator_service.comparison import detail, numeric, structure, text, typed, unordered
from evaluator_service.comparison.nested import Size, size_of
from evaluator_service.comparison.text import Text
from evaluator_service.schema import Comparison, ComparisonResult, Profile
from evaluator_service.values import Value

__all__ = ["TEXT_PROFILES", "VALUE_PROFILES", "compare_text", "compare_values", "matched_by"]

TextMethod = tuple[str, Callable[[Text, Text, Comparison], bool]]
ValueMethod = tuple[str, Callable[[Value, Value, Comparison], bool]]

TEXT_PROFILES: Mapping[Profile, tuple[TextMethod, ...]] = {
    "flexible": (
        ("exact", text.exact),
        ("whitespace", text.whitespace),
        ("tokens", text.tokens),
        ("numeric", numeric.numeric),
        ("literal", structure.literal),
        ("structure", structure.structure),
        ("unordered", unordered.unordered),
    ),
    "strict": (("exact", text.exact), ("trailing", text.trailing)),
}

VALUE_PROFILES: Mapping[Profile, tuple[ValueMethod, ...]] = {
    "flexible": (
        ("exact", typed.exact),
        ("numeric", typed.numeric_values),
        ("literal", typed.literal),
        ("structure", typed.structure),
        ("unordered", typed.unordered),
    ),
    "strict": (("equal", typed.equal),),
}

_MAX_GROWTH_RATIO = 2
_SPARE_NODES_COUNT = 64  # so that a small value may also come with duplicates or missing children


@cache
def matched_by(method: str) -> ComparisonResult:
    """The result that this method matched: one object for all tests that it is true of."""
    return ComparisonResult(matched=True, method=method)


def compare_text(expected: str, actual: bytes, policy: Comparison) -> ComparisonResult:
    """Compare what a program wrote with the expected output. Never raises.

    Args:
        expected: The expected output.
        actual: What the program wrote: hostile, and perhaps not UTF-8.
        policy: How to compare.
    """
    if text.encoded(expected) == actual:
        return matched_by("exact")
    wanted, got = text.views(expected, actual, policy)
    for name, method in TEXT_PROFILES[policy.profile]:
        if method(wanted, got, policy):
            return matched_by(name)
    return ComparisonResult(matched=False, detail=detail.of_texts(wanted, got, policy))


def compare_values(expected: Value, actual: Value, policy: Comparison) -> ComparisonResult:
    """Compare what a function returned with the expected value. Never raises.

    A value of more than twice as many parts as the expected one, or nested deeper, is refused unread: only
    a forged set's duplicates and a tree's missing children make an equal value larger at all.

    Args:
        expected: The expected value.
        actual: What the program returned, as decoded from its jail: hostile.
        policy: How to compare.
    """
    if not _fits(expected, actual):
        return ComparisonResult(matched=False, detail=detail.of_strangers(expected, actual))
    for name, method in VALUE_PROFILES[policy.profile]:
        if method(expected, actual, policy):
            return matched_by(name)
    return ComparisonResult(
        matched=False, detail=detail.of_values(expected, actual, typed.rules_of(policy))
    )


def _fits(expected: Value, actual: Value) -> bool:
    size = size_of(expected)
    assert size is not None, "without a limit there is always a size"
    nodes_limit = _MAX_GROWTH_RATIO * size.nodes_count + _SPARE_NODES_COUNT
    return size_of(actual, Size(nodes_limit, size.levels_count)) is not None
