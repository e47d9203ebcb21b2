"""What a fresh pair of eyes got past the comparison, or made it stumble over."""

from __future__ import annotations

import math
import random
import tracemalloc

import pytest
from pydantic import ValidationError

from evaluator_service.comparison import compare_text, compare_values
from evaluator_service.schema import Comparison

MEGABYTE = 1 << 20

WRONG = [
    ("[1, 2]", '"[1, 2]"', {}),
    ("1 2", '"1 2"', {}),
    ("True False", '"True False"', {}),
    ('"1 2"', "1 2", {}),
    ("{1, 1, 2}", "{1, 2}", {}),
    ("{1, 2}", "{1, 2, 2}", {}),
    ("{'a', 'a'}", "{'a'}", {}),
    ("{7, 007}", "{7}", {}),
    ("{1, 1, 2}", "[1, 2]", {"order": "elements"}),
]


@pytest.mark.parametrize(("expected", "actual", "options"), WRONG)
def test_what_only_looks_the_same_is_refused(
    expected: str, actual: str, options: dict[str, str]
) -> None:
    policy = Comparison.model_validate(options)
    assert not compare_text(expected, actual.encode(), policy).matched


RIGHT = [
    ("hello world", '"hello world"', {}),
    ("room 42", '"room 42"', {}),
    ("{1, 2}", "{2, 1}", {}),
    ("None", "null", {"case": "ignore"}),
    ("[None, 1]", "[null,1]", {"case": "ignore"}),
    ("[NONE]", "[None]", {"case": "ignore"}),
]


@pytest.mark.parametrize(("expected", "actual", "options"), RIGHT)
def test_what_is_the_same_is_accepted(expected: str, actual: str, options: dict[str, str]) -> None:
    policy = Comparison.model_validate(options)
    assert compare_text(expected, actual.encode(), policy).matched


@pytest.mark.parametrize("order", ["lines", "elements", "nested"])
@pytest.mark.parametrize("side", [2, 5, 20])
def test_noise_in_one_column_does_not_decide_over_the_next(order: str, side: int) -> None:
    noise = random.Random(side)
    rows = [(x * 0.5, y * 1.0) for x in range(1, side + 1) for y in range(1, side + 1)]
    near = [tuple(value + noise.uniform(-1, 1) * 1e-10 for value in row) for row in rows]
    noise.shuffle(near)
    policy = Comparison.model_validate({"order": order})
    if order == "lines":
        texts = ["\n".join(" ".join(map(repr, row)) for row in some) for some in (rows, near)]
    else:
        texts = [repr(list(map(list, some))) for some in (rows, near)]
        assert compare_values(
            [list(row) for row in rows], [list(row) for row in near], policy
        ).matched
    assert compare_text(texts[0], texts[1].encode(), policy).matched
    wrong = texts[1].replace(texts[1].split()[0].strip("[],"), "7.25", 1)
    assert not compare_text(texts[0], wrong.encode(), policy).matched


@pytest.mark.parametrize("policy", [Comparison(profile="strict"), Comparison(whitespace="strict")])
def test_where_numbers_are_text_their_spelling_is_the_difference(policy: Comparison) -> None:
    assert (
        compare_text("a 1.0", b"a 1.00", policy).detail
        == "line 1, token 2: expected '1.0', got '1.00'"
    )


@pytest.mark.parametrize("order", ["lines", "tokens", "elements", "nested", "tree"])
def test_an_order_cannot_keep_whitespace_strict(order: str) -> None:
    with pytest.raises(ValidationError, match="cannot keep whitespace strict"):
        Comparison.model_validate({"order": order, "whitespace": "strict"})


NAN = math.nan


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (complex(NAN, 1), complex(NAN, 1), True),
        (complex(NAN, 1), complex(7, NAN), False),
        (complex(NAN, 1), complex(NAN, 2), False),
        (complex(NAN, NAN), complex(NAN, NAN), True),
    ],
)
def test_of_complex_numbers_the_parts_are_compared(
    one: complex, other: complex, same: bool
) -> None:
    assert compare_values(one, other, Comparison()).matched is same


@pytest.mark.parametrize("order", ["strict", "elements", "nested", "tree"])
@pytest.mark.parametrize("actual", [b"[]", b"x", b"[1, [2, [3, 'a']]]"])
def test_a_trivial_output_is_refused_without_reading_a_large_expected_one(
    order: str, actual: bytes
) -> None:
    expected = repr([[n, [n / 7, "a"]] for n in range(30_000)])
    policy = Comparison.model_validate({"order": order})
    tracemalloc.start()
    result = compare_text(expected, actual, policy)
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert not result.matched
    assert peak_bytes < 6 * len(expected)


HOSTILE = [
    ("42", b'"' + b"\\u0041" * (16 * MEGABYTE // 6) + b'"', {}),
    ("42", b'"' + b"\\u0041" * (16 * MEGABYTE // 6) + b'"', {"case": "ignore"}),
    ("[42]", b'["' + b"\\u0041" * (16 * MEGABYTE // 6) + b'"]', {"order": "elements"}),
    ("0.5", b"1e308 " * (16 * MEGABYTE // 6), {"order": "lines"}),
    ("42", b"1_0 " * (4 * MEGABYTE), {"order": "lines", "absolute_tolerance": 0.5}),
]


@pytest.mark.parametrize(("expected", "actual", "options"), HOSTILE)
def test_an_enormous_output_is_refused_before_it_is_read(
    expected: str, actual: bytes, options: dict[str, str]
) -> None:
    policy = Comparison.model_validate(options)
    tracemalloc.start()
    result = compare_text(expected, actual, policy)
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert not result.matched
    assert peak_bytes < 6 * len(actual)
