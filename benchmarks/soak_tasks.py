"""What a soak submits: every attack, every bundled rollout, and honest programs of every kind, shuffled."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from evaluator_service.samples import Rollout, Sample, load_samples
from evaluator_service.schema import Judgement, Problem, problem_id
from evaluator_service.verdicts import Verdict
from tests.sandbox.attack_cases import HONEST, load_cases


class Task(NamedTuple):
    """One thing to submit, as often as wanted.

    Attributes:
        name: What it is, for the report.
        submission: Makes the body of ``POST /judge``.
        complaints: What is wrong with a judgement of it, in words.
        stored: The problem to store beforehand, where the submission names one.
    """

    name: str
    submission: Callable[[], dict[str, Any]]
    complaints: Callable[[Judgement], list[str]]
    stored: Problem | None = None


def endless_tasks(level: str, seed: int) -> Iterator[Task]:
    """Tasks without end, in rounds: each attack and rollout once, and as many honest programs; shuffled.

    Args:
        level: The isolation of the service; attacks that need more than it are left out.
        seed: Of the order.
    """
    order = random.Random(seed)  # noqa: S311 - an order, no secret
    hostile = [*_attacks(level), *_rollouts()]
    honest = list(_honest())
    while True:
        yield from order.sample(
            [*hostile, *order.choices(honest, k=len(hostile))], 2 * len(hostile)
        )


def some_tasks(level: str, seed: int, count: int) -> list[Task]:
    """The first of ``endless_tasks``."""
    return list(islice(endless_tasks(level, seed), count))


def _attacks(level: str) -> Iterator[Task]:
    for case in load_cases():
        if not case.unmet_needs(level):
            yield Task(case.name, case.submission, case.complaints)


def _rollouts() -> Iterator[Task]:
    for sample in load_samples():
        for rollout in sample.rollouts:
            yield _task_of(sample, rollout)


def _task_of(sample: Sample, rollout: Rollout) -> Task:
    submission = rollout.submission(problem_id(sample.problem)).model_dump(exclude_unset=True)
    complaints = partial(_complaints, rollout.expected)
    return Task(rollout.name, lambda: submission, complaints, sample.problem)


def _honest() -> Iterator[Task]:
    for name, submission in _HONEST.items():
        complaints = partial(_complaints, (Verdict.ACCEPTED,))
        yield Task(f"honest {name}", partial(dict, submission, report="full"), complaints)


def _complaints(expected: tuple[Verdict, ...], judgement: Judgement) -> list[str]:
    if judgement.verdict in expected:
        return []
    return [f"{judgement.verdict.value} where {' or '.join(expected)} is right: {judgement}"]


_ADD = "def f(x, y):\n    return x + y\n"
_ADD_ARRAYS = "import numpy\ndef f(x, y):\n    return numpy.add(x, y).tolist()\n"
_STACK = """
class Stack(list):
    push, top = list.append, property(lambda self: self[-1])
"""

_HONEST: dict[str, dict[str, Any]] = {
    "stdio": HONEST,
    "stdio numpy": HONEST
    | {"code": "import numpy\nprint(numpy.array(input().split()[1:]).astype(int).sum())\n"},
    "stdio, auto": HONEST | {"isolation_mode": "auto"},
    "call": {
        "code": _ADD,
        "problem": {
            "kind": "call",
            "entry_point": "f",
            "tests": [{"args": [n, n + 1], "expected": 2 * n + 1} for n in range(20)],
        },
    },
    "call numpy": {
        "code": _ADD_ARRAYS,
        "problem": {
            "kind": "call",
            "entry_point": "f",
            "tests": [{"args": [[n, 2], [3, n]], "expected": [n + 3, n + 2]} for n in range(5)],
        },
    },
    "call, auto": {
        "code": _ADD,
        "isolation_mode": "auto",
        "problem": {
            "kind": "call",
            "entry_point": "f",
            "tests": [{"args": [n, n + 1], "expected": 2 * n + 1} for n in range(50)],
        },
    },
    "asserts, plain": {
        "code": _ADD,
        "problem": {"kind": "asserts", "tests": ["assert f(1, 2) == 3", "assert f(3, 4) == 7"]},
    },
    "asserts, apart": {
        "code": _ADD,
        "problem": {
            "kind": "asserts",
            "entry_point": "f",
            "test_code": "def check(f):\n    for x in range(9):\n        assert f(x, 1) == x + 1\n",
        },
    },
    "asserts numpy, apart": {
        "code": _ADD_ARRAYS,
        "problem": {
            "kind": "asserts",
            "entry_point": "f",
            "test_code": "import numpy\ndef check(f):\n"
            "    assert numpy.all(numpy.array(f([1, 2], [3, 4])) == 4 + 2 * numpy.arange(2))\n",
        },
    },
    "asserts, beside": {
        "code": _STACK,
        "problem": {
            "kind": "asserts",
            "tests": ["s = Stack()\ns.push(7)\nassert s.top == 7 and isinstance(s, Stack)"],
        },
    },
}
