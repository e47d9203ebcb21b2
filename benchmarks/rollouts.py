"""What a step of training sends: a problem with ten tests of 1 KB, and ever new programs of 1 KB for it."""

from __future__ import annotations

import itertools
import json
import secrets
from typing import Any

BATCH_COUNT = 64
TESTS_COUNT = 10
TEST_BYTES = 1_000
PROGRAM_BYTES = 1_000

_numbers = itertools.count()
_RUN = secrets.token_hex(8)


def problem(name: str = "") -> dict[str, Any]:
    """A problem of its own for each ``name``."""
    half = TEST_BYTES // 2
    tests = [
        {"input": f"{name} {n} ".ljust(half, "7"), "expected": f"{n} ".ljust(half, "8")}
        for n in range(TESTS_COUNT)
    ]
    return {"kind": "stdio", "tests": tests}


def program() -> str:
    """A program that nobody has ever sent before."""
    head = f"# rollout {next(_numbers)} of {_RUN}\nimport sys\n"
    line = "for row in sys.stdin:\n    print(sum(map(int, row.split())))\n"
    return head + line * ((PROGRAM_BYTES - len(head)) // len(line))


def submission(**fields: Any) -> bytes:
    """The body of ``POST /judge``; ``fields`` say which problem."""
    return _json({"code": program()} | fields)


def batch_by_id(problem_id: str, count: int = BATCH_COUNT) -> bytes:
    """The body of a batch whose problem was stored before."""
    submissions = [{"code": program(), "problem_id": problem_id} for _ in range(count)]
    return _json({"submissions": submissions})


def batch_by_name(count: int = BATCH_COUNT) -> bytes:
    """The body of a batch with its problem in it, once."""
    submissions = [{"code": program(), "problem": "p"} for _ in range(count)]
    return _json({"problems": {"p": problem()}, "submissions": submissions})


def _json(what: Any) -> bytes:
    return json.dumps(what).encode()


def computing_batch(count: int, test_cpu_seconds: float) -> bytes:
    """The body of a batch of programs that each compute for so long in each of ten tests."""
    tests = [{"input": f"{n}\n", "expected": f"{n}\n"} for n in range(TESTS_COUNT)]
    submissions = [{"code": _computing(test_cpu_seconds), "problem": "p"} for _ in range(count)]
    return _json({"problems": {"p": {"kind": "stdio", "tests": tests}}, "submissions": submissions})


def _computing(cpu_seconds: float) -> str:
    return (
        f"# rollout {next(_numbers)} of {_RUN}\nimport time\n"
        f"while time.process_time() < {cpu_seconds}: pass\nprint(input())\n"
    )
