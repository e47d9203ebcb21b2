"""SandboxFusion's grader for common online-judge problems: line by line, letter case aside.

Known to accept wrongly: ``yes`` for ``YES``, ``100001`` for ``100000``, ``2.9999999999`` for ``3``. Known
to reject wrongly: two blanks for one within a line, close numbers that share a line, a small error around
0. Where the policy says ``case: "strict"``, case counts, as by the peer's own setting.
"""

from __future__ import annotations

from evaluator_service.comparison.chain import TextMethod
from evaluator_service.comparison.peers.closeness import as_float
from evaluator_service.comparison.text import Text
from evaluator_service.schema import Comparison

RELATIVE = 1e-5
SMALLEST_SIZE = 1e-10
"""What an expected number counts as at least, when the error is divided by it."""


def lines(expected: Text, actual: Text, policy: Comparison) -> bool:
    """Accepts the same lines, without the blanks at their ends and at the ends of the text."""
    return _same_count(expected, actual) and _lines(expected, policy) == _lines(actual, policy)


def floats(expected: Text, actual: Text, policy: Comparison) -> bool:
    """Accepts as many lines, each the same or a single number off by less than 1e-5 of the expected one."""
    if not _same_count(expected, actual):
        return False
    pairs = zip(_lines(expected, policy), _lines(actual, policy), strict=True)
    return all(wanted == got or _close(wanted, got) for wanted, got in pairs)


def _same_count(expected: Text, actual: Text) -> bool:
    one, other = (text.characters.strip() for text in (expected, actual))
    return one.count("\n") == other.count("\n")


def _lines(text: Text, policy: Comparison) -> list[str]:
    characters = text.characters.lower() if policy.case == "ignore" else text.characters
    return [line.strip() for line in characters.strip().split("\n")]


def _close(expected: str, actual: str) -> bool:
    wanted, got = as_float(expected), as_float(actual)
    if wanted is None or got is None:
        return False
    return abs(got - wanted) / max(abs(wanted), SMALLEST_SIZE) < RELATIVE


TEXT_METHODS: tuple[TextMethod, ...] = (("lines", lines), ("floats", floats))
