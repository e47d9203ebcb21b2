"""EvalPlus' grader of returned values: Python's ``==``, then NumPy's closeness.

``absolute_tolerance`` is the task's; where it gives none, an expected float, or list of floats, has 1e-6.
Known to accept wrongly: ``True`` for ``1``, ``2.0000009`` for ``2.0``, a wrong integer where a task gives
a tolerance. Known to reject wrongly: a tuple for a list, close floats in a list within a list, an integer
near an expected float.

Rows of numbers have to be of one shape: NumPy would also repeat a single row or column to fit.
"""

from __future__ import annotations

from evaluator_service.comparison import typed
from evaluator_service.comparison.chain import ValueMethod
from evaluator_service.comparison.peers.closeness import is_number, isclose
from evaluator_service.schema import Comparison
from evaluator_service.values import Value

RELATIVE = 1e-7
ABSOLUTE_OF_FLOATS = 1e-6


def allclose(expected: Value, actual: Value, policy: Comparison) -> bool:
    """Accepts numbers of the same type, alone or in lists, off by ``absolute + 1e-7 * |expected|``."""
    absolute = policy.absolute_tolerance or (ABSOLUTE_OF_FLOATS if _is_floats(expected) else 0)
    if not absolute or type(expected) is not type(actual):
        return False
    return _close(expected, actual, absolute)


def _is_floats(value: Value) -> bool:
    if isinstance(value, list | tuple):
        return bool(value) and all(isinstance(item, float) for item in value)
    return isinstance(value, float)


def _close(expected: Value, actual: Value, absolute: float) -> bool:
    if isinstance(expected, list | tuple):
        return (
            isinstance(actual, list | tuple)
            and len(expected) == len(actual)
            and all(
                _close(one, other, absolute) for one, other in zip(expected, actual, strict=True)
            )
        )
    return (
        is_number(expected) and is_number(actual) and isclose(actual, expected, RELATIVE, absolute)
    )


VALUE_METHODS: tuple[ValueMethod, ...] = (("equal", typed.equal), ("allclose", allclose))
