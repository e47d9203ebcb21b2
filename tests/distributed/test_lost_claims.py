"""A claim whose work Redis lost, with the process that would have noticed, does not stand for ever."""

from __future__ import annotations

import pytest

from evaluator_service.distributed import keys, results
from evaluator_service.distributed.link import RedisClient, connect
from evaluator_service.distributed.results import SharedResults
from evaluator_service.results import Claim, Kept
from evaluator_service.settings import Settings
from tests.service.executors import on_redis

pytestmark = pytest.mark.anyio

CLAIM = Claim("ours/1", "f", "first")
AGAIN = CLAIM._replace(turn="second")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def connection() -> RedisClient:
    return connect(on_redis(Settings()))


@pytest.fixture
def shared(connection: RedisClient, monkeypatch: pytest.MonkeyPatch) -> SharedResults:
    monkeypatch.setattr(results, "_GRACE_SECONDS", -1.0)  # every claim is old
    return SharedResults(connection, 60, "api")


async def test_it_gives_way_to_the_same_work(shared: SharedResults) -> None:
    assert await shared.claim([CLAIM]) == [None]
    assert await shared.claim([AGAIN]) == [None]


async def test_it_does_not_give_way_to_other_work(shared: SharedResults) -> None:
    await shared.claim([CLAIM])
    assert await shared.claim([AGAIN._replace(fingerprint="g")]) == [Kept("f")]


async def test_what_is_pending_is_not_lost(shared: SharedResults, connection: RedisClient) -> None:
    await shared.claim([CLAIM])
    connection.zadd(keys.PENDING, {keys.item("api", "first", is_kept=True): 1.0})
    assert await shared.claim([AGAIN]) == [Kept("f")]


async def test_what_was_claimed_a_moment_ago_may_still_come_to_be_pending(
    shared: SharedResults, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "_GRACE_SECONDS", 60.0)
    await shared.claim([CLAIM])
    assert await shared.claim([AGAIN]) == [Kept("f")]
