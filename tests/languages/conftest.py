"""A real judge with one slot, and a short way to ask it about a program in any language."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from evaluator_service.judge import Judge
from evaluator_service.schema import Judgement, Submission, problem_id
from evaluator_service.settings import Settings
from evaluator_service.work import Work
from tests.languages.sources import Source, skip_unless_here

Judged = Callable[..., Judgement]


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    """A judge that has started."""
    judge = Judge(Settings(slots_count=1, packages=()))
    judge.start()
    yield judge
    judge.close()


@pytest.fixture
def judged(judge: Judge) -> Judged:
    """``judged(source, input, expected, **limits)``: one test, everything reported."""

    def ask(source: Source, given: str = "", expected: str = "", **limits: Any) -> Judgement:
        skip_unless_here(source.language)
        test = {"input": given, "expected": expected}
        problem = {"kind": "stdio", "tests": [test], "limits": limits}
        submission = Submission.model_validate(
            {**source.fields(), "problem": problem, "report": "full"}
        )
        assert submission.problem is not None
        name = problem_id(submission.problem)
        return judge.judge(Work(submission, submission.problem, name, time.monotonic()))

    return ask
