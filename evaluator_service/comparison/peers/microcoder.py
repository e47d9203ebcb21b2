"""The permissive chain: one reading after another until one matches, going on where a reading fails.

Of texts: lines, blanks, closeness, rounding, sets of words, and printed lists, tuples, sets and strings
converted into each other; of values the same. It accepts much that is wrong (docs/comparison.md lists
it), and is here to reproduce figures that were made so.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from evaluator_service.comparison import literals, typed
from evaluator_service.comparison.chain import TextMethod, ValueMethod
from evaluator_service.comparison.literals import Bare, Reader
from evaluator_service.comparison.nested import Rules, same
from evaluator_service.comparison.peers.apps import same_sets
from evaluator_service.comparison.peers.closeness import (
    allclose,
    as_float,
    is_number,
    isclose,
    rounded,
)
from evaluator_service.comparison.text import Text
from evaluator_service.schema import Comparison
from evaluator_service.values import DictValue, IteratorValue, NodesValue, SetValue, Value

_MAX_GROWTH_RATIO = 2
_SPARE_NODES_COUNT = 64
_MAX_INTEGER_CHARACTERS = 300  # longer ones would be no double either, and are text


# --- texts ----------------------------------------------------------------------------------------


def stripped(expected: Text, actual: Text, _policy: Comparison) -> bool:
    """Accepts the same text but for blanks at its ends."""
    return expected.characters.strip() == actual.characters.strip()


def lines(expected: Text, actual: Text, _policy: Comparison) -> bool:
    """Accepts the same lines that are not blank, each without the blanks at its ends."""
    return all(one == other for one, other in zip_longest(_lines(expected), _lines(actual)))


def _lines(text: Text) -> Iterator[str]:
    return filter(None, map(str.strip, text.filled_lines))


def whitespace(expected: Text, actual: Text, _policy: Comparison) -> bool:
    """Accepts the same words, whatever stands between them."""
    return expected.tokens == actual.tokens


def close_words(expected: Text, actual: Text, _policy: Comparison) -> bool:
    """Accepts as many words, all of them numbers, each close: within 1e-8, or 1e-5 of the expected one."""
    if expected.tokens_count != actual.tokens_count:
        return False
    return allclose(actual.characters.split(), expected.characters.split())


def rounded_words(expected: Text, actual: Text, _policy: Comparison) -> bool:
    """Accepts as many words, all of them numbers, the same after rounding to three digits."""
    if expected.tokens_count != actual.tokens_count:
        return False
    wanted, got = expected.characters.split(), actual.characters.split()
    return len(wanted) == len(got) and all(map(_same_rounded, wanted, got))


def _same_rounded(expected: str, actual: str) -> bool:
    wanted, got = as_float(expected), as_float(actual)
    if wanted is None or got is None:
        return False
    return rounded(wanted) == rounded(got)


def word_sets(expected: Text, actual: Text, _policy: Comparison) -> bool:
    """Accepts the same set of lines, each as the set of its words, numbers rounded to three digits."""
    return same_sets(list(_lines(expected)), list(_lines(actual)), _words)


def _words(line: str) -> frozenset[str | float]:
    words = ((word, as_float(word)) for word in set(line.split()))
    return frozenset(word if number is None else rounded(number) for word, number in words)


def literal(expected: Text, actual: Text, policy: Comparison) -> bool:
    """Accepts one printed value for another that the chain for values accepts.

    Read as in ``flexible``; a number or word without quotes is a value as well.
    """
    try:
        reader = Reader(expected.raw)
        wanted = _only_value(reader, None)
        nodes_limit = _MAX_GROWTH_RATIO * reader.nodes_count + _SPARE_NODES_COUNT
        got = _only_value(Reader(actual.raw), nodes_limit)
    except (EOFError, literals.Unreadable):
        return False
    return any(method(wanted, got, policy) for _, method in VALUE_METHODS)


def _only_value(reader: Reader, nodes_limit: int | None) -> Value:
    value = reader.next(nodes_limit)
    if reader.text[reader.position :].strip():
        raise literals.Unreadable("more than one value")
    return _value(value)


def _value(read: Any) -> Value:
    """What was read from a text, as a program would return it."""
    match read:
        case Bare():
            return _number_or_word(read.decode("utf-8", "surrogateescape"))
        case bytes():
            return read.decode("utf-8", "surrogateescape")
        case list():
            return [_value(item) for item in read]
        case tuple():
            return tuple(_value(item) for item in read)
        case SetValue():
            return SetValue(tuple(_value(item) for item in read.items))
        case DictValue():
            pairs = ((_value(key), _value(item)) for key, item in read.pairs)
            return DictValue(tuple(pairs))
        case _:
            return read  # type: ignore[no-any-return]


# --- values ---------------------------------------------------------------------------------------


def sequences(expected: Value, actual: Value, policy: Comparison) -> bool:
    """Accepts a tuple, what an iterator yielded, or nodes for a list, at every level."""
    return typed.equal(_as_lists(expected), _as_lists(actual), policy)


def converted(expected: Value, actual: Value, policy: Comparison) -> bool:
    """Accepts a string for the number, boolean or ``None`` that it reads as, and other blanks in strings."""
    return typed.equal(_converted(expected), _converted(actual), policy)


def close(expected: Value, actual: Value, _policy: Comparison) -> bool:
    """Accepts numbers that are close, at every level, after the same conversions."""
    return same(_converted(expected), _converted(actual), _CLOSE)


def rounded_values(expected: Value, actual: Value, policy: Comparison) -> bool:
    """Accepts numbers that are the same after rounding to three digits, at every level."""
    return typed.equal(_rounded(expected), _rounded(actual), policy)


def sets(expected: Value, actual: Value, policy: Comparison) -> bool:
    """Accepts any order and multiplicity, at every level, after the same conversions and rounding."""
    return typed.equal(_sets(expected), _sets(actual), policy)


def _as_lists(value: Value) -> Value:
    match value:
        case list() | tuple():
            return [_as_lists(item) for item in value]
        case IteratorValue() | NodesValue():
            return [_as_lists(item) for item in value.items]
        case DictValue():
            return DictValue(tuple((key, _as_lists(item)) for key, item in value.pairs))
        case _:
            return value


def _converted(value: Value) -> Value:
    match value:
        case str():
            return _number_or_word(" ".join(value.split()))
        case list() | tuple():
            return [_converted(item) for item in value]
        case IteratorValue() | NodesValue():
            return [_converted(item) for item in value.items]
        case SetValue():
            return SetValue(tuple(_converted(item) for item in value.items))
        case DictValue():
            return DictValue(
                tuple((_converted(key), _converted(item)) for key, item in value.pairs)
            )
        case _:
            return value


def _number_or_word(text: str) -> Value:
    keyword = text.encode("utf-8", "surrogatepass")
    if keyword in literals.KEYWORDS:
        return literals.KEYWORDS[keyword]
    try:
        return int(text) if len(text) <= _MAX_INTEGER_CHARACTERS else text
    except ValueError:
        number = as_float(text)
        return text if number is None else number


def _rounded(value: Value) -> Value:
    return _rounded_leaves(_converted(value))


def _rounded_leaves(value: Value) -> Value:
    match value:
        case float():
            return rounded(value)
        case list():
            return [_rounded_leaves(item) for item in value]
        case SetValue():
            return SetValue(tuple(_rounded_leaves(item) for item in value.items))
        case DictValue():
            return DictValue(tuple((key, _rounded_leaves(item)) for key, item in value.pairs))
        case _:
            return value


def _sets(value: Value) -> Value:
    return _lists_as_sets(_rounded(value))


def _lists_as_sets(value: Value) -> Value:
    match value:
        case list():
            return SetValue(tuple(_lists_as_sets(item) for item in value))
        case SetValue():
            return SetValue(tuple(_lists_as_sets(item) for item in value.items))
        case DictValue():
            return DictValue(tuple((key, _lists_as_sets(item)) for key, item in value.pairs))
        case _:
            return value


def _close_leaves(expected: Value, actual: Value) -> bool:
    if is_number(expected) and is_number(actual):
        return isclose(actual, expected)
    return typed.equal(expected, actual, Comparison(profile="strict"))


_CLOSE = Rules(leaf=_close_leaves, leaf_key=typed.leaf_key)

TEXT_METHODS: tuple[TextMethod, ...] = (
    ("stripped", stripped),
    ("lines", lines),
    ("whitespace", whitespace),
    ("close_words", close_words),
    ("rounded_words", rounded_words),
    ("word_sets", word_sets),
    ("literal", literal),
)
VALUE_METHODS: tuple[ValueMethod, ...] = (
    ("equal", typed.equal),
    ("sequences", sequences),
    ("converted", converted),
    ("close", close),
    ("rounded", rounded_values),
    ("sets", sets),
)
