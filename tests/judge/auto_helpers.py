"""Problems and helpers of the tests of isolation mode ``auto``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaluator_service.schema import Judgement

Judged = Callable[..., Judgement]

SUMS = [{"input": f"{n} 1\n", "expected": f"{n + 1}\n"} for n in range(8)]
STDIO = {"kind": "stdio", "tests": SUMS, "limits": {"cpu_time_seconds": 0.5, "processes_count": 8}}
CALL = {
    "kind": "call",
    "entry_point": "f",
    "tests": [{"args": [n, 1], "expected": n + 1} for n in range(8)],
    "limits": {"cpu_time_seconds": 0.5},
}
RIGHT = "print(sum(map(int, input().split())))\n"


def shared_count(judgement: Judgement) -> int:
    """How many tests were believed of one process: each of them gets an equal share of its time."""
    times = [test.wall_time_seconds for test in judgement.tests]
    most = max(times.count(time) for time in times)
    return most if most > 1 else 0


def assert_same(judged: Judged, code: str, problem: dict[str, Any]) -> Judgement:
    """Three times, since the order is drawn by lot."""
    strict = judged(code, problem, isolation_mode="strict")
    for _ in range(3):
        auto = judged(code, problem, isolation_mode="auto")
        assert outline(auto) == outline(strict)
    return strict


def outline(judgement: Judgement) -> list[Any]:
    return [judgement.verdict, judgement.reward, [test.verdict for test in judgement.tests]]
