"""Every kind of executor, and works for them."""

from __future__ import annotations

import asyncio
import atexit
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    ExitStack,
    asynccontextmanager,
    contextmanager,
)
from functools import cache
from typing import Any

from pydantic import SecretStr

from benchmarks.redis_server import RedisServer, redis_server
from evaluator_service.distributed.engine import RqEngine
from evaluator_service.distributed.worker import JudgeWorker
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


@cache
def _redis() -> RedisServer:
    """One for all tests of this process."""
    kept = ExitStack()
    atexit.register(kept.close)
    return kept.enter_context(redis_server())


def on_redis(settings: Settings) -> Settings:
    """The settings with a Redis in which there is nothing yet."""
    _redis().client().flushall()
    return settings.model_copy(update={"redis_url": SecretStr(_redis().url)})


@contextmanager
def working(judge: Any, settings: Settings) -> Iterator[JudgeWorker]:
    """A worker in a thread, for the length of the block."""
    worker = JudgeWorker(judge, settings)
    ready = threading.Event()
    thread = threading.Thread(target=worker.run, args=(ready.set,), daemon=True)
    thread.start()
    assert ready.wait(60), "the worker did not start"
    try:
        yield worker
    finally:
        worker.stop()
        judge.release.set()
        thread.join(60)
        assert not thread.is_alive(), "the worker did not end"


@asynccontextmanager
async def distributed(judge: Any, settings: Settings) -> AsyncIterator[Executor]:
    """An executor that has a worker judge, with a real Redis in between."""
    settings = on_redis(settings)
    executor = Executor(RqEngine(settings), settings)
    with working(judge, settings):
        await executor.start()
        try:
            while executor.obstacle() is not None:  # noqa: ASYNC110 - until it has seen the worker
                await asyncio.sleep(0.02)
            yield executor
        finally:
            judge.release.set()
            await executor.close()


EXECUTORS = {"embedded": embedded, "distributed": distributed}
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
