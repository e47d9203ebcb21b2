"""Typed values: both encodings, and hostile bytes."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator_service.values import (
    DictValue,
    NodesValue,
    SetValue,
    ValueFormatError,
    from_json,
    from_msgpack,
    to_msgpack,
)
from sandbox.inside.values import Decoder, encode

plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.binary()
    | st.complex_numbers(allow_nan=False),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text() | st.integers(), inner, max_size=4)
        | st.sets(st.integers() | st.text(), max_size=4)
        | st.frozensets(st.integers(), max_size=4)
    ),
    max_leaves=20,
)


@given(plain)
def test_what_a_program_returns_comes_back_with_its_types_inside_a_jail(value: Any) -> None:
    read = Decoder().decode(encode(value))
    assert type(read) is type(value)
    assert read == value


@given(plain)
def test_the_judge_reads_every_value_a_program_can_return(value: Any) -> None:
    read = from_msgpack(encode(value))
    if isinstance(value, (set, frozenset)):
        assert isinstance(read, SetValue)
        assert set(read.items) == value
    elif isinstance(value, dict):
        assert isinstance(read, DictValue)
    else:
        assert type(read) is type(value)


@given(st.binary(max_size=200))
def test_hostile_bytes_are_a_value_or_a_format_error(data: bytes) -> None:
    with contextlib.suppress(ValueFormatError):
        from_msgpack(data)


@pytest.mark.parametrize(
    "data",
    [
        b"\x91" * 100_000,
        b"\x92\xc7\x00\x01" * 5_000 + b"\xc0",
        b"\xdd\xff\xff\xff\xff",
        b"\xdf\xff\xff\xff\xff",
        b"\xc6\xff\xff\xff\xff",
        b"\xc7\x01\x09x",
        b"\xc7\x00\x01",
        b"\x92\x01\xc7\x00\x01",
        b"\x01\x02",
        b"",
    ],
    ids=[
        "deep lists", "deep tuples", "huge list", "huge map", "huge bytes", "unknown extension",
        "bare marker", "marker in the middle", "more than one value", "nothing",
    ],
)  # fmt: skip
def test_msgpack_bombs_are_refused(data: bytes) -> None:
    with pytest.raises(ValueFormatError):
        from_msgpack(data)


def test_dicts_with_colliding_keys_are_never_hashed() -> None:
    keys = [n * (2**61 - 1) for n in range(20_000)]  # all hash to 0
    read = from_msgpack(encode([{1: 1}]).replace(b"\x81\x01\x01", to_map(keys)))
    assert isinstance(read, list)


def to_map(keys: list[int]) -> bytes:
    body = b"".join(to_msgpack(key) + b"\x01" for key in keys)
    return b"\xdf" + len(keys).to_bytes(4, "big") + body


@pytest.mark.parametrize(
    ("tagged", "value"),
    [
        ({"$tuple": [1, [2]]}, (1, [2])),
        ({"$set": [1, 1]}, SetValue((1, 1))),
        ({"$float": "inf"}, float("inf")),
        ({"$int": "-12345678901234567890123"}, -12345678901234567890123),
        ({"$bytes": "aGk="}, b"hi"),
        ({"$dict": [[1, "a"], [{"$tuple": [2]}, None]]}, DictValue(((1, "a"), ((2,), None)))),
        ({"$complex": [1, -2]}, 1 - 2j),
        ({"a": 1, "b": [True]}, DictValue((("a", 1), ("b", [True])))),
    ],
    ids=lambda item: json.dumps(item) if isinstance(item, dict) else "",
)
def test_tagged_json_reads_as_typed_values(tagged: Any, value: Any) -> None:
    assert from_json(tagged) == value


@pytest.mark.parametrize(
    "wrong",
    [
        {"$tuple": 1}, {"$float": "x"}, {"$int": "1_0"}, {"$int": "٣"}, {"$bytes": "?"}, {"$dict": [[1]]},
        {"$what": 1}, {"$int": "9" * 200_000},
        {"$complex": [10**400, 0]},
    ],
    ids=lambda wrong: str(wrong)[:20],
)  # fmt: skip
def test_malformed_tags_are_refused_by_name(wrong: Any) -> None:
    with pytest.raises(ValueFormatError, match=r"\$"):
        from_json(wrong)


def test_json_nested_too_deeply_is_refused() -> None:
    nested: Any = 1
    for _ in range(300):
        nested = [nested]
    with pytest.raises(ValueFormatError, match="150 levels"):
        from_json(nested)


def test_linked_lists_and_trees_arrive_as_their_values() -> None:
    from sandbox.inside.nodes import linked_list, tree

    assert from_msgpack(encode(linked_list([1, 2]))) == NodesValue("list", (1, 2))
    assert from_msgpack(encode(tree([1, None, 2]))) == NodesValue("tree", (1, None, 2))


def test_a_ring_of_nodes_is_refused_rather_than_walked_for_ever() -> None:
    from sandbox.inside import nodes

    head = nodes.linked_list([1, 2])
    head.next.next = head
    with pytest.raises(ValueError, match="cycle"):
        encode(head)
