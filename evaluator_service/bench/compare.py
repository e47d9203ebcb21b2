"""``microcoder bench compare``: what comparing two outputs costs, ours beside a plain comparison by lines and Decimals."""

from __future__ import annotations

import random
import statistics
import time
from collections import defaultdict
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from functools import partial
from typing import Any, NamedTuple

from rich.console import Console
from rich.progress import track

from evaluator_service.bench.sandbox import machine
from evaluator_service.comparison import compare_text
from evaluator_service.schema import Comparison

ROUNDS_COUNT = 7
_MEGABYTE_TOKENS_COUNT = 150_000
_HOSTILE_BYTES = 16 << 20


class Pair(NamedTuple):
    """Two outputs: what was expected, and what a program wrote."""

    name: str
    expected: str
    actual: bytes


Grader = Callable[[Pair], bool]


def measure() -> dict[str, Any]:
    """Compare every pair by every grader in turn, several rounds.

    Returns:
        As ``bench sandbox``; a comparison counts as a submission of one test.
    """
    pairs = [*ordinary_pairs(), *hostile_pairs()]
    times: dict[tuple[str, str], list[float]] = defaultdict(list)
    turns = [(pair, name) for _ in range(ROUNDS_COUNT) for pair in pairs for name in GRADERS]
    for pair, name in track(turns, "measuring", console=Console(stderr=True)):
        started = time.process_time()
        GRADERS[name](pair)
        times[pair.name, name].append(time.process_time() - started)
    rows = [_row(pair.name, name, times[pair.name, name]) for pair in pairs for name in GRADERS]
    return {"name": "compare", "machine": machine(), "rows": rows}


def _row(pair: str, grader: str, seconds: list[float]) -> dict[str, Any]:
    median = max(statistics.median(seconds), 1e-9)
    return {
        "grader": grader,
        "workload": pair,
        "tests_count": 1,
        "submissions_per_second": round(1 / median, 2),
        "tests_per_second": round(1 / median, 2),
        "latency_seconds_median": round(median, 9),
        "cpu_seconds_per_test": round(median, 9),
        "runs": len(seconds),
    }


def ordinary_pairs() -> list[Pair]:
    """A megabyte each: equal, equal in another form, and wrong at its end."""
    lot = random.Random(0)  # noqa: S311 - the same numbers every time
    integers = [str(lot.randrange(10**6)) for _ in range(_MEGABYTE_TOKENS_COUNT)]
    decimals = [f"{lot.random() * 1000:.6f}" for _ in range(_MEGABYTE_TOKENS_COUNT * 2 // 3)]
    text, numbers = " ".join(integers), " ".join(decimals)
    near = " ".join(f"{float(number) + 3e-7:.9f}" for number in decimals)
    listed = f"[{', '.join(integers)}]"
    return [
        Pair("equal", text, text.encode()),
        Pair("other blanks", text, text.replace(" ", "  ").encode()),
        Pair("other lines", text, "\n".join(integers).encode()),
        Pair("last word wrong", text, f"{text[:-1]}x".encode()),
        Pair("every word wrong", text, " ".join(f"{word}1" for word in integers).encode()),
        Pair("decimals written otherwise", numbers, " ".join(f"{n}0" for n in decimals).encode()),
        Pair("decimals nearly right", numbers, near.encode()),
        Pair("last decimal wrong", numbers, f"{near[:-1]}x".encode()),
        Pair("a list without blanks", listed, listed.replace(" ", "").encode()),
    ]


def hostile_pairs() -> list[Pair]:
    """What a program may write to keep a comparison busy."""
    return [
        Pair("16 MB of digits", "8" * 10, b"9" * _HOSTILE_BYTES),
        Pair("100,000 brackets", "[1]", b"[" * 100_000 + b"]" * 100_000),
        Pair("a million of 1e308", "1.0 " * 1000, b"1e308 " * 1_000_000),
        Pair("100,000 decimal places", "0.1", b"0.1" + b"0" * 100_000 + b"1"),
    ]


def _flexible(pair: Pair, policy: Comparison) -> bool:
    return compare_text(pair.expected, pair.actual, policy).matched


def _plain(pair: Pair) -> bool:
    """Line by line, and where lines differ word by word as Decimals, as LiveCodeBench's grader compares."""
    wanted = pair.expected.strip().split("\n")
    got = pair.actual.decode().strip().split("\n")
    if len(wanted) != len(got):
        return False
    for want, get in zip(map(str.strip, wanted), map(str.strip, got), strict=True):
        try:
            if want != get and list(map(Decimal, want.split())) != list(map(Decimal, get.split())):
                return False
        except InvalidOperation:
            return False
    return True


GRADERS: dict[str, Grader] = {
    "livecodebench_style": _plain,
    "ours_flexible": partial(_flexible, policy=Comparison()),
    "ours_strict": partial(_flexible, policy=Comparison(profile="strict")),
}
