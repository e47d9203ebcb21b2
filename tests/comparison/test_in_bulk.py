"""What is compared or read many at a time comes out as one by one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator_service.comparison import numeric
from evaluator_service.comparison.literals import Bare, Reader, word
from evaluator_service.comparison.numeric import INFERRED, Tolerance

TOKENS = st.one_of(
    st.floats(-2, 2).map(lambda number: b"%.7f" % number),
    st.floats().map(lambda number: repr(number).encode()),
    st.integers(-(10**20), 10**20).map(lambda number: b"%d" % number),
    st.sampled_from(
        [
            b"0.0",
            b"-0",
            b"1e-06",
            b"1E+20",
            b"1e3",
            b"1.0e999",
            b"nan",
            b"inf",
            b"1_0.5",
            b".5",
            b"x",
            b"007",
            b"1.0000010",
        ]
    ),
)
TOLERANCES = st.sampled_from(
    [INFERRED, Tolerance(1e-3, 0.0), Tolerance(0.0, 1e-3), Tolerance(0.0, 0.0)]
)


FORMATS = st.sampled_from([b"%d", b"%.1f", b"%.6f", b"%.9f", b"%e", b"%g"])
NEIGHBOURS = st.tuples(
    FORMATS, FORMATS, st.integers(-3, 3), st.sampled_from([0.0, 1e-7, 9e-7, 1e-6, 1e-3])
).map(lambda drawn: (drawn[0] % drawn[2], drawn[1] % (drawn[2] + drawn[3])))

TRAPS = st.sampled_from(
    [
        (b"1_0.5", b"10.5"),  # `float` reads it
        (b"10.5", b"1_0.5"),
        (b"8.0", b"8.00000100000000000000001"),  # a hair too far, which doubles do not see
        (b"8.0", b"8.000001"),
    ]
)


@given(st.lists(st.one_of(TRAPS, NEIGHBOURS, st.tuples(TOKENS, TOKENS)), max_size=40), TOLERANCES)
def test_the_first_pair_apart_is_found_among_many_as_among_few(
    pairs: list[tuple[bytes, bytes]], allowed: Tolerance
) -> None:
    apart = [
        index
        for index, (wanted, got) in enumerate(pairs)
        if wanted != got and not numeric.near(wanted, got, allowed)
    ]
    expected, actual = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    assert numeric.first_apart(expected, actual, allowed) == next(iter(apart), None)


@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=40), st.integers(0, 39), TOLERANCES)
def test_one_that_is_apart_is_found_wherever_it_stands(
    numbers: list[float], place: int, allowed: Tolerance
) -> None:
    expected = [b"%.3f" % number for number in numbers]
    actual = [b"%.4f" % number for number in map(float, expected)]
    actual[place % len(numbers)] = b"5e9"
    assert numeric.first_apart(expected, actual, allowed) == place % len(numbers)


@pytest.mark.parametrize("word", [b"nan", b"inf", b"-inf", b"1e999"])
def test_what_is_no_number_is_not_near_because_the_others_are(word: bytes) -> None:
    expected, actual = [b"1.0", b"1.5", b"2.0"], [b"1.1", word, b"2.1"]
    assert numeric.first_apart(expected, actual, Tolerance(0.5, 0.0)) == 1


WORDS = st.sampled_from([b"1", b"-2.5", b"abc", b"True", b"null", b"a'b", b"1e5", b"\xc3\xa9"])
LAST_COMMAS = st.sampled_from([b"", b","])
BLANKS = st.sampled_from([b"", b" ", b"\n", b" \t "])


@given(st.recursive(WORDS, lambda inner: st.lists(inner, max_size=6), max_leaves=30), st.data())
def test_a_list_is_read_the_same_however_it_is_spaced(value: object, data: st.DataObject) -> None:
    def printed(part: object) -> bytes:
        if isinstance(part, bytes):
            return part
        assert isinstance(part, list)
        inside = b",".join(data.draw(BLANKS) + printed(item) + data.draw(BLANKS) for item in part)
        return b"[" + inside + (data.draw(LAST_COMMAS) if part else b"") + b"]"

    def meant(part: object) -> object:
        if isinstance(part, bytes):
            return word(part)
        assert isinstance(part, list)
        return [meant(item) for item in part]

    wanted = meant([value])
    got = Reader(printed([value])).next()
    assert got == wanted
    assert kinds(got) == kinds(wanted)


def kinds(value: object) -> object:
    """Types, since a quoted string equals a bare one."""
    return [kinds(item) for item in value] if isinstance(value, list) else type(value) is Bare
