"""LiveCodeBench's grader, shared by rLLM, SkyRL-gym, NeMo-Gym, lighteval and others.

Known to accept wrongly: ``1.0`` for ``1``, ``1_000`` for ``1000``, ``True`` for ``1`` as a value.
Known to reject wrongly: ``0.3`` for ``0.30000000000000004`` (decimals are compared exactly), another
case, words on other lines, a blank line more, a tuple within a list.
"""

from __future__ import annotations

from decimal import Decimal

from evaluator_service.comparison import typed
from evaluator_service.comparison.chain import TextMethod, ValueMethod
from evaluator_service.comparison.text import Text
from evaluator_service.schema import Comparison
from evaluator_service.values import Value


def lines(expected: Text, actual: Text, _policy: Comparison) -> bool:
    """Accepts the same lines, without the blanks at their ends and at the ends of the text."""
    if expected.raw == actual.raw:
        return True
    return _same_count(expected, actual) and _lines(expected) == _lines(actual)


def decimals(expected: Text, actual: Text, _policy: Comparison) -> bool:
    """Accepts as many lines, each the same or made of numbers of exactly the same values.

    A number is what ``decimal.Decimal`` reads: ``1e3``, ``1_000``, ``Infinity``, digits of any script.
    One word that is none makes its line a wrong one, even where only a number beside it differs.
    """
    if not _same_count(expected, actual):
        return False
    pairs = zip(_lines(expected), _lines(actual), strict=True)
    return all(wanted == got or _same_decimals(wanted, got) for wanted, got in pairs)


def _same_count(expected: Text, actual: Text) -> bool:
    one, other = (text.characters.strip() for text in (expected, actual))
    return one.count("\n") == other.count("\n")


def _lines(text: Text) -> list[str]:
    return [line.strip() for line in text.characters.strip().split("\n")]


def _same_decimals(expected: str, actual: str) -> bool:
    wanted, got = expected.split(), actual.split()
    try:
        return len(wanted) == len(got) and all(
            Decimal(other) == Decimal(one) for one, other in zip(wanted, got, strict=True)
        )
    except ArithmeticError:  # no number, a signalling nan, or an exponent beyond all bounds
        return False


def equal(expected: Value, actual: Value, policy: Comparison) -> bool:
    """Accepts what Python's ``==`` accepts; a tuple is a list, but only the outermost one.

    The peer's expected values are JSON and so never tuples: one that is, is read as a list too.
    """
    return typed.equal(outer_list(expected), outer_list(actual), policy)


def outer_list(value: Value) -> Value:
    """A tuple as the list of its items, which stay what they are."""
    return list(value) if isinstance(value, tuple) else value


TEXT_METHODS: tuple[TextMethod, ...] = (("lines", lines), ("decimals", decimals))
VALUE_METHODS: tuple[ValueMethod, ...] = (("equal", equal),)
