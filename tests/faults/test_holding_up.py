"""Who takes long, or is not wanted any more, holds up nobody."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.faults.cluster import Cluster, until
from tests.faults.obedient import noted
from tests.service.executors import fault_of, judged, work

pytestmark = pytest.mark.anyio


async def test_what_stands_behind_a_straggler_in_its_chunk_is_judged_by_others(
    cluster: Cluster,
) -> None:
    cluster.worker()
    async with cluster.api() as api:
        futures = await api.submit([work("hold", id="straggler"), *(work(id=n) for n in "abc")])
        await cluster.until_began(1)
        cluster.worker()
        others = await asyncio.gather(*futures[1:])
        assert not futures[0].done()
        cluster.let_go("straggler")
        assert (await futures[0]).verdict == "accepted"
    assert [answer.verdict for answer in others] == ["accepted"] * 3
    assert len(cluster.began()) == 4


async def test_what_is_withdrawn_before_it_began_never_begins(cluster: Cluster) -> None:
    cluster.worker()
    async with cluster.api() as api:
        (held,) = await api.submit([work("hold", id="held")])
        (unwanted,) = await api.submit([work(id="unwanted")])
        await cluster.until_began(1)
        unwanted.cancel()
        await until(lambda: cluster.pending_count() == 1)
        cluster.let_go("held")
        await held
        await judged(api, work(id="later"))
    assert [began.id for began in cluster.began()] == ["held", "later"]


@pytest.mark.parametrize("by_deadline", [False, True])
async def test_what_is_withdrawn_or_expires_at_work_frees_its_slot(
    cluster: Cluster, *, by_deadline: bool
) -> None:
    cluster.worker()
    async with cluster.api() as api:
        deadline: dict[str, Any] = {"deadline_seconds": 1.0} if by_deadline else {}
        (future,) = await api.submit([work("hold", id="held", **deadline)])
        await cluster.until_began(1)
        if by_deadline:
            assert fault_of(await future) == "deadline"
        else:
            future.cancel()
        assert (await judged(api, work(id="later")))[0].verdict == "accepted"
    assert [each.id for each in noted(cluster.folder, "withdrawn")] == ["held"]
