"""Printed values: the methods literal, structure and unordered read them and compare what they mean."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from evaluator_service.comparison import literals, numeric
from evaluator_service.comparison.literals import Bare, Reader
from evaluator_service.comparison.nested import Key, Rules, same
from evaluator_service.comparison.numeric import Tolerance
from evaluator_service.comparison.text import BLANKS, Text
from evaluator_service.policy import Order
from evaluator_service.schema import Comparison

_QUOTES = (b'"', b"'")
_SIGNS_OF_VALUES = (*_QUOTES, b"[", b"(", b"{", *literals.KEYWORDS)
_OPENING = (b"[", b"(", b"{")
_BRACKET_OR_QUOTE = re.compile(rb"[\[({\"']")
_BLANK_BYTES = [bytes([blank]) for blank in BLANKS]
_LINE = re.compile(rb"[^ \t\r\n\v\f][^\n]*+")
_MOST_ESCAPED_BYTES = 10  # of an escape, for one byte of what it means
_SPARE_NODES_COUNT = 64  # missing children that a printed tree may have more


def literal(expected: Text, actual: Text, policy: Comparison) -> bool:
    """Accepts, line by line, the same Python or JSON values however they are written.

    ``(1, 2)`` = ``[1,2]``, ``True`` = ``true``, ``None`` = ``null``, ``"a"`` = ``'a'`` = ``a``, sets and
    dicts by content. Numbers as in ``numeric``. Refuses a bool for a number, quotes around a number,
    other spaces inside a string, a bracket more or less, and (like the two methods after it) everything
    where whitespace is strict.
    """
    if not _worth_reading(expected, actual, policy):
        return False
    if expected.lines_count != actual.lines_count:
        return False
    rules = _rules(policy, "strict")
    return all(
        wanted == got or _same_values(wanted, got, rules) or _same_unquoted(wanted, got)
        for wanted, got in zip(_lines(expected), _lines(actual), strict=True)
    )


def structure(expected: Text, actual: Text, policy: Comparison) -> bool:
    """Accepts the same values and words whatever lines they are spread over.

    One list printed over several lines, or several lists printed on one. What is inside is compared as
    in ``literal``. Never adds, drops or merges brackets.
    """
    if not _worth_reading(expected, actual, policy):
        return False
    order: Order = "tree" if policy.order == "tree" else "strict"
    if order == "strict" and expected.lines_count == actual.lines_count == 1:
        return False  # on one line there is nothing that `literal` has not read
    return _same_values(expected.raw, actual.raw, _rules(policy, order))


def _worth_reading(expected: Text, actual: Text, policy: Comparison) -> bool:
    """Whether reading values can accept anything that comparing tokens has not."""
    return policy.whitespace == "flexible" and (
        any(sign in expected.raw for sign in _SIGNS_OF_VALUES)
        or any(quote in actual.raw for quote in _QUOTES)
    )


def _lines(text: Text) -> Iterator[bytes]:
    """The lines that are not blank, without the blanks at their ends."""
    return (line[0].rstrip(BLANKS) for line in _LINE.finditer(text.raw))


def same_printed_elements(expected: Text, actual: Text, policy: Comparison) -> bool:
    """Whether two texts print the same values when elements may come in the order that the policy frees."""
    return _same_values(expected.raw, actual.raw, _rules(policy, policy.order))


def _same_values(expected: bytes, actual: bytes, rules: Rules) -> bool:
    """Reads both texts side by side, one value at a time, and stops at the first difference."""
    if b"\\" not in expected + actual and _brackets_count(expected) != _brackets_count(actual):
        return False  # brackets are never added or dropped; an escape may mean one
    wants = Reader(expected)
    gets = Reader(actual, string_limit=_MOST_ESCAPED_BYTES * len(expected) + _SPARE_NODES_COUNT)
    heads = _plain_head(expected), _plain_head(actual)
    if Text(heads[0]).tokens == Text(heads[1]).tokens:
        wants.position, gets.position = map(len, heads)
    try:
        while (wanted := _next(wants, None)) is not _END:
            limit = wants.nodes_count
            if rules.order == "tree":
                limit = 2 * limit + _SPARE_NODES_COUNT
            got = _next(gets, limit)
            if got is _END or not same(wanted, got, rules):
                return False
        return _next(gets, 1) is _END
    except literals.Unreadable:
        return False


def _brackets_count(text: bytes) -> int:
    return sum(map(text.count, _OPENING))


def _plain_head(text: bytes) -> bytes:
    """The words before the first one with a bracket or quote in it: they need no reading to be equal."""
    sign = _BRACKET_OR_QUOTE.search(text)
    if sign is None:
        return text
    return text[: max(text.rfind(blank, 0, sign.start()) for blank in _BLANK_BYTES) + 1]


_END = object()


def _next(reader: Reader, nodes_limit: int | None) -> Any:
    try:
        return reader.next(nodes_limit)
    except EOFError:
        return _END


def _same_unquoted(expected: bytes, actual: bytes) -> bool:
    """Whether one line is the other as one quoted string, and no number, keyword or list of such."""
    for quoted, bare in ((expected, actual), (actual, expected)):
        reader = Reader(quoted, string_limit=_MOST_ESCAPED_BYTES * len(bare) + _SPARE_NODES_COUNT)
        try:
            value = _next(reader, 1) if quoted[:1] in _QUOTES else _END
        except literals.Unreadable:
            continue
        if type(value) is bytes and reader.position == len(quoted) and value == bare:
            return _is_prose(bare)
    return False


def _is_prose(text: bytes) -> bool:
    """Whether a text is words rather than a value, or several: quotes around these make another thing of them."""
    return _BRACKET_OR_QUOTE.match(text) is None and (
        any(_is_word(literals.word(token)) for token in text.split()) or not text.split()
    )


def _rules(policy: Comparison, order: Order) -> Rules:
    allowed = numeric.tolerance(policy)
    return Rules(
        leaf=lambda expected, actual: same_leaf(expected, actual, allowed),
        leaf_key=leaf_key,
        coarse_key=lambda leaf: (
            numeric.coarse_key(leaf, allowed) if type(leaf) is Bare else leaf_key(leaf)
        ),
        sets_keep_duplicates=True,
        order=order,
    )


def same_leaf(expected: Any, actual: Any, allowed: Tolerance) -> bool:
    """Whether two printed leaves are equal: keywords by value, numbers as in ``numeric``, strings as text."""
    if type(expected) is Bare and type(actual) is Bare:
        return expected == actual or numeric.near(expected, actual, allowed)
    if isinstance(expected, bytes) and isinstance(actual, bytes):
        return expected == actual and all(
            type(leaf) is bytes or _is_word(leaf) for leaf in (expected, actual)
        )
    return expected is actual


def _is_word(leaf: Any) -> bool:
    return isinstance(leaf, bytes) and numeric.number(leaf) is None


def leaf_key(leaf: Any) -> Key:
    """Where a printed leaf stands when order is free: numbers by value, then text, then keywords."""
    if isinstance(leaf, bytes):
        return numeric.order_key(leaf) if type(leaf) is Bare else (1, leaf)
    return 2, str(leaf)
