"""LiveCodeBench's grader: lines, then exact decimals."""

from __future__ import annotations

from evaluator_service.values import Value

RIGHT_ACCEPTS = [
    ("lines", "1 2\n3\n", "1 2\n3"),
    ("lines", "1\n2", "\n 1 \r\n2\t\n\n"),
    ("lines", "nan", "nan"),
    ("decimals", "1 2", "1  2"),
    ("decimals", "0.50", "0.5"),
]
WRONG_ACCEPTS = [
    ("decimals", "1", "1.0"),
    ("decimals", "1000", "1e3"),
    ("decimals", "1000", "1_000"),
    ("decimals", "12", "\uff11\uff12"),
    ("decimals", "inf", "Infinity"),
    ("decimals", "007", "7"),
    ("lines", "  *\n ***", "*\n***"),
]
RIGHT_REJECTS = [
    ("1", "2"), ("1 2", "1"), ("1", "1\n1"), ("yes", "no"), ("nan", "NaN"), ("snan", "sNaN"),
    ("1e999999999", "1"), ("1", "1e999999999999999999999"), ("1", ""),
]  # fmt: skip
WRONG_REJECTS = [
    ("0.3", "0.30000000000000004"),
    ("0.3333333333", "0.3333333333333333"),
    ("a b", "a  b"),
    ("a 1.0", "a 1"),
    ("YES", "yes"),
    ("1\n\n2", "1\n2"),
    ("1 2 3", "1\n2\n3"),
    ("\ufeff42", "42"),
]
ACCEPTED_VALUES: list[tuple[str, Value, Value]] = [
    ("equal", [1, 2], [1, 2]),
    ("equal", [1, 2], (1, 2)),
    ("equal", (1, 2), [1, 2]),
    ("equal", 1, 1.0),
    ("equal", 1, True),
]
REJECTED_VALUES: list[tuple[Value, Value]] = [
    ([1, 2], [2, 1]),
    ([[1, 2]], [(1, 2)]),
    (0.3, 0.1 + 0.2),
    (float("nan"), float("nan")),
    ("1", 1),
]

ACCEPTS = [*RIGHT_ACCEPTS, *WRONG_ACCEPTS]
REJECTS = [*RIGHT_REJECTS, *WRONG_REJECTS]
