"""Outputs as bytes, and the three methods that need no more than that: exact, whitespace, tokens.

Text stays bytes from end to end. Only ASCII blanks separate tokens (a no-break space is a character),
and bytes that are no UTF-8 equal no expected text. Everything here runs at the speed of C and takes
time linear in the size of the output.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from evaluator_service.schema import Comparison

BLANKS = b" \t\r\n\v\f"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_NONE = re.compile(rb"(?<![0-9a-z_\x80-\xff])none(?![0-9a-z_\x80-\xff])")
_TO_SPACE = bytes.maketrans(b"\t\r\v\f", b"    ")
_TO_LAYOUT = bytes(byte if byte in BLANKS else ord("x") for byte in range(256))


@dataclass(frozen=True)
class Text:
    """One output, with the views of it that methods share, each made once and only if asked for."""

    raw: bytes
    findings: dict[object, object] = field(default_factory=dict, compare=False, repr=False)
    """What methods found out about it, for those that ask again."""

    @cached_property
    def lines(self) -> bytes:
        r"""Its lines without blank ones; one space between tokens, none at the ends, ``\n`` between lines."""
        text = _squeezed(self.raw.translate(_TO_SPACE), b" ")
        text = text.replace(b" \n", b"\n").replace(b"\n ", b"\n")
        return _squeezed(text, b"\n").strip(b" \n")

    @cached_property
    def lines_count(self) -> int:
        """How many lines it has that are not blank."""
        return self.lines.count(b"\n") + 1 if self.lines else 0

    @cached_property
    def tokens(self) -> bytes:
        """Its tokens with one space between them; a byte here is the byte at the same place in ``lines``."""
        return self.lines.replace(b"\n", b" ")

    @cached_property
    def tokens_count(self) -> int:
        """How many tokens it has."""
        return self.tokens.count(b" ") + 1 if self.tokens else 0

    @cached_property
    def characters(self) -> str:
        """It decoded; a byte that is no UTF-8 becomes a character that stands for nothing else."""
        return self.raw.decode("utf-8", "surrogateescape")

    @cached_property
    def filled_lines(self) -> list[str]:
        """Its lines that are not empty, as Python splits them."""
        text = _squeezed(self.raw, b"\n").decode("utf-8", "surrogateescape")
        return [line for line in text.splitlines() if line]

    @cached_property
    def blanks(self) -> bytes:
        """Its blanks exactly, with every token shrunk to one ``x``."""
        return _squeezed(self.raw.translate(_TO_LAYOUT), b"x")

    @cached_property
    def layout(self) -> bytes:
        """Its blanks exactly, but for one final line end, with every token shrunk to one ``x``."""
        return without_final_line_end(self.blanks)


def _squeezed(text: bytes, byte: bytes) -> bytes:
    """Every run of ``byte`` as a single one. Each round halves the runs, so the work is linear."""
    while byte * 2 in text:
        text = text.replace(byte * 2, byte)
    return text


def without_final_line_end(raw: bytes) -> bytes:
    r"""The text without one ``\n`` or ``\r\n`` at its very end."""
    return raw[:-2] if raw.endswith(b"\r\n") else raw.removesuffix(b"\n")


def views(expected: str, actual: bytes, policy: Comparison) -> tuple[Text, Text]:
    """Both outputs, ready for the methods: a byte-order mark in the expected one dropped, case folded.

    A byte-order mark there tells how the answer was saved. One that only the program wrote is output.
    Case folding is ``str.lower``: letter case alone, so the German sharp s stays another letter.
    """
    wanted = encoded(expected)
    if wanted.startswith(BYTE_ORDER_MARK):
        wanted, actual = (text.removeprefix(BYTE_ORDER_MARK) for text in (wanted, actual))
    if policy.case == "ignore":
        wanted, actual = folded(wanted), folded(actual)
    return Text(wanted), Text(actual)


def encoded(text: str) -> bytes:
    """Expected text as the bytes that a program printing it writes; lone surrogates do not raise."""
    return text.encode("utf-8", "surrogatepass")


def folded(text: bytes) -> bytes:
    """The text in lower case, ASCII letters alone where it is no UTF-8; Python's None as JSON's null.

    In lower case it would be no keyword any more.
    """
    try:
        lower = text.lower() if text.isascii() else text.decode().lower().encode()
    except UnicodeDecodeError:
        lower = text.lower()
    return _NONE.sub(b"null", lower) if b"none" in lower else lower


def exact(expected: Text, actual: Text, _policy: Comparison) -> bool:
    """Accepts the same bytes (the same up to letter case where the policy ignores case)."""
    return expected.raw == actual.raw


def trailing(expected: Text, actual: Text, policy: Comparison) -> bool:
    """Accepts other blanks at the very end of the text, and nothing else.

    Where the policy keeps whitespace strict, only one final line end may be there or not: the blanks
    before it may belong to a picture.
    """
    if policy.whitespace == "strict":
        return without_final_line_end(expected.raw) == without_final_line_end(actual.raw)
    return expected.raw.rstrip(BLANKS) == actual.raw.rstrip(BLANKS)


def whitespace(expected: Text, actual: Text, policy: Comparison) -> bool:
    """Accepts the same tokens on the same lines.

    Indentation, runs of blanks, CRLF, and blank lines carry nothing. Tokens moved to another line are
    refused. Where the policy keeps whitespace strict, this is ``trailing``.
    """
    if policy.whitespace == "strict":
        return trailing(expected, actual, policy)
    return expected.lines == actual.lines


def tokens(expected: Text, actual: Text, policy: Comparison) -> bool:
    """Accepts the same tokens in the same order, whatever lines they stand on.

    Never joins or splits tokens: ``12`` is not ``1 2``. Refuses everything where whitespace is strict,
    for then the line that a token stands on counts.
    """
    return policy.whitespace == "flexible" and expected.tokens == actual.tokens
