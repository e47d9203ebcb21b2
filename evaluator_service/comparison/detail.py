"""Says in one bounded, printable line where two outputs first differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evaluator_service.comparison import numeric
from evaluator_service.comparison.nested import Rules, first_apart
from evaluator_service.comparison.numeric import Tolerance
from evaluator_service.comparison.text import Text, folded
from evaluator_service.schema import Comparison
from evaluator_service.values import DictValue, IteratorValue, NodesValue, SetValue

MAX_DETAIL_CHARACTERS = 200
MAX_SHOWN_CHARACTERS = 60
_MAX_SHOWN_BITS = 180  # as many as MAX_SHOWN_CHARACTERS decimal digits hold
_MAX_SHOWN_ITEMS = 6
_MAX_SHOWN_LEVELS = 3
_MAX_STEPS_DOWN = 8


def of_texts(expected: Text, actual: Text, policy: Comparison) -> str:
    """Line and token of the first difference, and what stands there.

    Lines are those of the expected output that are not blank; lines and tokens count from 1.
    """
    if policy.case == "ignore":
        expected, actual = Text(folded(expected.raw)), Text(folded(actual.raw))
    found = numeric.first_difference(expected, actual, _allowed(policy))
    if found is None and policy.profile not in ("flexible", "strict"):
        return f"no token differs, yet '{policy.profile}' refuses it by a rule of its own"
    if found is None:
        return "the tokens match; the blanks between them differ"
    before = expected.lines[: found.offset]
    line, token = before.count(b"\n") + 1, before[before.rfind(b"\n") + 1 :].count(b" ") + 1
    where = f"line {line}, token {token}"
    return _bounded(f"{where}: expected {_token(found.expected)}, got {_token(found.actual)}")


def _allowed(policy: Comparison) -> Tolerance | None:
    """None where a number is text like any other."""
    allowed = numeric.tolerance(policy)
    as_text = policy.whitespace == "strict" and not allowed.declared
    return None if policy.profile == "strict" or as_text else allowed


def _token(token: bytes | None) -> str:
    if token is None:
        return "the end of the output"
    return _cut(repr(token[: MAX_SHOWN_CHARACTERS * 4].decode("utf-8", "backslashreplace")))


def of_values(expected: Any, actual: Any, rules: Rules) -> str:
    """The path to the first difference, and what stands there."""
    path = ""
    for _ in range(_MAX_STEPS_DOWN):
        if rules.any_order or not _both_sequences(expected, actual):
            break
        if len(expected) != len(actual):
            return _bounded(f"{_at(path)}expected {len(expected)} items, got {len(actual)}")
        index = first_apart(expected, actual, rules.inside)
        if index is None:
            break
        path += f"[{index}]"
        expected, actual = expected[index], actual[index]
    return _bounded(_at(path) + of_strangers(expected, actual))


def of_strangers(expected: Any, actual: Any) -> str:
    """What was expected and what came, whole."""
    return f"expected {shown(expected)}, got {shown(actual)}"


def _both_sequences(expected: Any, actual: Any) -> bool:
    return all(isinstance(value, list | tuple) for value in (expected, actual))


def _at(path: str) -> str:
    return f"at {path}: " if path else ""


def shown(value: Any, levels: int = _MAX_SHOWN_LEVELS) -> str:
    """A value for people: escaped, cut, and cheap however large it is."""
    match value:
        case str() | bytes():
            text = repr(value[:MAX_SHOWN_CHARACTERS])
        case int() if value.bit_length() > _MAX_SHOWN_BITS:
            text = f"an integer of {value.bit_length()} bits"
        case list():
            text = f"[{_items(value, levels)}]"
        case tuple():
            text = f"({_items(value, levels)})"
        case SetValue():
            text = f"set {{{_items(value.items, levels)}}}"
        case NodesValue():
            text = f"nodes of a {value.kind} [{_items(value.items, levels)}]"
        case IteratorValue():
            text = f"an iterator over [{_items(value.items, levels)}]"
        case DictValue():
            text = f"{{{_pairs(value, levels)}}}"
        case _:
            text = repr(value)
    return _cut(text)


def _items(items: Sequence[Any], levels: int) -> str:
    if items and not levels:
        return "…"
    parts = [shown(item, levels - 1) for item in items[:_MAX_SHOWN_ITEMS]]
    return ", ".join(parts + ["…"] * (len(items) > _MAX_SHOWN_ITEMS))


def _pairs(value: DictValue, levels: int) -> str:
    if value.pairs and not levels:
        return "…"
    pairs = value.pairs[:_MAX_SHOWN_ITEMS]
    parts = [f"{shown(key, levels - 1)}: {shown(item, levels - 1)}" for key, item in pairs]
    return ", ".join(parts + ["…"] * (len(value.pairs) > _MAX_SHOWN_ITEMS))


def _cut(text: str) -> str:
    return text if len(text) <= MAX_SHOWN_CHARACTERS else text[: MAX_SHOWN_CHARACTERS - 1] + "…"


def _bounded(text: str) -> str:
    return text if len(text) <= MAX_DETAIL_CHARACTERS else text[: MAX_DETAIL_CHARACTERS - 1] + "…"
