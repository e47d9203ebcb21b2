"""Reads Python and JSON values out of hostile text: bounded, iterative, never evaluating anything.

What it reads: lists ``[…]``, tuples ``(…)`` (one element needs its comma, as in Python), sets and dicts
``{…}``, quoted strings with the escapes of both languages, ``True/true``, ``False/false``, ``None/null``,
numbers and bare words. A trailing comma is fine. Numbers stay text (``Bare``), so no long integer is ever
converted. Nothing is hashed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from evaluator_service.comparison.text import BLANKS
from evaluator_service.values import MAX_DEPTH, DictValue, SetValue


class Bare(bytes):
    """A number or a word without quotes, as it was written."""

    __slots__ = ()


type Literal = (
    bool | Bare | bytes | list[Literal] | tuple[Literal, ...] | SetValue | DictValue | None
)

KEYWORDS: Mapping[bytes, bool | None] = {
    b"True": True, b"true": True, b"False": False, b"false": False, b"None": None, b"null": None,
}  # fmt: skip


class Unreadable(ValueError):
    """The text is no value, nested too deeply, or larger than what it could equal."""


# Possessive repeats (`*+`) keep no way back: a 16 MB string costs no stack.
_STRING = rb"""(?P<string>"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+')"""
_WORD = rb"""[^ \t\r\n\v\f\[\](){},:"'][^ \t\r\n\v\f\[\](){},:]*+"""
_AT_TOP = re.compile(
    rb"[ \t\r\n\v\f]*+(?:" + _STRING + rb"(?![^ \t\r\n\v\f])|(?P<open>[\[({])"
    rb"|(?P<word>[^ \t\r\n\v\f\[({]++))"
)
_INSIDE = re.compile(
    rb"[ \t\r\n\v\f]*+(?:(?P<mark>[\[\](){},:])|" + _STRING + rb"|(?P<word>" + _WORD + rb"))"
)
_WORDS = re.compile(rb"(?:[ \t\r\n\v\f]*+" + _WORD + rb"[ \t\r\n\v\f]*+,)++")
_CLOSES = {b"]": b"[", b")": b"(", b"}": b"{"}


@dataclass(slots=True)
class Reader:
    """Reads one value after another from a text.

    At the top, values stand side by side: a bracket or a quote begins one, any other run of characters is
    a word, commas and all. Within brackets, commas separate.
    """

    text: bytes
    position: int = 0
    string_limit: int | None = None
    """A quoted string of more bytes is refused unread: it cannot be equal."""
    nodes_count: int = field(default=0, init=False)

    def next(self, nodes_limit: int | None = None) -> Literal:
        """The next value; sets ``nodes_count`` to how many values it is made of.

        Args:
            nodes_limit: Stop reading at more than so many values: a larger one cannot be equal.

        Raises:
            EOFError: If nothing is left.
            Unreadable: If brackets do not fit, or a limit is passed.
        """
        self.nodes_count = 1
        found = _AT_TOP.match(self.text, self.position)
        if found is None:
            raise EOFError
        if found["open"]:
            self.position = found.end() - 1
            return self._container(nodes_limit)
        self.position = found.end()
        return self._leaf(found)

    def _leaf(self, found: re.Match[bytes]) -> Literal:
        string = found["string"]
        if not string:
            return word(found["word"])
        if self.string_limit is not None and len(string) > self.string_limit:
            raise Unreadable("a string longer than what it could equal")
        return unquoted(string)

    def _container(self, nodes_limit: int | None) -> Literal:
        stack: list[_Open] = []
        while True:
            if stack and stack[-1].last == b",":
                self._read_words(stack[-1], nodes_limit)
            found = _INSIDE.match(self.text, self.position)
            if found is None:
                raise Unreadable("ends inside brackets")
            self.position = found.end()
            mark, value = found["mark"], None
            if mark in (b"[", b"(", b"{"):
                stack.append(_Open(mark))
                if len(stack) > MAX_DEPTH:
                    raise Unreadable("nested too deeply")
                continue
            if mark in _CLOSES:
                value = stack.pop().closed(mark)
                if not stack:
                    return value
            elif mark is None:
                value = self._leaf(found)
            else:
                stack[-1].separate(mark)
                continue
            stack[-1].add(value)
            self._count(1, nodes_limit)

    def _read_words(self, container: _Open, nodes_limit: int | None) -> None:
        """Read words each of which has its comma, all at once: in long lists ten times quicker."""
        found = _WORDS.match(self.text, self.position)
        if found is None:
            return
        self._count(self.text.count(b",", *found.span()), nodes_limit)
        self.position = found.end()
        container.items.extend(word(part.strip(BLANKS)) for part in found[0].split(b",")[:-1])

    def _count(self, nodes_count: int, nodes_limit: int | None) -> None:
        self.nodes_count += nodes_count
        if nodes_limit is not None and self.nodes_count > nodes_limit:
            raise Unreadable("larger than what it could equal")


@dataclass(slots=True)
class _Open:
    """A container whose end has not been read yet."""

    bracket: bytes
    items: list[Literal] = field(default_factory=list)
    keys: list[Literal] = field(default_factory=list)
    last: bytes = b","  # what was read last: `,`, `:` or `v` for a value

    def add(self, value: Literal) -> None:
        if self.last == b"v":
            raise Unreadable("a comma is missing")
        self.items.append(value)
        self.last = b"v"

    def separate(self, mark: bytes) -> None:
        if self.last != b"v":
            raise Unreadable("a value is missing")
        if mark == b":":
            if self.bracket != b"{" or len(self.keys) != len(self.items) - 1:
                raise Unreadable("a colon outside its place")
            self.keys.append(self.items.pop())
        elif self.keys and len(self.keys) != len(self.items):
            raise Unreadable("a key without its value")
        self.last = mark

    def closed(self, mark: bytes) -> Literal:
        if _CLOSES[mark] != self.bracket or self.last == b":":
            raise Unreadable("brackets do not fit")
        if self.bracket == b"[":
            return self.items
        if self.bracket == b"(":
            if len(self.items) == 1 and self.last != b",":
                raise Unreadable("parentheses around one value make no tuple")
            return tuple(self.items)
        if self.items and not self.keys:
            return SetValue(tuple(self.items))  # type: ignore[arg-type]
        if len(self.keys) != len(self.items):
            raise Unreadable("a key without its value")
        return DictValue(tuple(zip(self.keys, self.items, strict=True)))  # type: ignore[arg-type]


def word(text: bytes) -> Literal:
    """A keyword as its value, any other word or number as it stands."""
    return KEYWORDS[text] if text in KEYWORDS else Bare(text)


_ESCAPE = re.compile(
    rb"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"
    rb"|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|U([0-9a-fA-F]{8})|(.))"
)
_ESCAPED = {
    b"n": b"\n", b"t": b"\t", b"r": b"\r", b"b": b"\b", b"f": b"\f", b"v": b"\v", b"a": b"\a", b"0": b"\0",
    b"\\": b"\\", b"'": b"'", b'"': b'"', b"/": b"/",
}  # fmt: skip


def unquoted(literal: bytes) -> bytes:
    """The content of a quoted string, as UTF-8; an unknown escape stays as written, as in Python."""
    content = literal[1:-1]
    return _ESCAPE.sub(_unescaped, content) if b"\\" in content else content


def _unescaped(escape: re.Match[bytes]) -> bytes:
    high, low, four, two, eight, one = escape.groups()
    if one is not None:
        return _ESCAPED.get(one, escape[0])
    if high is not None:
        code = 0x10000 + ((int(high, 16) & 0x3FF) << 10) + (int(low, 16) & 0x3FF)
    else:
        code = int(four or two or eight, 16)
    return chr(code).encode("utf-8", "surrogatepass") if code <= 0x10FFFF else escape[0]
