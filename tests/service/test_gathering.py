"""What many clients ask for at one moment goes to Redis together, and still each request is taken whole or refused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import Future
from typing import Any

import pytest

from evaluator_service.distributed import chunks, courier, keys
from evaluator_service.distributed.courier import Delivery
from evaluator_service.distributed.engine import RqEngine
from evaluator_service.distributed.link import connect
from evaluator_service.engine import NoRoomError, Run
from evaluator_service.fault import fault_judgement
from evaluator_service.schema import JudgeFault
from evaluator_service.settings import Settings
from tests.service.executors import on_redis, work

pytestmark = pytest.mark.anyio


@pytest.fixture(name="redis_settings")
def _redis_settings(settings: Settings) -> Settings:
    return on_redis(settings.model_copy(update={"queue_items_max": 100}))


@pytest.fixture
async def engine(redis_settings: Settings) -> AsyncIterator[RqEngine]:
    """An engine whose queue nobody works on."""
    engine = RqEngine(redis_settings)
    await engine.start(lambda *_: None, lambda _: None)
    yield engine
    await engine.close()


def runs(count: int, **fields: Any) -> list[Run]:
    """New ones, of which each takes a moment, as far as is known."""
    return [Run(work(**fields), expected_seconds=0.001) for _ in range(count)]


def queued_chunks(settings: Settings) -> list[bytes]:
    """The jobs that wait, the first to be taken first."""
    found: list[bytes] = connect(settings).lrange(keys.QUEUE_KEY, 0, -1)
    return found


async def test_small_requests_of_one_moment_share_a_job(
    engine: RqEngine, redis_settings: Settings
) -> None:
    await asyncio.gather(*(engine.admit(runs(1)) for _ in range(20)))
    assert len(queued_chunks(redis_settings)) == 1


async def test_what_is_urgent_shares_no_job_with_what_is_not(
    engine: RqEngine, redis_settings: Settings
) -> None:
    await asyncio.gather(engine.admit(runs(1, priority="eval")), engine.admit(runs(1)))
    assert len(queued_chunks(redis_settings)) == 2


async def test_of_requests_that_do_not_fit_together_those_that_fit_are_taken(
    engine: RqEngine,
) -> None:
    outcomes = await asyncio.gather(
        *(engine.admit(runs(count)) for count in (60, 50, 30)), return_exceptions=True
    )
    assert [type(outcome) for outcome in outcomes] == [type(None), NoRoomError, type(None)]


def test_items_that_are_known_to_be_quick_fill_larger_jobs() -> None:
    known = chunks.pack(runs(64), "api", 1)
    unknown = chunks.pack([Run(work()) for _ in range(64)], "api", 1)
    assert [len(chunk.items) for chunk in known] == [32, 32]
    assert [len(chunk.items) for chunk in unknown] == [16] * 4


def test_slots_that_are_free_get_a_share_each() -> None:
    assert [len(chunk.items) for chunk in chunks.pack(runs(8), "api", 4)] == [2] * 4


def test_equal_programs_travel_once_in_a_chunk() -> None:
    (chunk,) = chunks.pack([*runs(2), *runs(1, code="other")], "api", 1)
    assert sorted(program["code"] for program in chunk.programs.values()) == ["accept", "other"]
    assert [chunk.programs[item.program]["code"] for item in chunk.items] == [
        *["accept"] * 2,
        "other",
    ]


def test_the_last_answer_of_a_chunk_takes_along_those_that_waited_for_it(
    redis_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(courier, "_GATHER_SECONDS", 3600.0)
    parcels: list[Any] = []
    carrier = courier.Courier(connect(redis_settings), redis_settings)
    monkeypatch.setattr(carrier, "_deliver", parcels.append)  # None: it has arrived
    carrier.start()
    first, last = delivery(is_last=False), delivery(is_last=True)
    carrier.send(first)
    carrier.send(last)
    last.arrival.result(30)
    assert parcels == [[first, last]]
    carrier.stop()


def delivery(*, is_last: bool) -> Delivery:
    """An answer to nobody."""
    (chunk,) = chunks.pack(runs(1), "api", 1)
    fault = JudgeFault(kind="internal", message="-", retryable=True)
    judgement = fault_judgement(work(), Settings(), fault)
    return Delivery(chunk.items[0], "api", judgement, 0.0, is_last, Future())
