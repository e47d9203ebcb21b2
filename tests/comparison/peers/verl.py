"""verl's prime_code: APPS without sets, integers kept from being merely close."""

from __future__ import annotations

from evaluator_service.values import DictValue, SetValue, Value

RIGHT_ACCEPTS = [
    ("stripped", "1 2\n", " 1 2"),
    ("lines", "1\n\n2", "1\n2"),
    ("nonempty_lines", "1\n\n2", "1\n\n\n2"),
    ("close_lines", "0.333333333", "0.33333333"),
]
WRONG_ACCEPTS = [
    ("close_lines", "-1000001", "-1000000"),
    ("close_lines", "1000001\n0.5", "1000000\n0.5"),
    ("close_lines", "1000001", "1000000 "),
    ("close_lines", "3", "2.9999999999"),
]
RIGHT_REJECTS = [
    ("1000001", "1000000"), ("1 2 3", "3 2 1"), ("5", "5 5 5"), ("1", "1\n1"), ("0.0001", "0.0004"), ("1", ""),
    ("YES\nNO", "NO\nYES"), ("007", "7"),
]  # fmt: skip
WRONG_REJECTS = [
    ("0.33333333 0.5", "0.3333333 0.5"),
    ("a b", "a  b"),
    ("YES", "yes"),
    ("1 2", "1\n2"),
]
ACCEPTED_VALUES: list[tuple[str, Value, Value]] = [
    ("equal", [1, 2], (1, 2)),
    ("first_element", [1, 2, 3], 1),
    ("first_of_lists", [[[1, 2]]], [(1, 2)]),
    ("equal", DictValue((("1", 2.5),)), DictValue(((1, 2.5),))),
]
REJECTED_VALUES: list[tuple[Value, Value]] = [
    (b"a", b"a"),
    ([b"a"], b"a"),
    (SetValue((1,)), SetValue((1,))),
    (DictValue((((1, 2), 3),)), DictValue((((1, 2), 3),))),
    ([[1, 2]], [(1, 2)]),
]

ACCEPTS = [*RIGHT_ACCEPTS, *WRONG_ACCEPTS]
REJECTS = [*RIGHT_REJECTS, *WRONG_REJECTS]
