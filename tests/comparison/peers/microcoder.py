"""The permissive chain; what it wrongly accepts is on its page."""

from __future__ import annotations

from evaluator_service.values import DictValue, IteratorValue, SetValue, Value

ACCEPTS = [
    ("stripped", "1 2\n", " 1 2"),
    ("lines", "1\n2", "1 \r\n\n2"),
    ("whitespace", "1 2 3", "1\n2  3"),
    ("close_words", "0.333333333 1", "0.33333333 1.0"),
    ("rounded_words", "0.0001", "0.0002"),
    ("word_sets", "1 a", "a 1.0"),
    ("literal", "[1, 2]", "(1,2)"),
    ("literal", "{'a': [1]}", '{"a": (1.0,)}'),
    ("literal", "'a'", '"a"'),
]
REJECTS = [
    ("1", "2"), ("a", "b"), ("YES", "yes"), ("1", ""), ("", "1"), ("[1]", "[2]"), ("[1]", "[1"), ("{1: 2}", "[1]"),
    ("0.001", "0.002"), ("100", "101"), ("nan", "NaN"), ("\ufeff42", "42"), ("[1] [2]", "[1] [3]"),
]  # fmt: skip
ACCEPTED_VALUES: list[tuple[str, Value, Value]] = [
    ("equal", [1, 2], [1, 2]),
    ("sequences", [[1, 2]], ((1, 2),)),
    ("sequences", [1, 2], IteratorValue((1, 2))),
    ("converted", DictValue((("a", "1"),)), DictValue((("a", 1),))),
    ("converted", None, "None"),
    ("close", [0.3], (0.1 + 0.2,)),
    ("rounded", 0.0001, 0.0002),
    ("sets", SetValue((1, 2)), [2, 1]),
]
REJECTED_VALUES: list[tuple[Value, Value]] = [
    (1, 2), ("a", "b"), ("a", "A"), ([1], [2]), ([1], None), (0, None), (float("nan"), float("nan")), (10**400, 1.0),
    (DictValue((("a", 1),)), DictValue((("b", 1),))), (b"a", "a"),
]  # fmt: skip
