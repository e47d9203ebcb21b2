"""What the engine of an API process promises beyond the contract of all executors."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from pydantic import SecretStr

from evaluator_service.distributed import keys
from evaluator_service.distributed.engine import RqEngine
from evaluator_service.distributed.link import connect
from evaluator_service.distributed.results import SharedResults
from evaluator_service.executor import Executor
from evaluator_service.refusals import EngineDownError
from evaluator_service.results import Claim
from evaluator_service.settings import Settings
from evaluator_service.work import Work
from tests.service.conftest import FakeJudge
from tests.service.executors import held, on_redis, work, working

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    """The event loop of asynchronous tests."""
    return "asyncio"


@pytest.fixture
def settings() -> Settings:
    """One slot, a Redis with nothing in it."""
    return on_redis(Settings(slots_count=1))


@pytest.fixture
def judge(settings: Settings) -> FakeJudge:
    """The judge of the worker."""
    return FakeJudge(settings)


CLAIM = Claim("ours/1", "fingerprint", "turn")


@asynccontextmanager
async def started(
    judge: FakeJudge, settings: Settings
) -> AsyncIterator[tuple[Executor, SharedResults]]:
    """An executor with a worker behind it, and the results that other API processes see."""
    engine = RqEngine(settings)
    executor = Executor(engine, settings)
    with working(judge, settings):
        await executor.start()
        try:
            yield executor, SharedResults(connect(settings), 60, engine.api_id)
        finally:
            await executor.close()


async def claimed(results: SharedResults, code: str) -> Work:
    """Work that is kept under the name of ``CLAIM``."""
    await results.claim([CLAIM])
    return replace(work(code), kept_as=CLAIM.place, key=CLAIM.turn)


def elsewhere(settings: Settings) -> SharedResults:
    """The results as another API process sees them."""
    return SharedResults(connect(settings), 60, "another")


async def test_kept_work_goes_on_when_its_api_process_ends(
    settings: Settings, judge: FakeJudge
) -> None:
    async with started(judge, settings) as (executor, results):
        kept = await claimed(results, "hold")
        (future, alone) = await executor.submit([kept, work("hold", id="alone")])
        await held(judge)
        await executor.drain(0)
        await executor.close()
        assert not future.done()
        assert getattr((await alone).error, "kind", None) == "overload"
        judge.release.set()
        found = await results.wait(CLAIM.name, 30)
    assert found is not None
    assert found.judgement is not None
    assert found.judgement.verdict == "accepted"
    assert judge.began == [None]


async def test_what_another_process_was_told_to_forget_is_stopped_and_not_sent_again(
    settings: Settings, judge: FakeJudge
) -> None:
    async with started(judge, settings) as (executor, results):
        (future,) = await executor.submit([await claimed(results, "stay")])
        await held(judge)
        assert await elsewhere(settings).drop([CLAIM.name]) == 1
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(future, 60)
        (next_in_the_slot,) = await executor.submit([work()])
        assert (await next_in_the_slot).verdict == "accepted"
    assert connect(settings).zcard(keys.PENDING) == 0


async def test_what_a_process_that_is_no_more_began_can_be_forgotten(settings: Settings) -> None:
    results = SharedResults(connect(settings), 60, "gone")
    await results.claim([CLAIM])
    connect(settings).zadd(keys.PENDING, {keys.item("gone", CLAIM.turn, is_kept=True): 1.0})
    assert await elsewhere(settings).drop([CLAIM.name]) == 1
    assert connect(settings).zcard(keys.PENDING) == 0


async def test_what_was_named_for_another_judge_is_not_given_again(
    settings: Settings, judge: FakeJudge
) -> None:
    executor = Executor(RqEngine(settings), settings)
    await executor.start()
    (future,) = await executor.submit([work()])  # named for nobody: no worker is there
    with working(judge, settings):
        assert (await asyncio.wait_for(future, 60)).verdict == "accepted"
    while executor.obstacle() != "no worker is there":  # noqa: ASYNC110 - until it has seen that
        await asyncio.sleep(0.02)
    (again,) = await executor.submit([work()])
    assert not again.done()
    await executor.close()


async def test_a_redis_that_is_not_there_is_named_at_the_start() -> None:
    nowhere = Settings(redis_url=SecretStr("redis://127.0.0.1:1/0"))
    with pytest.raises(EngineDownError, match=r"MICROCODER_REDIS_URL: Redis at 127\.0\.0\.1:1 "):
        await RqEngine(nowhere).start(lambda *_: None, lambda _: None)


async def test_submissions_wait_for_the_first_worker(settings: Settings, judge: FakeJudge) -> None:
    executor = Executor(RqEngine(settings), settings)
    await executor.start()
    assert executor.obstacle() == "no worker is there"
    (future,) = await executor.submit([work()])
    with working(judge, settings):
        assert (await asyncio.wait_for(future, 60)).verdict == "accepted"
        await executor.close()
