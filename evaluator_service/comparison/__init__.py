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
 chain                        what a method is
 peers/                       what other graders would have said
==========  ===============  ===============================================================
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from evaluator_service.comparison import (
    detail,
    numeric,
    peers,
    structure,
    text,
    typed,
    unordered,
)
from evaluator_service.comparison.chain import TextMethod, ValueMethod
from evaluator_service.comparison.nested import Size, size_of
from evaluator_service.comparison.text import Text
from evaluator_service.profiles import TRAITS, Outputs
from evaluator_service.schema import Comparison, ComparisonResult, Profile
from evaluator_service.values import Value

__all__ = [
    "TEXT_PROFILES",
    "VALUE_PROFILES",
    "compare_text",
    "compare_values",
    "ladder",
    "matched_by",
]

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
    **peers.PEER_TEXT_PROFILES,
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
    **peers.PEER_VALUE_PROFILES,
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
    if policy.profile in peers.PEER_TEXT_PROFILES:
        return _compared_by_peer(Text(text.encoded(expected)), Text(actual), policy)
    if text.encoded(expected) == actual:
        return matched_by("exact")
    wanted, got = text.views(expected, actual, policy)
    for name, method in TEXT_PROFILES[policy.profile]:
        if method(wanted, got, policy):
            return matched_by(name)
    return ComparisonResult(matched=False, detail=detail.of_texts(wanted, got, policy))


def _compared_by_peer(expected: Text, actual: Text, policy: Comparison) -> ComparisonResult:
    """By the peer's own steps alone, on the texts as they are: it may even refuse what is the same."""
    if peers.has_outgrown(expected, actual):
        why = f"an output of {len(actual.raw)} bytes, far more than was expected"
        return ComparisonResult(matched=False, detail=why)
    for name, method in TEXT_PROFILES[policy.profile]:
        if method(expected, actual, policy):
            return matched_by(name)
    return ComparisonResult(matched=False, detail=detail.of_texts(expected, actual, policy))


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


def ladder(
    expected: Any, actual: Any, policy: Comparison, outputs: Outputs = "texts"
) -> list[tuple[Profile, ComparisonResult]]:
    """What each profile says of the same two outputs: the fields of the policy that it knows, kept.

    A profile that cannot compare these outputs, or not under this policy, is left out. The order is that
    of the profiles in ``profiles.TRAITS``.

    Args:
        expected: The expected text or value.
        actual: What the program wrote, as bytes, or returned.
        policy: How to compare.
        outputs: Which of the two they are.
    """
    compare: Callable[..., ComparisonResult] = (
        compare_text if outputs == "texts" else compare_values
    )
    policies = ((name, _under(policy, name)) for name in TRAITS if outputs in TRAITS[name].outputs)
    return [(name, compare(expected, actual, own)) for name, own in policies if own is not None]


def _under(policy: Comparison, profile: Profile) -> Comparison | None:
    try:
        return policy.under(profile)
    except ValueError:
        return None
