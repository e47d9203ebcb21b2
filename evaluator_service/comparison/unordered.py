"""The method ``unordered``: the same parts in any order, where the problem allows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial

from evaluator_service.comparison import numeric
from evaluator_service.comparison.numeric import OrderKey, Tolerance
from evaluator_service.comparison.structure import same_printed_elements
from evaluator_service.comparison.text import Text
from evaluator_service.schema import Comparison


def unordered(expected: Text, actual: Text, policy: Comparison) -> bool:
    """Accepts the same lines, tokens or elements of printed containers in another order.

    Which of them is the policy's ``order``; where it frees nothing, everything is refused. Multiplicity
    always counts: ``1 2 2`` is not ``1 1 2``. Lines keep the order of their tokens.
    """
    match policy.order:
        case "lines":
            return _same_parts(expected.lines, actual.lines, b"\n", numeric.tolerance(policy))
        case "tokens":
            return _same_parts(expected.tokens, actual.tokens, b" ", numeric.tolerance(policy))
        case "elements" | "nested":
            return policy.whitespace == "flexible" and same_printed_elements(
                expected, actual, policy
            )
        case _:
            return False


def _same_parts(expected: bytes, actual: bytes, between: bytes, allowed: Tolerance) -> bool:
    """Whether two texts are made of the same parts: equal ones cancel out, the rest pair up as numbers."""
    if any(expected.count(blank) != actual.count(blank) for blank in (b" ", b"\n")):
        return False  # another number of parts, or of tokens in them
    wanted, got = Counter(expected.split(between)), Counter(actual.split(between))
    wanted, got = wanted - got, got - wanted
    if not all(numeric.reaches(part, allowed) for part in wanted):
        return False  # sorting what is left would take a hundred times as long
    return any(
        all(
            len(wants) == len(gets) and numeric.first_apart(wants, gets, allowed) is None
            for wants, gets in zip(_sorted(wanted, key), _sorted(got, key), strict=True)
        )
        # by value; and by value roughly, where noise in a first column must not decide over the second
        for key in (numeric.order_key, partial(numeric.coarse_key, allowed=allowed))
    )


def _sorted(parts: Counter[bytes], key: Callable[[bytes], OrderKey]) -> list[list[bytes]]:
    """Every part as its tokens, sorted by what they mean."""
    return sorted(
        (part.split() for part in parts.elements()),
        key=lambda tokens: [key(token) for token in tokens],
    )
