"""Every kind of executor, and works for them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from evaluator_service.embedded import EmbeddedEngine
from evaluator_service.executor import Executor
from evaluator_service.schema import AnyProblem, Judgement, StdioProblem, Submission, problem_id
from evaluator_service.settings import Settings
from evaluator_service.work import Work

Start = Callable[..., AbstractAsyncContextManager[Executor]]


@asynccontextmanager
async def embedded(judge: Any, settings: Settings) -> AsyncIterator[Executor]:
    """An executor that judges in this process."""
    executor = Executor(EmbeddedEngine(judge, settings), settings)
    await executor.start()
    try:
        yield executor
    finally:
        judge.release.set()
        await executor.close()


EXECUTORS = {"embedded": embedded}
"""Each starts an executor around a judge."""


def problem(expected: str = "7") -> StdioProblem:
    """A problem of one test; another for each ``expected``."""
    return StdioProblem.model_validate({"kind": "stdio", "tests": [{"expected": expected}]})


PROBLEM = problem()


def work(code: str = "accept", problem: AnyProblem = PROBLEM, **fields: Any) -> Work:
    """Work that arrives now."""
    submission = Submission(code=code, problem=problem, **fields)
    return Work(submission, problem, problem_id(problem), time.monotonic())


async def held(judge: Any, count: int = 1) -> None:
    """Return when so many more runs are being held."""
    await asyncio.to_thread(judge.wait_until_held, count)


async def judged(executor: Executor, *works: Work) -> list[Judgement]:
    """The answers, in the order of the works."""
    return await asyncio.gather(*await executor.submit(works))


def fault_of(judgement: Judgement) -> str | None:
    """The kind of fault, if it is a judge error."""
    return judgement.error.kind if judgement.error is not None else None
