"""Fuzzes the comparison of outputs: ``make fuzz``, or ``python tests/fuzz/compare.py -max_total_time=600``.

Looks for three things: an exception, a comparison that takes seconds, and an unsound accept. The last is told
by a reading of its own, much coarser than the comparators': whatever ``flexible`` accepts has the same words,
numbers by value, in the same number, and where nothing is unordered in the same order.
"""

from __future__ import annotations

import re
import sys
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from typing import Any

import atheris

with atheris.instrument_imports(include=["evaluator_service.comparison"]):
    from evaluator_service.comparison import compare_text

from evaluator_service.profiles import TRAITS
from evaluator_service.schema import Comparison

_POLICIES = [
    Comparison(),
    Comparison(whitespace="strict"),
    Comparison(case="ignore"),
    Comparison(order="lines"),
    Comparison(order="tokens"),
    Comparison(order="elements"),
    Comparison(order="nested"),
    Comparison(order="tree"),
    Comparison(absolute_tolerance=0.5),
    Comparison(relative_tolerance=0.01),
    Comparison(profile="strict"),
    *(Comparison(profile=name) for name, traits in TRAITS.items() if "texts" in traits.outputs),
]
_WORDS = (
    b"0 1 -1 12 007 1.0 1.5 .5 -0.0 1e3 1e-06 1e+20 1e308 1e999 nan inf -inf 1_000 0x10 +3 "
    b"[ ] ( ) { } , : ' \" True true False None null YES no ab \\n \\x62 \xc3\xa9 \xff"
)
_BLANKS = [b" ", b"\n", b"\t", b"\r\n", b"  ", b"\n\n", b"\xef\xbb\xbf"]
_PIECES = [*_WORDS.split(), *_BLANKS]

_WORD = re.compile(rb"[^ \t\r\n\v\f\[\](){},:\"']+")
_NUMBER = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_CONTEXT = Context(prec=400, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
_KEYWORDS = {b"True": b"true", b"False": b"false", b"None": b"null"}


def _text(data: Any) -> bytes:
    """A text made of pieces that mean something, or of any bytes."""
    if data.ConsumeBool():
        return b"".join(
            _PIECES[data.ConsumeIntInRange(0, len(_PIECES) - 1)]
            for _ in range(data.ConsumeIntInRange(0, 40))
        )
    return bytes(data.ConsumeBytes(data.ConsumeIntInRange(0, 200)))


def _changed(text: bytes, data: Any) -> bytes:
    """Another text near it: a wrong accept needs two that are alike."""
    for _ in range(data.ConsumeIntInRange(0, 3)):
        place = data.ConsumeIntInRange(0, len(text))
        piece = _PIECES[data.ConsumeIntInRange(0, len(_PIECES) - 1)]
        text = text[:place] + piece + text[place + data.ConsumeIntInRange(0, 3) :]
    return text


def _words(text: bytes, policy: Comparison) -> list[bytes | Decimal]:
    text = text.removeprefix(b"\xef\xbb\xbf")
    if policy.case == "ignore":
        text = text.lower()
    words = [_KEYWORDS.get(word, word) for word in _WORD.findall(text)]
    return [_value(word) for word in words]


def _value(word: bytes) -> bytes | Decimal:
    """A decimal as its value; integers are words, exact at any size."""
    if _NUMBER.fullmatch(word) and not word.strip(b"+-").isdigit():
        value = _CONTEXT.create_decimal(word.decode())
        return value if value.is_finite() else word
    return word


def _as_number(word: bytes | Decimal) -> Decimal | None:
    if isinstance(word, Decimal):
        return word
    return _CONTEXT.create_decimal(word.decode()) if _NUMBER.fullmatch(word) else None


def _alike(one: bytes | Decimal, other: bytes | Decimal, policy: Comparison) -> bool:
    if one == other:
        return True
    wanted, got = _as_number(one), _as_number(other)
    if wanted is None or got is None:
        return False
    absolute = max(policy.absolute_tolerance or 0.0, 2e-6)
    relative = max(policy.relative_tolerance or 0.0, 2e-9)
    gap = _CONTEXT.abs(_CONTEXT.subtract(wanted, got))
    return gap <= max(Decimal(absolute), _CONTEXT.multiply(Decimal(relative), abs(wanted)))


def _order_key(word: bytes | Decimal) -> tuple[int, Decimal, bytes]:
    value = _as_number(word)
    return (1, Decimal(), bytes(word)) if value is None else (0, value, b"")  # type: ignore[arg-type]


def check(expected: bytes, actual: bytes, policy: Comparison) -> None:
    """Compare, and see that what is accepted may be."""
    result = compare_text(expected.decode("utf-8", "replace"), actual, policy)
    assert result.matched == (result.method is not None)
    assert result.detail is None or (len(result.detail) <= 200 and result.detail.isprintable())
    if policy.profile not in ("flexible", "strict"):
        return  # a peer accepts what it accepts
    if expected.isascii():
        assert compare_text(expected.decode(), expected, policy).matched, "not equal to itself"
    both = expected + actual
    if not result.matched or not both.isascii() or b"\\" in both or b"{" in both:
        return  # escapes, and keys that stand twice, are not for so coarse a reading
    wanted, got = _words(expected, policy), _words(actual, policy)
    if policy.order == "tree":  # missing children count for nothing
        wanted, got = ([w for w in words if w != b"null"] for words in (wanted, got))
    if policy.order != "strict":
        wanted, got = sorted(wanted, key=_order_key), sorted(got, key=_order_key)
    assert len(wanted) == len(got), f"{result.method}: {wanted} against {got}"
    for one, other in zip(wanted, got, strict=True):
        assert _alike(one, other, policy), f"{result.method}: {one!r} against {other!r}"


def fuzz_one(raw: bytes) -> None:
    """One input of the fuzzer."""
    data = atheris.FuzzedDataProvider(raw)
    policy = _POLICIES[data.ConsumeIntInRange(0, len(_POLICIES) - 1)]
    expected = _text(data)
    actual = _changed(expected, data) if data.ConsumeBool() else _text(data)
    check(expected, actual, policy)


if __name__ == "__main__":
    atheris.Setup([*sys.argv, "-timeout=10", "-rss_limit_mb=1024"], fuzz_one)
    atheris.Fuzz()
