"""The grader of APPS: the first of a family that tries one reading after another until one matches.

Known to accept wrongly: ``3 2 1`` for ``1 2 3``, ``1 2 2`` for ``1 1 2``, ``Christmas Eve`` for
``Christmas Eve Eve Eve``, lines in another order or repeated, ``-1000001`` for ``-1000000``, ``0.0004``
for ``0.0001``; as values, ``1`` for ``[1, 2, 3]``. Known to reject wrongly: ``Yes`` for ``YES``, several
numbers on a line that are only close, a tuple within a list.

Two of its steps are left out, for they accept nothing that an earlier one has not: the whole output as a
single expected line, and the expected lines as sets beside the output's lines as text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evaluator_service.comparison import typed
from evaluator_service.comparison.chain import TextMethod, ValueMethod
from evaluator_service.comparison.peers.closeness import allclose, rounded
from evaluator_service.comparison.peers.livecodebench import outer_list
from evaluator_service.comparison.text import Text
from evaluator_service.schema import Comparison
from evaluator_service.values import DictValue, Value


def stripped(expected: Text, actual: Text, _policy: Comparison) -> bool:
    """Accepts the same text but for blanks at its ends, also after each line lost the blanks at its own."""
    wanted, got = expected.characters.strip(), actual.characters.strip()
    if got == wanted:
        return True
    if got.count("\n") > wanted.count("\n"):
        return False  # before a list is made of lines that are too many
    return "\n".join(line.strip() for line in got.splitlines()) == wanted


def lines(expected: Text, actual: Text, _policy: Comparison) -> bool:
    """Accepts the expected lines that are not empty, each without the blanks at its ends."""
    wanted = expected_lines(expected)
    return actual.raw.count(b"\n") <= len(wanted) and actual.characters.splitlines() == wanted


def nonempty_lines(expected: Text, actual: Text, _policy: Comparison) -> bool:
    """Accepts the same after empty lines have been dropped from the output as well."""
    return actual.filled_lines == expected_lines(expected)


def close_lines(expected: Text, actual: Text, _policy: Comparison) -> bool:
    """Accepts as many numbers, one a line, each close: within 1e-8, or 1e-5 of the expected one."""
    return allclose(actual.filled_lines, expected_lines(expected))


def token_sets(expected: Text, actual: Text, _policy: Comparison) -> bool:
    """Accepts the same set of lines, each taken as the set of its words: no order, no multiplicity."""
    return same_sets(expected_lines(expected), actual.filled_lines, _words)


def rounded_sets(expected: Text, actual: Text, _policy: Comparison) -> bool:
    """Accepts the same where all words are numbers, rounded to three digits after the point."""
    try:
        return same_sets(expected_lines(expected), actual.filled_lines, _rounded_words)
    except ValueError:  # a word that is no number
        return False


def _words(line: str) -> frozenset[str]:
    return frozenset(line.split())


def _rounded_words(line: str) -> frozenset[float]:
    return frozenset(rounded(float(word)) for word in set(line.split()))


def same_sets[Row](
    expected: Sequence[str], actual: Sequence[str], read: Callable[[str], Row]
) -> bool:
    """Whether two lists of lines read as the same set; ends at the first line that the shorter lacks."""
    few, many = sorted((expected, actual), key=len)
    known = {read(line) for line in set(few)}
    seen: set[Row] = set()
    lines_seen: set[str] = set()
    for line in many:
        if line in lines_seen:
            continue
        row = read(line)
        if row not in known:
            return False
        lines_seen.add(line)
        seen.add(row)
    return len(seen) == len(known)


def expected_lines(text: Text) -> list[str]:
    """The expected lines that are not empty, each without the blanks at its ends."""
    return [line.strip() for line in text.characters.split("\n") if line]


def equal(expected: Value, actual: Value, policy: Comparison) -> bool:
    """Accepts what Python's ``==`` accepts; a tuple is a list, but only the outermost one.

    An expected dict, alone or in a list of its own, may have its keys in JSON's form: where all of them
    read as integers, they are.
    """
    wanted = _with_integer_keys(outer_list(expected))
    return any(typed.equal(each, outer_list(actual), policy) for each in (expected, wanted))


def first_element(expected: Value, actual: Value, policy: Comparison) -> bool:
    """Accepts what equals the first element of an expected list, whatever the others are."""
    wanted = _with_integer_keys(outer_list(expected))
    if not isinstance(wanted, list) or not wanted:
        return False
    return typed.equal(wanted[0], outer_list(actual), policy)


def first_of_lists(expected: Value, actual: Value, policy: Comparison) -> bool:
    """Accepts tuples in a list for the lists in the first element of an expected list."""
    wanted, got = outer_list(expected), outer_list(actual)
    if not (isinstance(wanted, list) and wanted and isinstance(got, list) and got):
        return False
    if not isinstance(got[0], tuple):
        return False
    return typed.equal(wanted[0], [outer_list(item) for item in got], policy)


def _with_integer_keys(value: Value) -> Value:
    if isinstance(value, list) and len(value) == 1:
        return [_with_integer_keys(value[0])] if isinstance(value[0], DictValue) else value
    if not isinstance(value, DictValue):
        return value
    try:
        return DictValue(tuple((_integer(key), item) for key, item in value.pairs))
    except (ValueError, OverflowError):
        return value


def _integer(key: Value) -> int:
    if isinstance(key, str | int | float):
        return int(key)
    raise ValueError("no key that JSON can hold")


TEXT_METHODS: tuple[TextMethod, ...] = (
    ("stripped", stripped),
    ("lines", lines),
    ("nonempty_lines", nonempty_lines),
    ("close_lines", close_lines),
    ("token_sets", token_sets),
    ("rounded_sets", rounded_sets),
)
VALUE_METHODS: tuple[ValueMethod, ...] = (
    ("equal", equal),
    ("first_element", first_element),
    ("first_of_lists", first_of_lists),
)
