"""A real judge with one slot, and a short way to ask it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from evaluator_service import shared
from evaluator_service.judge import Judge
from evaluator_service.schema import Judgement, Submission, problem_id
from evaluator_service.settings import Settings
from evaluator_service.work import Work

Judged = Callable[..., Judgement]


@pytest.fixture(scope="module")  # closed before others count the jails of this process
def judge() -> Iterator[Judge]:
    """A judge that has started."""
    yield from _judge(Settings(slots_count=1, likely_failure_first=False))


@pytest.fixture(scope="module")
def judged(judge: Judge) -> Judged:
    """``judged(code, problem, **fields of the submission)``; the report is full unless named."""
    return _asked(judge)


@pytest.fixture
def judged_anew() -> Iterator[Judged]:
    """The same by a judge that runs close time-outs once more."""
    for judge in _judge(Settings(slots_count=1, packages=(), rerun_near_limit=True)):
        yield _asked(judge)


def _judge(settings: Settings) -> Iterator[Judge]:
    judge = Judge(settings)
    judge.start()
    yield judge
    judge.close()


def _asked(judge: Judge) -> Judged:
    def ask(code: str, problem: dict[str, Any], **more: Any) -> Judgement:
        fields = {"report": "full", "code": code, "problem": problem, **more}
        submission = Submission.model_validate(fields)
        assert submission.problem is not None
        name = problem_id(submission.problem)
        return judge.judge(Work(submission, submission.problem, name, time.monotonic()))

    return ask


@pytest.fixture
def unlucky(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lot falls so that it helps those who count on it: the first test alone, the others in order."""
    lot = SimpleNamespace(choice=lambda tests: tests[0], shuffle=lambda tests: None)
    monkeypatch.setattr(shared, "Random", lambda _: lot)
