"""SandboxFusion's common online judge: line by line, letter case aside."""

from __future__ import annotations

RIGHT_ACCEPTS = [
    ("lines", "1 2\n", "1 2"),
    ("lines", "1\n2", "1 \r\n2"),
    ("lines", "inf", "inf"),
    ("floats", "0.33333333", "0.333333333"),
]
WRONG_ACCEPTS = [
    ("lines", "YES", "yes"),
    ("lines", "  *\n ***", "*\n***"),
    ("floats", "1000001", "1000000"),
    ("floats", "3", "2.9999999999"),
    ("floats", "007", "7"),
]
RIGHT_REJECTS = [
    ("1", "2"), ("1", "1\n1"), ("inf", "-inf"), ("1", "inf"), ("1", "nan"), ("nan", "nan1"), ("1", ""),
    ("10000", "10001"),
]  # fmt: skip
WRONG_REJECTS = [
    ("a b", "a  b"),
    ("0.5 0.5", "0.50 0.50"),
    ("0.0", "0.0000001"),
    ("1 2", "1\n2"),
    ("\ufeff42", "42"),
]

ACCEPTS = [*RIGHT_ACCEPTS, *WRONG_ACCEPTS]
REJECTS = [*RIGHT_REJECTS, *WRONG_REJECTS]
