"""Typed values: the data that crosses the wall of a jail as arguments and results.

Owns the value model and its two encodings: JSON with ``$``-tags (what clients send) and msgpack with
marker arrays (what jails read and write). Does not compare values; ``comparison/`` does.

A value is ``None | bool | int | float | complex | str | bytes | list | tuple | SetValue | DictValue``.
Sets and dicts stay lists of their items: hashing hostile integers takes quadratic time, so nothing here
ever hashes what a program returned or a client sent.

=====  ==========================================  =====================================
 ext   msgpack form                                 value
=====  ==========================================  =====================================
 1     ``[Ext(1, b""), *items]``                    tuple
 2, 3  ``[Ext(2|3, b""), *items]``                  set, frozenset
 4     ``Ext(4, two's complement, big-endian)``     int beyond 64 bits
 5     ``Ext(5, two big-endian doubles)``           complex
 6     ``[Ext(6, b""), *items]``                    an iterator, drained (generator, map, range)
 7     ``[Ext(7, b""), *values]``                   a LeetCode ListNode chain
 8     ``[Ext(8, b""), *values]``                   a LeetCode TreeNode, level order, None = no child
=====  ==========================================  =====================================
"""

from __future__ import annotations

import base64
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import msgpack

from sandbox.inside.wire import (
    EXT_BIG_INTEGER,
    EXT_COMPLEX,
    EXT_FROZENSET,
    EXT_ITERATOR,
    EXT_LINKED_LIST,
    EXT_SET,
    EXT_TREE,
    EXT_TUPLE,
)

MAX_DEPTH = 150
"""Deepest nesting of a value, in levels: far above any real test, below what the parser of JSON can read."""


@dataclass(frozen=True, slots=True)
class SetValue:
    """A set or frozenset; ``items`` in the order they arrived, possibly with hostile duplicates."""

    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class DictValue:
    """A dict; ``pairs`` of (key, value) in the order they arrived."""

    pairs: tuple[tuple[Value, Value], ...]


@dataclass(frozen=True, slots=True)
class NodesValue:
    """A linked list (``kind="list"``) or a binary tree in level order (``kind="tree"``)."""

    kind: str
    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class IteratorValue:
    """What a generator or another one-shot iterator yielded."""

    items: tuple[Value, ...]


type Value = (
    bool
    | int
    | float
    | complex
    | str
    | bytes
    | list[Value]
    | tuple[Value, ...]
    | SetValue
    | DictValue
    | NodesValue
    | IteratorValue
    | None
)


class ValueFormatError(ValueError):
    """A value that cannot be read: an unknown tag, a wrong shape, or nesting beyond MAX_DEPTH."""


# --- JSON with tags -------------------------------------------------------------------------------


def from_json(data: Any, *, depth: int = 0) -> Value:
    """Read plain JSON with ``$tuple $set $float $int $bytes $dict $complex`` tags.

    Raises:
        ValueFormatError: If a tag is unknown or malformed, or the nesting is deeper than MAX_DEPTH.
    """
    if depth > MAX_DEPTH:
        raise ValueFormatError(f"nested deeper than {MAX_DEPTH} levels")
    if isinstance(data, list):
        return [from_json(item, depth=depth + 1) for item in data]
    if not isinstance(data, dict):
        return data  # type: ignore[no-any-return]
    if len(data) == 1:
        ((key, content),) = data.items()
        if key.startswith("$"):
            return _tagged(key, content, depth)
    return DictValue(tuple((key, from_json(item, depth=depth + 1)) for key, item in data.items()))


def _tagged(tag: str, content: Any, depth: int) -> Value:
    try:
        match tag:
            case "$tuple":
                return tuple(from_json(item, depth=depth + 1) for item in _sequence(content))
            case "$set":
                return SetValue(
                    tuple(from_json(item, depth=depth + 1) for item in _sequence(content))
                )
            case "$dict":
                return DictValue(
                    tuple(
                        (from_json(key, depth=depth + 1), from_json(item, depth=depth + 1))
                        for key, item in _sequence(content)
                    )
                )
            case "$float":
                return float(_text(content))
            case "$int":
                return _integer(_text(content))
            case "$bytes":
                return base64.b64decode(_text(content), validate=True)
            case "$complex":
                real, imaginary = _sequence(content)
                return complex(float(real), float(imaginary))
    except ValueFormatError:
        raise
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueFormatError(f"{tag} cannot hold {content!r:.60}: {error}") from error
    raise ValueFormatError(
        f'unknown tag {tag!r}; write a dict that really has this key as {{"$dict": [["{tag}", …]]}}'
    )


def _sequence(content: Any) -> list[Any]:
    if not isinstance(content, list):
        raise TypeError("a list is needed")
    return content


def _text(content: Any) -> str:
    if not isinstance(content, str):
        raise TypeError("a string is needed")
    return content


MAX_INTEGER_DIGITS = 100_000
"""Longest decimal integer in a test, in digits (conversion takes quadratic time)."""


def _integer(text: str) -> int:
    if len(text) > MAX_INTEGER_DIGITS:
        raise ValueFormatError(f"$int of more than {MAX_INTEGER_DIGITS} digits")
    negative = text.startswith("-")
    digits = text[1:] if negative else text
    if not (digits.isascii() and digits.isdigit()):
        raise ValueFormatError(f"$int takes decimal digits, not {text!r:.60}")
    value = 0
    for start in range(0, len(digits), 4000):  # below CPython's limit of 4300 digits a conversion
        part = digits[start : start + 4000]
        value = value * 10 ** len(part) + int(part)
    return -value if negative else value


# --- msgpack with markers -------------------------------------------------------------------------

_TUPLE = msgpack.ExtType(EXT_TUPLE, b"")
_SET = msgpack.ExtType(EXT_SET, b"")


def to_msgpack(value: Value) -> bytes:
    """Encode a value for a jail, or for comparing bytes with what a jail returned."""
    return msgpack.packb(  # type: ignore[no-any-return]
        value, default=_pack_other, strict_types=True, unicode_errors="surrogatepass"
    )


def _pack_other(value: Any) -> Any:
    if type(value) is _Key:
        return value.value if type(value.value) in _NATIVE_KEYS else _pack_other(value.value)
    if type(value) is tuple:
        return [_TUPLE, *value]
    if isinstance(value, SetValue):
        _require_hashable(value.items, "set member")
        return [_SET, *value.items]
    if isinstance(value, DictValue):
        _require_hashable([key for key, _ in value.pairs], "dict key")
        return {_Key(key): item for key, item in value.pairs}
    if isinstance(value, int):
        if -(1 << 63) <= value < 1 << 64:  # a key's
            return value
        size = (value.bit_length() + 8) // 8
        return msgpack.ExtType(EXT_BIG_INTEGER, value.to_bytes(size, "big", signed=True))
    if isinstance(value, complex):
        return msgpack.ExtType(EXT_COMPLEX, struct.pack(">dd", value.real, value.imag))
    raise ValueFormatError(f"{type(value).__name__} cannot travel into a jail")


@dataclass(frozen=True, slots=True, eq=False)
class _Key:
    """A dict key on its way out, told from others by its identity alone."""

    value: Value


_NATIVE_KEYS = frozenset({type(None), bool, float, str, bytes})
"""Keys that msgpack writes as they are, whatever their value."""


def _require_hashable(values: Iterable[Value], what: str) -> None:
    """Refuse what no Python set or dict can hold; a set among the members travels as a frozenset."""
    for value in values:
        if isinstance(value, tuple):
            _require_hashable(value, what)
        elif isinstance(value, list | DictValue):
            name = "dict" if isinstance(value, DictValue) else "list"
            raise ValueFormatError(f"a {what} that Python cannot hash: a {name}")


@dataclass(frozen=True, slots=True)
class _Marker:
    code: int


_MARKERS = {
    code: _Marker(code)
    for code in (EXT_TUPLE, EXT_SET, EXT_FROZENSET, EXT_ITERATOR, EXT_LINKED_LIST, EXT_TREE)
}


def from_msgpack(data: bytes) -> Value:
    """Decode what a hostile program wrote as its result.

    Bounded by the size of ``data``; never unpacks within an extension (nested ones would overrun the
    decoder's C stack).

    Raises:
        ValueFormatError: If the bytes are no value.
    """
    try:
        value = msgpack.unpackb(
            data,
            ext_hook=_unpack_extension,
            list_hook=_unpack_list,
            object_pairs_hook=_unpack_map,
            strict_map_key=False,
            unicode_errors="surrogatepass",
        )
        _refuse_markers((value,))
        return value  # type: ignore[no-any-return]
    except ValueFormatError:
        raise
    except (ValueError, TypeError, RecursionError, MemoryError, msgpack.UnpackException) as error:
        raise ValueFormatError(f"not a value: {type(error).__name__}: {error}") from error


def _unpack_extension(code: int, data: bytes) -> Any:
    if not data and code in _MARKERS:
        return _MARKERS[code]
    if code == EXT_BIG_INTEGER:
        return int.from_bytes(data, "big", signed=True)
    if code == EXT_COMPLEX and len(data) == 16:
        return complex(*struct.unpack(">dd", data))
    raise ValueFormatError(f"unknown extension {code}")


def _unpack_list(items: list[Any]) -> Any:
    if not items or type(items[0]) is not _Marker:
        _refuse_markers(items)
        return items
    rest = items[1:]
    _refuse_markers(rest)
    match items[0].code:
        case code if code == EXT_TUPLE:
            return tuple(rest)
        case code if code in (EXT_SET, EXT_FROZENSET):
            return SetValue(tuple(rest))
        case code if code == EXT_ITERATOR:
            return IteratorValue(tuple(rest))
        case code:
            return NodesValue("list" if code == EXT_LINKED_LIST else "tree", tuple(rest))


def _unpack_map(pairs: Iterator[tuple[Any, Any]]) -> DictValue:
    kept = tuple((key, item) for key, item in pairs)
    for pair in kept:
        _refuse_markers(pair)
    return DictValue(kept)


def _refuse_markers(items: Any) -> None:
    for item in items:
        if type(item) is _Marker:
            raise ValueFormatError("a marker outside its place")
