"""Waiting for what other processes do costs Redis something; it ends with whoever waits."""

from __future__ import annotations

import asyncio

import pytest

from evaluator_service.distributed.link import connect
from evaluator_service.distributed.results import SharedResults
from evaluator_service.results import Claim
from evaluator_service.settings import Settings
from tests.service.executors import on_redis

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.parametrize("leaves", [True, False])
async def test_nobody_looks_for_what_nobody_waits_for(leaves: bool) -> None:
    results = SharedResults(connect(on_redis(Settings())), 60, "api")
    await results.claim([Claim("a/1", "f", "turn")])
    waiting = asyncio.create_task(results.wait("a/1", 3600 if leaves else 0.2))
    while results._polling is None:  # noqa: ASYNC110 - until it begins
        await asyncio.sleep(0)
    if leaves:
        waiting.cancel()
    await asyncio.wait_for(results._polling, 30)
