"""One submission of ten trivial tests, from client to answer, beside ``subprocess`` per test.

Run: ``.venv/bin/python benchmarks/straight_line.py``. Both are timed in turn within one run, so that a
machine that is busy for a while is busy for both.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time

import httpx2

from evaluator_service.local_service import running_service

ROUNDS_COUNT = 40
TESTS = [{"input": f"{n} {n + 1}\n", "expected": f"{2 * n + 1}\n"} for n in range(10)]
CODE = "print(sum(map(int, input().split())))\n"


def over_http(client: httpx2.Client) -> float:
    """Milliseconds for one submission judged by the service."""
    body = {"code": CODE, "problem": {"kind": "stdio", "tests": TESTS}}
    started = time.perf_counter()
    answer = client.post("/judge", json=body).json()
    assert answer["verdict"] == "accepted", answer
    return (time.perf_counter() - started) * 1000


def by_subprocess() -> float:
    """Milliseconds for the same tests, each in a bare interpreter without any isolation."""
    started = time.perf_counter()
    for test in TESTS:
        ended = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-I", "-S", "-c", CODE],
            input=test["input"],
            capture_output=True,
            text=True,
            check=True,
        )
        assert ended.stdout == test["expected"]
    return (time.perf_counter() - started) * 1000


def main() -> None:
    """Time both in turn and print the medians as JSON."""
    with (
        running_service({"MICROCODER_REUSE_JUDGEMENTS": "false"}) as url,
        httpx2.Client(base_url=url, trust_env=False) as client,
    ):
        for _ in range(5):
            over_http(client)
        pairs = [(over_http(client), by_subprocess()) for _ in range(ROUNDS_COUNT)]
    ours, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(slow / quick for quick, slow in pairs)
    figures = {
        "service_milliseconds_median": round(ours, 1),
        "subprocess_per_test_milliseconds_median": round(theirs, 1),
        "ratio_median": round(ratio, 2),
        "rounds_count": ROUNDS_COUNT,
    }
    sys.stdout.write(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
