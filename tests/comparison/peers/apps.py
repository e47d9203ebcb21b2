"""APPS' grader: one reading after another, down to sets of sets of rounded words."""

from __future__ import annotations

from evaluator_service.values import DictValue, Value

RIGHT_ACCEPTS = [
    ("stripped", "1 2\n", " 1 2"),
    ("stripped", "a\nb", " a \r\n b"),
    ("lines", "1\n\n2", "1\n2"),
    ("nonempty_lines", "1\n\n2", "1\n\n\n2"),
    ("close_lines", "0.333333333", "0.33333333"),
    ("token_sets", "a b", "a  b"),
]
WRONG_ACCEPTS = [
    ("token_sets", "YES\nNO\nYES", "NO\nYES\nYES"),
    ("token_sets", "Christmas Eve Eve Eve", "Christmas Eve"),
    ("token_sets", "1 2 3", "3 2 1"),
    ("token_sets", "1 2 2", "1 1 2"),
    ("token_sets", "1", "1\n1\n1\n1"),
    ("token_sets", "5", "5 5 5"),
    ("token_sets", "YES\nNO\nYES", "NO\nYES"),
    ("rounded_sets", "0.0001", "0.0004"),
    ("close_lines", "-1000001", "-1000000"),
    ("close_lines", "100000002", "100000001"),
    ("close_lines", "3", "2.9999999999"),
    ("rounded_sets", "1.0 2.0", "2.0001 1"),
    ("close_lines", "007", "7"),
]
RIGHT_REJECTS = [
    ("1", "2"), ("1 2", "1 3"), ("1", ""), ("", "1"), ("YES", "NO"), ("nan", "NAN"), ("1.5", "inf"),
    ("abc", "ab"), ("1\n2", "1\n1"), ("1 a", "1 b"),
]  # fmt: skip
WRONG_REJECTS = [
    ("YES", "yes"),
    ("0.5 a", "0.50 a"),
    ("1 2", "1\n2"),
    ("['a']", '["a"]'),
    ("\ufeff42", "42"),
]
ACCEPTED_VALUES: list[tuple[str, Value, Value]] = [
    ("equal", [1, 2], (1, 2)),
    ("equal", DictValue((("1", "a"),)), DictValue(((1, "a"),))),
    ("equal", [DictValue((("1", "a"),))], [DictValue(((1, "a"),))]),
    ("equal", 1, True),
    ("first_element", [1, 2, 3], 1),
    ("first_element", [[1, 2]], (1, 2)),
    ("first_of_lists", [[[1, 2], [3, 4]]], [(1, 2), (3, 4)]),
]
REJECTED_VALUES: list[tuple[Value, Value]] = [
    ([1, 2, 3], 2),
    ([[1, 2]], [(1, 2)]),
    ([], None),
    (0.3, 0.1 + 0.2),
    (DictValue((("a", 1),)), DictValue(((1, 1),))),
    (DictValue(((float("inf"), 1),)), DictValue(((1, 1),))),
]

ACCEPTS = [*RIGHT_ACCEPTS, *WRONG_ACCEPTS]
REJECTS = [*RIGHT_REJECTS, *WRONG_REJECTS]
