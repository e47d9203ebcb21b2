"""Equality of nested values under rules: the one walk that printed literals and returned values share.

The rules say what a leaf is equal to, which containers are alike, and where order is free. Sets and dicts
are compared by sorting, never by hashing: integers that a program chose can make hashing quadratic. The
walk goes no deeper than the expected value, but sorting looks at all of the actual one: whoever calls
has bounded its size and depth before (``size_of``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, compress, count, groupby
from operator import ne
from typing import Any

from evaluator_service.comparison.literals import Bare
from evaluator_service.policy import Order
from evaluator_service.values import DictValue, IteratorValue, NodesValue, SetValue

Key = tuple[Any, ...]

LEAF_TYPES: frozenset[type] = frozenset({type(None), bool, int, float, complex, str, bytes, Bare})
"""Types of values with nothing inside. Of one type and ``==``, they are equal under all rules."""

MAX_SEARCH_STEPS_COUNT = 10_000
"""Most comparisons of leaves spent on matching items by search, where sorting pairs them badly."""

_SEQUENCE, _TUPLE, _SET, _DICT, _LEAF = range(10, 15)


@dataclass(frozen=True)
class Rules:
    """What is alike.

    Attributes:
        leaf: Whether two leaves are equal: (expected, actual).
        leaf_key: Where a leaf stands when order is free: its class, then its value within the class.
        coarse_key: The same, where leaves that are near have the same place.
        tuple_is_list: Whether a tuple equals a list with its items.
        drained_is_list: Whether what an iterator yielded, a linked list or a tree equals a plain list.
        sets_keep_duplicates: Whether what stands in a set twice counts twice: in print it is no set.
        order: Where order is free: ``elements`` (outermost container), ``nested`` (every one), else
            nowhere. ``tree``: missing children at the end of a tree count for nothing.
    """

    leaf: Callable[[Any, Any], bool]
    leaf_key: Callable[[Any], Key]
    coarse_key: Callable[[Any], Key] | None = None
    tuple_is_list: bool = True
    drained_is_list: bool = False
    sets_keep_duplicates: bool = False
    order: Order = "strict"

    @cached_property
    def any_order(self) -> bool:
        """Whether the items of the container at hand may come in any order."""
        return self.order in ("elements", "nested")

    @cached_property
    def inside(self) -> Rules:
        """The rules for what is inside the container at hand."""
        return replace(self, order="strict") if self.order == "elements" else self


def same(expected: Any, actual: Any, rules: Rules) -> bool:
    """Whether two values are equal under the rules."""
    kind, items = opened(expected, rules)
    other_kind, others = opened(actual, rules)
    if kind != other_kind:
        return False
    if kind == _LEAF:
        return rules.leaf(expected, actual)
    if kind == _DICT:
        return _same_dicts(items, others, rules.inside)
    if kind == _SET or rules.any_order:
        if _same_words(items, others):
            return True
        items, others = _members(expected, items, rules), _members(actual, others, rules)
        return _same_in_any_order(items, others, rules.inside)
    if rules.order == "tree" or _is_tree(expected) or _is_tree(actual):
        items, others = _trimmed(items), _trimmed(others)
    return _same_in_order(items, others, rules.inside)


def opened(value: Any, rules: Rules) -> tuple[int, Sequence[Any]]:
    """Which kind of container a value is under the rules, and what is in it."""
    if isinstance(value, list):
        return _SEQUENCE, value
    if isinstance(value, tuple):
        return (_SEQUENCE if rules.tuple_is_list else _TUPLE), value
    if isinstance(value, SetValue):
        return (_SEQUENCE if rules.any_order else _SET), value.items
    if isinstance(value, DictValue):
        return _DICT, value.pairs
    if isinstance(value, IteratorValue | NodesValue) and rules.drained_is_list:
        return _SEQUENCE, value.items
    return _LEAF, ()


def _same_words(expected: Sequence[Any], actual: Sequence[Any]) -> bool:
    """Whether two containers hold the same words as they were written: most right answers, without sorting.

    Hashing text is safe: unlike that of integers, its hash is a secret of this process.
    """
    return (
        len(expected) == len(actual)
        and {Bare}.issuperset(map(type, expected))
        and {Bare}.issuperset(map(type, actual))
        and Counter(expected) == Counter(actual)
    )


def _members(value: Any, items: Sequence[Any], rules: Rules) -> Sequence[Any]:
    if not isinstance(value, SetValue) or rules.sets_keep_duplicates:
        return items
    return _unique(items, rules.inside)


def _is_tree(value: Any) -> bool:
    return isinstance(value, NodesValue) and value.kind == "tree"


def _trimmed(items: Sequence[Any]) -> Sequence[Any]:
    """Level order without the missing children at its end."""
    end = len(items)
    while end and items[end - 1] is None:
        end -= 1
    return items[:end]


def _same_in_order(expected: Sequence[Any], actual: Sequence[Any], rules: Rules) -> bool:
    return len(expected) == len(actual) and first_apart(expected, actual, rules) is None


def first_apart(expected: Sequence[Any], actual: Sequence[Any], rules: Rules) -> int | None:
    """The index of the first of two equally many items that are not the same."""
    types = list(map(type, expected))
    if LEAF_TYPES.issuperset(types) and types == list(map(type, actual)):
        for index in compress(count(), map(ne, expected, actual)):
            if not rules.leaf(expected[index], actual[index]):
                return index
        return None
    for index, (wanted, got) in enumerate(zip(expected, actual, strict=True)):
        if not same(wanted, got, rules):
            return index
    return None


def _same_in_any_order(expected: Sequence[Any], actual: Sequence[Any], rules: Rules) -> bool:
    """Whether the items pair up. Multiplicity counts.

    Sorted items are paired first. Within a tolerance that can pair rows of numbers badly, so a few short
    rows are also matched by search.
    """
    if len(expected) != len(actual):
        return False
    if _same_in_order(_sorted(expected, rules), _sorted(actual, rules), rules):
        return True
    if rules.coarse_key is not None:
        rough = replace(rules, leaf_key=rules.coarse_key)
        if _same_in_order(_sorted(expected, rough), _sorted(actual, rough), rules):
            return True
    return _few_flat_rows(expected) and _matched(expected, actual, rules)


def _few_flat_rows(items: Sequence[Any]) -> bool:
    rows = [_contents(item) for item in items]
    leaves_count = sum(1 + len(row) for row in rows)
    return len(items) * leaves_count <= MAX_SEARCH_STEPS_COUNT and all(
        LEAF_TYPES.issuperset(map(type, row)) for row in rows
    )


def _matched(expected: Sequence[Any], actual: Sequence[Any], rules: Rules) -> bool:
    """Whether a perfect matching exists: every expected item looks for a partner (Kuhn's algorithm)."""
    fitting = [
        [index for index, got in enumerate(actual) if same(wanted, got, rules)]
        for wanted in expected
    ]
    partner_of: dict[int, int] = {}

    def finds_partner(wanted: int, seen: set[int]) -> bool:
        for index in fitting[wanted]:
            if index in seen:
                continue
            seen.add(index)
            if index not in partner_of or finds_partner(partner_of[index], seen):
                partner_of[index] = wanted
                return True
        return False

    return all(fitting) and all(finds_partner(wanted, set()) for wanted in range(len(expected)))


def _same_dicts(
    expected: Sequence[tuple[Any, Any]], actual: Sequence[tuple[Any, Any]], rules: Rules
) -> bool:
    wanted, got = _by_key(expected, rules), _by_key(actual, rules)
    return all(
        _same_in_order([entry[part] for entry in wanted], [entry[part] for entry in got], rules)
        for part in (1, 2)
    )


def _by_key(pairs: Sequence[tuple[Any, Any]], rules: Rules) -> list[tuple[Key, Any, Any]]:
    """(place, key, value) sorted; of equal keys the last one stands, as when Python builds a dict."""
    keyed = [(key_of(key, rules), key, value) for key, value in pairs]
    keyed.sort(key=_first)
    return [
        entry
        for index, entry in enumerate(keyed)
        if index + 1 == len(keyed) or keyed[index + 1][0] != entry[0]
    ]


def _unique(items: Sequence[Any], rules: Rules) -> list[Any]:
    """The items sorted, equal ones once: only a forged set holds any twice."""
    if {int}.issuperset(map(type, items)):
        return [item for item, _ in groupby(sorted(items))]
    keyed = [(key_of(item, rules), item) for item in items]
    keyed.sort(key=_first)
    return [
        item
        for index, (place, item) in enumerate(keyed)
        if index == 0 or keyed[index - 1][0] != place
    ]


def _first(keyed: tuple[Any, ...]) -> Any:
    return keyed[0]


def _sorted(items: Sequence[Any], rules: Rules) -> list[Any]:
    if {int}.issuperset(map(type, items)):
        return sorted(items)
    keyed = [(key_of(item, rules), item) for item in items]
    keyed.sort(key=_first)
    return [item for _, item in keyed]


def key_of(value: Any, rules: Rules) -> Key:
    """A place in one total order over all values: what is exactly equal under the rules has equal keys."""
    kind, items = opened(value, rules)
    if kind == _LEAF:
        return rules.leaf_key(value)
    inside = rules.inside
    if kind == _DICT:
        entries = _by_key(items, inside)
        return kind, tuple([(place, key_of(item, inside)) for place, _, item in entries])
    keys = [key_of(item, inside) for item in items]
    if isinstance(value, SetValue):
        keys = [place for place, _ in groupby(sorted(keys))]
    elif rules.any_order:
        keys.sort()
    return kind, tuple(keys)


@dataclass(frozen=True, slots=True)
class Size:
    """How many values a value is made of (itself and a dict's keys included), and how deep it goes."""

    nodes_count: int
    levels_count: int


def size_of(value: Any, limit: Size | None = None) -> Size | None:
    """The size of a value, or None as soon as it is larger or deeper than ``limit``."""
    nodes_count, levels_count, level = 1, 0, [value]
    while level:
        levels_count += 1
        below: list[Any] = []
        for container in level:
            nodes_count += _width(container)
            if limit and (nodes_count > limit.nodes_count or levels_count > limit.levels_count):
                return None
            items = _contents(container)
            if not LEAF_TYPES.issuperset(map(type, items)):
                below.extend(items)
        level = below
    return Size(nodes_count, levels_count)


def _width(value: Any) -> int:
    if isinstance(value, DictValue):
        return 2 * len(value.pairs)
    return len(_contents(value))


def _contents(value: Any) -> Sequence[Any]:
    if isinstance(value, list | tuple):
        return value
    if isinstance(value, SetValue | NodesValue | IteratorValue):
        return value.items
    if isinstance(value, DictValue):
        return list(chain.from_iterable(value.pairs))
    return ()
