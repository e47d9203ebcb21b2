"""What a program returns, as plain typed data; and arguments back from it.

The encoding is that of ``evaluator_service.values``. Nothing here needs to be trusted: the worst that a
program can do to its own process is to claim another return value.
"""

from __future__ import annotations

import builtins
import collections
import collections.abc
import struct
from typing import Any

import msgpack

from . import nodes
from .wire import (
    EXT_BIG_INTEGER,
    EXT_BUILTIN_TYPE,
    EXT_COMPLEX,
    EXT_FROZENSET,
    EXT_ITERATOR,
    EXT_LINKED_LIST,
    EXT_SET,
    EXT_TREE,
    EXT_TUPLE,
)

_TUPLE = msgpack.ExtType(EXT_TUPLE, b"")
_SET = msgpack.ExtType(EXT_SET, b"")
_FROZENSET = msgpack.ExtType(EXT_FROZENSET, b"")
_ITERATOR = msgpack.ExtType(EXT_ITERATOR, b"")
_LINKED_LIST = msgpack.ExtType(EXT_LINKED_LIST, b"")
_TREE = msgpack.ExtType(EXT_TREE, b"")


def encode(value: Any) -> bytes:
    """Encode what a function returned.

    Raises:
        TypeError: If it, or something in it, is no plain data; the message names the type.
        ValueError: If it is nested too deeply, or in itself.
    """
    try:
        return msgpack.packb(  # type: ignore[no-any-return]
            value, default=plain, strict_types=True, unicode_errors="surrogatepass"
        )
    except RecursionError:
        raise ValueError("the value is nested too deeply, or within itself") from None


def plain(value: Any) -> Any:
    """What msgpack is to write instead of a value it does not know."""
    kind = type(value)
    if kind is tuple:
        return [_TUPLE, *value]
    if kind is set:
        return [_SET, *value]
    if kind is frozenset:
        return [_FROZENSET, *value]
    if kind is int:
        size = (value.bit_length() + 8) // 8
        return msgpack.ExtType(EXT_BIG_INTEGER, value.to_bytes(size, "big", signed=True))
    if kind is complex:
        return msgpack.ExtType(EXT_COMPLEX, struct.pack(">dd", value.real, value.imag))
    if kind is type and _is_builtin(value):
        return msgpack.ExtType(EXT_BUILTIN_TYPE, value.__name__.encode())
    if kind is _Marker:
        raise ValueError("a marker outside its place")
    if nodes.is_list_node(value):
        return [_LINKED_LIST, *nodes.values_of_linked_list(value)]
    if nodes.is_tree_node(value):
        return [_TREE, *nodes.values_of_tree(value)]
    return _natively(_of_subclass(value))


def _is_builtin(kind: type) -> bool:
    return getattr(builtins, kind.__name__, None) is kind


def _natively(value: Any) -> Any:
    """Convert once more: msgpack asks once for each value, and knows neither tuple, set, complex nor a long integer."""
    is_long = type(value) is int and not -(1 << 63) <= value < 1 << 64
    return plain(value) if is_long or type(value) in (tuple, set, frozenset, complex) else value


_BASES: tuple[tuple[Any, Any], ...] = (
    (bool, bool),
    (int, int),
    (float, float),
    (complex, complex),
    (str, str),
    ((bytes, bytearray, memoryview), bytes),
    (dict, dict),
    ((list, collections.deque), list),
    (tuple, tuple),
    (set, set),
    (frozenset, frozenset),
)


_DRAINED = (
    collections.abc.Iterator,
    collections.abc.KeysView,
    collections.abc.ValuesView,
    collections.abc.ItemsView,
    range,
)


def _of_subclass(value: Any) -> Any:
    for kinds, base in _BASES:
        if isinstance(value, kinds):
            return base(value)
    if hasattr(value, "tolist"):  # numpy's scalars and arrays
        return value.tolist()
    if isinstance(value, _DRAINED):
        return [_ITERATOR, *value]
    number = _of_exact_number(value)
    if number is not None:
        return number
    raise TypeError(f"a value of type {type(value).__name__} cannot be compared from outside")


def _of_exact_number(value: Any) -> int | float | None:
    """A Decimal or Fraction as the int or float that equals it exactly, if one does."""
    if type(value).__name__ not in ("Decimal", "Fraction"):
        return None
    for kind in (int, float):
        try:
            converted = kind(value)
        except (OverflowError, ValueError):
            continue
        if converted == value:
            return converted
    return None


class _Marker:
    def __init__(self, code: int) -> None:
        self.code = code


_MARKERS = {
    code: _Marker(code)
    for code in (EXT_TUPLE, EXT_SET, EXT_FROZENSET, EXT_ITERATOR, EXT_LINKED_LIST, EXT_TREE)
}


class Decoder:
    """Decodes arguments and results into Python's own types.

    Args:
        list_node: Class to build linked lists of.
        tree_node: Class to build trees of.
    """

    def __init__(self, list_node: Any = nodes.ListNode, tree_node: Any = nodes.TreeNode) -> None:
        self._list_node = list_node
        self._tree_node = tree_node

    def decode(self, data: bytes) -> Any:
        """Decode one value.

        Raises:
            ValueError: If the bytes are no value.
            TypeError: If a key cannot be hashed.
        """
        return msgpack.unpackb(
            data,
            ext_hook=_extension,
            list_hook=self._list,
            strict_map_key=False,
            unicode_errors="surrogatepass",
        )

    def _list(self, items: list[Any]) -> Any:
        if not items or type(items[0]) is not _Marker:
            return items
        rest = items[1:]
        match items[0].code:
            case 1:
                return tuple(rest)
            case 2:
                return set(_hashable(rest))
            case 3:
                return frozenset(_hashable(rest))
            case 6:
                return iter(rest)
            case 7:
                return nodes.linked_list(rest, self._list_node)
            case _:
                return nodes.tree(rest, self._tree_node)


def _hashable(members: list[Any]) -> list[Any]:
    """A set within a set can only be a frozen one, however it was written."""
    return [frozenset(member) if type(member) is set else member for member in members]


def _extension(code: int, data: bytes) -> Any:
    if not data and code in _MARKERS:
        return _MARKERS[code]
    if code == EXT_BIG_INTEGER:
        return int.from_bytes(data, "big", signed=True)
    if code == EXT_COMPLEX:
        return complex(*struct.unpack(">dd", data))
    if code == EXT_BUILTIN_TYPE and isinstance(
        kind := getattr(builtins, data.decode(), None), type
    ):
        return kind
    raise ValueError(f"unknown extension {code}")
