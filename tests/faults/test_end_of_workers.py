"""A worker that is told to end loses nothing, however little time it has."""

from __future__ import annotations

import asyncio
import signal

import pytest

from tests.faults.cluster import Cluster
from tests.service.executors import work

pytestmark = pytest.mark.anyio


async def test_what_is_at_work_ends_and_the_rest_goes_to_others(cluster: Cluster) -> None:
    first = cluster.worker()
    async with cluster.api() as api:
        futures = await api.submit([work(f"hold {name}", id=name) for name in "abc"])
        await cluster.until_began(1)
        first.send(signal.SIGTERM)
        cluster.let_go("a")
        assert first.ended() == 0
        second = cluster.worker()
        cluster.let_go("b", "c")
        await asyncio.gather(*futures)
    assert cluster.began() == [("a", first.pid), ("b", second.pid), ("c", second.pid)]


async def test_what_does_not_end_in_time_goes_to_others_as_well(cluster: Cluster) -> None:
    first = cluster.worker(drain_seconds=0.5)
    async with cluster.api() as api:
        futures = await api.submit([work(f"hold {name}", id=name) for name in "ab"])
        await cluster.until_began(1)
        first.send(signal.SIGTERM)
        assert first.ended() == 0
        second = cluster.worker()
        cluster.let_go("a", "b")
        answers = await asyncio.gather(*futures)
    assert [answer.verdict for answer in answers] == ["accepted"] * 2
    assert cluster.began() == [("a", first.pid), ("a", second.pid), ("b", second.pid)]


async def test_what_went_to_others_by_and_by_is_blamed_for_nothing(cluster: Cluster) -> None:
    async with cluster.api(is_ready=False) as api:
        (future,) = await api.submit([work("hold", id="a")])
        dying = cluster.worker()
        await cluster.until_began(1)
        dying.kill()
        for count in (2, 3, 4):
            leaving = cluster.worker(drain_seconds=0)
            await cluster.until_began(count)
            leaving.send(signal.SIGTERM)
            assert leaving.ended() == 0
        cluster.let_go("a")
        cluster.worker()
        assert (await future).verdict == "accepted"


async def test_a_second_signal_ends_it_at_once_and_others_take_over(cluster: Cluster) -> None:
    first = cluster.worker()
    async with cluster.api() as api:
        futures = await api.submit([work(f"hold {name}", id=name) for name in "ab"])
        await cluster.until_began(1)
        first.send(signal.SIGTERM)
        first.send(signal.SIGINT)
        assert first.ended() == 3
        cluster.let_go("a", "b")
        cluster.worker()
        answers = await asyncio.gather(*futures)
    assert [answer.verdict for answer in answers] == ["accepted"] * 2
