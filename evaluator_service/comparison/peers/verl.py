"""verl's ``prime_code``: the chain of APPS without its sets, and integers kept from being merely close.

Known to accept wrongly: ``-1000001`` for ``-1000000`` (a sign makes it no integer here), ``1000001`` for
``1000000`` beside a line ``0.5``; as values, ``1`` for ``[1, 2, 3]``. Known to reject wrongly:
``0.3333333 0.5`` for ``0.33333333 0.5``, for only one number a line can be close.

Only the comparison is here: that the peer looks at ten tests of a failed program is no part of it.
"""

from __future__ import annotations

from evaluator_service.comparison.chain import TextMethod, ValueMethod
from evaluator_service.comparison.peers import apps
from evaluator_service.comparison.text import Text
from evaluator_service.schema import Comparison
from evaluator_service.values import DictValue, Value


def close_lines(expected: Text, actual: Text, policy: Comparison) -> bool:
    """Accepts as many numbers, one a line, each close, unless all lines of both are digits alone."""
    rows = (apps.expected_lines(expected), actual.filled_lines)
    if all(line.isdigit() for row in rows for line in row):
        return False
    return apps.close_lines(expected, actual, policy)


def equal(expected: Value, actual: Value, policy: Comparison) -> bool:
    """Accepts what APPS accepts as equal, where JSON can hold the value that was returned."""
    return _is_json(actual) and apps.equal(expected, actual, policy)


def first_element(expected: Value, actual: Value, policy: Comparison) -> bool:
    """Accepts what equals the first element of an expected list, where JSON can hold it."""
    return _is_json(actual) and apps.first_element(expected, actual, policy)


def first_of_lists(expected: Value, actual: Value, policy: Comparison) -> bool:
    """Accepts tuples in a list for the lists in the first element of an expected list, as JSON can."""
    return _is_json(actual) and apps.first_of_lists(expected, actual, policy)


def _is_json(value: Value) -> bool:
    """Whether Python's ``json`` writes it, nan and infinities included."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, list | tuple):
            waiting.extend(part)
        elif isinstance(part, DictValue):
            waiting.extend(item for _, item in part.pairs)
            if not all(isinstance(key, _JSON_LEAVES) for key, _ in part.pairs):
                return False
        elif not isinstance(part, _JSON_LEAVES):
            return False
    return True


_JSON_LEAVES = (type(None), bool, int, float, str)

TEXT_METHODS: tuple[TextMethod, ...] = (
    ("stripped", apps.stripped),
    ("lines", apps.lines),
    ("nonempty_lines", apps.nonempty_lines),
    ("close_lines", close_lines),
)
VALUE_METHODS: tuple[ValueMethod, ...] = (
    ("equal", equal),
    ("first_element", first_element),
    ("first_of_lists", first_of_lists),
)
