"""What every store of results promises."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest

from evaluator_service.distributed.link import connect
from evaluator_service.distributed.results import SharedResults
from evaluator_service.fault import fault_judgement
from evaluator_service.results import Claim, InMemoryResults, Kept, Results
from evaluator_service.schema import JudgeFault, Judgement
from evaluator_service.settings import Settings
from evaluator_service.verdicts import Verdict
from tests.service.executors import on_redis, work

pytestmark = pytest.mark.anyio

Open = Callable[..., AbstractAsyncContextManager[Results]]
WAIT_SECONDS = 30


@asynccontextmanager
async def in_memory(keep_seconds: float) -> AsyncIterator[Results]:
    yield InMemoryResults(1 << 20, keep_seconds)


@asynccontextmanager
async def shared(keep_seconds: float) -> AsyncIterator[Results]:
    yield SharedResults(connect(on_redis(Settings())), keep_seconds, "api")


STORES = {"in_memory": in_memory, "shared": shared}
"""Each opens a store that is empty, and keeps what is done for so many seconds."""


@pytest.fixture(params=STORES)
def opened(request: pytest.FixtureRequest) -> Any:
    """Opens a store of one kind."""
    return lambda keep_seconds=3600.0: STORES[request.param](keep_seconds)


def fault(*, retryable: bool) -> Judgement:
    error = JudgeFault(kind="internal", message="-", retryable=retryable)
    return BASE.model_copy(update={"error": error})


def mark(passed: int) -> Judgement:
    changes = {"verdict": Verdict.ACCEPTED, "reward": 1.0, "passed": passed, "error": None}
    return BASE.model_copy(update=changes)


BASE = fault_judgement(work(), Settings(), JudgeFault(kind="internal", message="-", retryable=True))
MARK = mark(1)
CLAIM = Claim("a/1", "f", "first")
AGAIN = CLAIM._replace(turn="second")


async def test_the_first_claim_is_granted_and_the_next_sees_it_under_way(opened: Open) -> None:
    async with opened() as results:
        assert await results.claim([CLAIM]) == [None]
        assert await results.claim([AGAIN]) == [Kept("f")]


async def test_of_many_claims_at_once_one_is_granted(opened: Open) -> None:
    async with opened() as results:
        claims = [CLAIM._replace(turn=f"turn-{number}") for number in range(50)]
        answers = await asyncio.gather(*(results.claim([claim]) for claim in claims))
    assert answers.count([None]) == 1
    assert answers.count([Kept("f")]) == 49


async def test_claims_are_answered_in_order_each_for_itself(opened: Open) -> None:
    async with opened() as results:
        await results.claim([CLAIM])
        new = [Claim("a/0", "f", "x"), AGAIN._replace(fingerprint="g"), Claim("b/1", "f", "y")]
        assert await results.claim(new) == [None, Kept("f"), None]


async def test_what_is_kept_is_found_by_whoever_asks(opened: Open) -> None:
    async with opened() as results:
        await results.claim([CLAIM])
        assert await results.wait(CLAIM.name) == Kept("f")
        assert await results.keep(CLAIM.place, MARK) == MARK
        assert await results.wait(CLAIM.name) == Kept("f", MARK)
        assert await results.claim([AGAIN]) == [Kept("f", MARK)]


async def test_the_first_that_is_kept_wins(opened: Open) -> None:
    async with opened() as results:
        await results.claim([CLAIM])
        await results.keep(CLAIM.place, MARK)
        assert await results.keep(CLAIM.place, mark(2)) == MARK
        assert await results.wait(CLAIM.name) == Kept("f", MARK)


async def test_nothing_is_kept_where_nothing_is_claimed(opened: Open) -> None:
    async with opened() as results:
        assert await results.keep(CLAIM.place, MARK) == MARK
        assert await results.wait(CLAIM.name) is None


async def test_what_comes_late_of_a_claim_that_was_dropped_is_nothing_to_the_next(
    opened: Open,
) -> None:
    async with opened() as results:
        await results.claim([CLAIM])
        await results.drop([CLAIM.name])
        await results.claim([AGAIN._replace(fingerprint="g")])
        await results.keep(CLAIM.place, MARK)
        assert await results.wait(CLAIM.name) == Kept("g")


@pytest.mark.parametrize(
    ("kept", "fingerprint", "is_granted"),
    [
        (fault(retryable=True), "f", True),
        (fault(retryable=True), "g", False),
        (fault(retryable=False), "f", False),
        (MARK, "f", False),
    ],
)
async def test_only_a_retryable_fault_gives_way_and_only_to_the_same_work(
    opened: Open, kept: Judgement, fingerprint: str, is_granted: bool
) -> None:
    async with opened() as results:
        await results.claim([CLAIM])
        await results.keep(CLAIM.place, kept)
        again = AGAIN._replace(fingerprint=fingerprint)
        assert await results.claim([again]) == [None if is_granted else Kept("f", kept)]
        assert await results.wait(CLAIM.name) == Kept("f", None if is_granted else kept)


async def test_who_waits_is_told_when_it_is_done(opened: Open) -> None:
    async with opened() as results:
        await results.claim([CLAIM])
        waiting = [asyncio.ensure_future(results.wait(CLAIM.name, s)) for s in (WAIT_SECONDS, None)]
        await asyncio.sleep(0)
        await results.keep(CLAIM.place, MARK)
        assert await asyncio.gather(*waiting) == [Kept("f", MARK)] * 2


async def test_who_waits_is_told_when_it_is_gone(opened: Open) -> None:
    async with opened() as results:
        await results.claim([CLAIM])
        waiting = asyncio.ensure_future(results.wait(CLAIM.name, None))
        await asyncio.sleep(0)
        await results.drop([CLAIM.name])
        assert await waiting is None


async def test_who_waits_in_vain_sees_it_under_way(opened: Open) -> None:
    async with opened() as results:
        await results.claim([CLAIM])
        assert await results.wait(CLAIM.name, 0.01) == Kept("f")


async def test_what_is_dropped_is_gone_done_or_not(opened: Open) -> None:
    async with opened() as results:
        await results.claim([CLAIM, Claim("a/2", "f", "x")])
        await results.keep(CLAIM.place, MARK)
        assert await results.drop([CLAIM.name, "a/2", "a/3"]) == 2
        assert [await results.wait(name) for name in (CLAIM.name, "a/2")] == [None, None]
        assert await results.drop([CLAIM.name]) == 0


async def test_what_is_done_expires_and_what_is_under_way_does_not(opened: Open) -> None:
    async with opened(keep_seconds=1) as results, asyncio.timeout(WAIT_SECONDS):
        await results.claim([CLAIM, Claim("a/2", "f", "x")])
        await results.keep(CLAIM.place, MARK)
        while await results.wait(CLAIM.name) is not None:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.01)
        assert await results.wait("a/2") == Kept("f")
        assert await results.claim([AGAIN]) == [None]
