"""rLLM's path for TACO: words that differ are overlooked, then the chain of APPS."""

from __future__ import annotations

from evaluator_service.values import Value

RIGHT_ACCEPTS = [
    ("loose_words", "1 2\n", " 1 2"),
    ("loose_words", "0.333333333", "0.33333333"),
    ("loose_words", "1 0.5\n\na", "1  0.50\na"),
]
WRONG_ACCEPTS = [
    ("loose_words", "YES", "NO"),
    ("loose_words", "abc def", "xyz uvw"),
    ("loose_words", "1", "Impossible"),
    ("loose_words", "100000 a", "100001 b"),
    ("token_sets", "YES\nNO\nYES", "NO\nYES"),
    ("token_sets", "Christmas Eve Eve Eve", "Christmas Eve"),
    ("token_sets", "1 2 3", "3 2 1"),
    ("rounded_sets", "0.0001", "0.0004"),
]
RIGHT_REJECTS = [
    ("1", "2"), ("1 2", "1 3"), ("a b", "c"), ("a", "b\nb"), ("nan", "nan 1"), ("", "1"),
]  # fmt: skip
WRONG_REJECTS = [
    ("1 2", "1\n2"),
    ("nan", "NAN"),
]
ACCEPTED_VALUES: list[tuple[str, Value, Value]] = [
    ("equal", [1, 2], (1, 2)),
    ("first_element", [1, 2, 3], 1),
]
REJECTED_VALUES: list[tuple[Value, Value]] = [
    ([[1, 2]], [(1, 2)]),
]

ACCEPTS = [*RIGHT_ACCEPTS, *WRONG_ACCEPTS]
REJECTS = [*RIGHT_REJECTS, *WRONG_REJECTS]
