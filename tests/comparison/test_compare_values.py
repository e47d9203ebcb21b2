"""What returned values are equal to, under ``flexible`` and as Python's own ``==``."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator_service.comparison import compare_values
from evaluator_service.comparison.detail import MAX_DETAIL_CHARACTERS, shown
from evaluator_service.schema import Comparison
from evaluator_service.values import DictValue, IteratorValue, NodesValue, SetValue, Value

FLEXIBLE = Comparison()
STRICT = Comparison(profile="strict")
HASH_MODULUS = 2**61 - 1

scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.integers(), st.text(max_size=3),
    st.floats(), st.complex_numbers(), st.binary(max_size=3), st.sampled_from([0.5, 1.0, 2.0]),
)  # fmt: skip
hashables = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=5
)
python_values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.frozensets(hashables, max_size=4),
        st.dictionaries(hashables, inner, max_size=4),
    ),
    max_leaves=12,
)
hostile_values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.lists(inner, max_size=4).map(tuple).map(SetValue),
        st.lists(st.tuples(inner, inner), max_size=4).map(tuple).map(DictValue),
        st.lists(inner, max_size=4).map(tuple).map(IteratorValue),
        st.builds(
            NodesValue, st.sampled_from(["list", "tree"]), st.lists(inner, max_size=3).map(tuple)
        ),
    ),
    max_leaves=12,
)
policies = st.one_of(
    st.builds(
        Comparison,
        absolute_tolerance=st.none() | st.floats(0, 10),
        relative_tolerance=st.none() | st.floats(0, 1),
        order=st.sampled_from(["strict", "elements", "nested", "tree"]),
        case=st.sampled_from(["strict", "ignore"]),
    ),
    st.just(STRICT),
)


def typed(value: Any) -> Value:
    """A Python value as a jail sends it."""
    match value:
        case dict():
            return DictValue(tuple((typed(key), typed(item)) for key, item in value.items()))
        case frozenset():
            return SetValue(tuple(typed(item) for item in value))
        case tuple():
            return tuple(typed(item) for item in value)
        case list():
            return [typed(item) for item in value]
        case _:
            return value  # type: ignore[no-any-return]


def method_of(expected: Value, actual: Value, policy: Comparison = FLEXIBLE) -> str | None:
    """The method that matched, or None."""
    return compare_values(expected, actual, policy).method


@pytest.mark.parametrize(
    ("method", "expected", "actual"),
    [
        ("exact", [1, "a"], [1, "a"]),
        ("exact", SetValue((1, 2)), SetValue((2, 1))),
        ("exact", DictValue((("a", 1), ("b", 2))), DictValue((("b", 2), ("a", 1)))),
        ("exact", [math.nan], [math.nan]),
        ("numeric", [1, 2.0], [1.0, 2]),
        ("numeric", 0.3, 0.1 + 0.2),
        ("numeric", {"x": 1}["x"], 1 + 0j),
        ("numeric", SetValue((0.3, 5)), SetValue((5, 0.1 + 0.2))),
        ("numeric", 10**30 * 1.0, 10**30),
        ("literal", [[1, 2]], ((1, 2),)),
        ("structure", [1, 2], IteratorValue((1, 2))),
        ("structure", [1, 2], NodesValue("list", (1, 2))),
        ("structure", [1, None, 2, None], NodesValue("tree", (1, None, 2))),
    ],
)
def test_the_first_method_that_accepts_is_named(
    method: str, expected: Value, actual: Value
) -> None:
    assert method_of(expected, actual) == method


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        (1, True), (True, 1), (0, False), (False, None), (0, None), ([], None), ("", None), ("1", 1),
        (1, "1"), ("a", b"a"), ("a", "A"), ("a", "a "), (3, [3]), ([3], 3), ([1, 2], [2, 1]),
        ([1, 2], SetValue((1, 2))), (2**53 + 1, float(2**53)), (10**23, 1e23), (10**19 + 1, 10**19),
        (2.0, 2.1), (0.0, 3e-7), (math.inf, 1e308), (math.inf, -math.inf), (None, math.nan), (1, math.nan),
        (1.0, math.nan), (SetValue((1, 2)), SetValue((1, 1))), (SetValue((1,)), SetValue((True,))),
        (DictValue((("a", 1),)), DictValue((("a", 1), ("b", 0)))), (DictValue((("1", 1),)), DictValue(((1, 1),))),
        ([[]], []), (DictValue(()), SetValue(())), ([1, None, 2], NodesValue("tree", (1, 2))),
        (1e308, 10**400), (10**400, 1e308), (1j, 1),
    ],
    ids=shown,
)  # fmt: skip
def test_near_misses_are_refused(expected: Value, actual: Value) -> None:
    assert method_of(expected, actual) is None


@pytest.mark.parametrize(
    ("matches", "expected", "actual", "policy"),
    [
        (True, 10, 10.4, {"absolute_tolerance": 0.5}),
        (False, 10, 10.6, {"absolute_tolerance": 0.5}),
        (True, 10**400, 10**400 + 1, {"absolute_tolerance": 1.0}),
        (False, 10**400, 10**400 + 2, {"absolute_tolerance": 1.0}),
        (True, 10**400, 10**400 + 10**397, {"relative_tolerance": 0.01}),
        (True, ["a"], ["A"], {"case": "ignore"}),
        (True, [1, 2, 2], [2, 1, 2], {"order": "elements"}),
        (False, [1, 2, 2], [2, 1, 1], {"order": "elements"}),
        (True, [1, 2], SetValue((2, 1)), {"order": "elements"}),
        (False, [[1, 2], [3]], [[3], [2, 1]], {"order": "elements"}),
        (True, [[1, 2], [3]], [[3], [2, 1]], {"order": "nested"}),
        (False, [[1, 2], [3]], [[1, 3], [2]], {"order": "nested"}),
        (True, [1, None, 2], [1, None, 2, None, None], {"order": "tree"}),
        (False, [1, None, 2], [1, 2], {"order": "tree"}),
        (True, [], None, {"order": "tree"}),
        (True, [[1.0, 2], [1.00000001, 1]], [[1.0, 1], [1.00000001, 2]], {"absolute_tolerance": 0.1, "order": "elements"}),
    ],
    ids=shown,
)  # fmt: skip
def test_a_policy_frees_what_it_names_and_no_more(
    matches: bool, expected: Value, actual: Value, policy: dict[str, object]
) -> None:
    assert (method_of(expected, actual, Comparison.model_validate(policy)) is not None) is matches


@given(python_values, python_values)
def test_strict_says_what_python_says(one: Any, other: Any) -> None:
    assert compare_values(typed(one), typed(other), STRICT).matched == (one == other)


@given(st.data(), python_values)
def test_strict_says_what_python_says_of_a_retyped_value(data: st.DataObject, value: Any) -> None:
    other = data.draw(
        st.sampled_from([rebuilt(value, kind) for kind in (int, float, bool, tuple, list)])
    )
    if not has_nan(value):
        assert compare_values(typed(value), typed(other), STRICT).matched == (value == other)


def rebuilt(value: Any, kind: type) -> Any:
    """The value with what can be turned into another type turned into it."""
    if isinstance(value, list | tuple):
        items = [rebuilt(item, kind) for item in value]
        return kind(items) if kind in (tuple, list) else type(value)(items)
    if kind in (int, float, bool) and type(value) in (bool, int, float) and abs(value) < 2**60:
        return kind(value)
    return value


def has_nan(value: Any) -> bool:
    """Whether a nan is anywhere within: Python's answer then depends on identity."""
    return "nan" in repr(value)


@pytest.mark.parametrize("drained", [IteratorValue((1, 2)), NodesValue("list", (1, 2))])
def test_strict_takes_no_iterator_or_node_for_anything(drained: Value) -> None:
    assert not compare_values([1, 2], drained, STRICT).matched
    assert not compare_values(drained, drained, STRICT).matched


@given(hostile_values, hostile_values, policies)
def test_comparing_never_raises_and_its_detail_is_bounded_and_printable(
    expected: Value, actual: Value, policy: Comparison
) -> None:
    result = compare_values(expected, actual, policy)
    assert result.matched == (result.method is not None) == (result.detail is None)
    assert len(result.detail or "") <= MAX_DETAIL_CHARACTERS
    assert (result.detail or "").isprintable()


@given(python_values)
def test_every_plain_value_equals_itself_exactly(value: Any) -> None:
    assert compare_values(typed(value), typed(value), FLEXIBLE).method == "exact"


@given(python_values, python_values)
def test_flexible_accepts_no_less_than_equality_without_bools(one: Any, other: Any) -> None:
    strict = compare_values(typed(one), typed(other), STRICT).matched
    if strict and "True" not in repr((one, other)) and "False" not in repr((one, other)):
        assert compare_values(typed(one), typed(other), FLEXIBLE).matched


@given(
    st.lists(st.floats(-1e6, 1e6) | st.integers(), max_size=8), st.randoms(use_true_random=False)
)
def test_shuffled_and_rounded_elements_match_where_order_is_free(
    items: list[Any], random: Any
) -> None:
    shuffled = [item * (1 + 1e-12) if isinstance(item, float) else item for item in items]
    random.shuffle(shuffled)
    assert compare_values(items, shuffled, Comparison(order="elements")).matched


def test_a_sets_hostile_duplicates_collapse() -> None:
    assert method_of(SetValue((1, 2)), SetValue((1, 1, 2))) == "exact"
    assert method_of(SetValue(("a", 2)), SetValue((2, "a", 2))) == "exact"
    assert method_of(SetValue((1, 2)), SetValue((1, 1))) is None


def test_of_a_dicts_hostile_duplicates_the_last_one_stands() -> None:
    forged = DictValue((("a", 1), ("a", 2)))
    assert method_of(DictValue((("a", 2),)), forged) == "exact"
    assert method_of(DictValue((("a", 1),)), forged) is None


def test_strict_takes_a_set_of_bools_for_one_of_integers() -> None:
    integers = SetValue(tuple(range(200)))
    assert compare_values(integers, SetValue((True, 0, *range(2, 200))), STRICT).matched


def test_integers_chosen_to_collide_are_sorted_not_hashed() -> None:
    colliding = tuple(index * HASH_MODULUS for index in range(20_000))
    assert method_of(SetValue(colliding), SetValue(colliding[::-1])) == "exact"


def test_a_value_nested_far_deeper_or_far_larger_is_refused_unread() -> None:
    deep: Value = 1
    for _ in range(1000):
        deep = SetValue((deep,))
    assert method_of([1], deep) is None
    assert method_of([1], [1] * 1_000_000) is None


@pytest.mark.parametrize("order", ["strict", "nested"])
def test_values_of_the_deepest_nesting_allowed_are_compared(order: str) -> None:
    deep: Value = 1
    for _ in range(199):
        deep = SetValue((deep,))
    assert compare_values(deep, deep, Comparison.model_validate({"order": order})).matched


@pytest.mark.parametrize(
    ("expected", "actual", "detail"),
    [
        ([1, [2, 3]], [1, [2, 4]], "at [1][1]: expected 3, got 4"),
        ([1, 2], [1], "expected 2 items, got 1"),
        (1, 10**400, "expected 1, got an integer of 1329 bits"),
        ("a", "\x1b", r"expected 'a', got '\x1b'"),
        (SetValue((1,)), DictValue(((1, 2),)), "expected set {1}, got {1: 2}"),
    ],
)
def test_the_detail_names_the_first_difference(expected: Value, actual: Value, detail: str) -> None:
    assert compare_values(expected, actual, FLEXIBLE).detail == detail
