"""What only a dead API process wanted is forgotten; what is kept under a name is judged."""

from __future__ import annotations

import json
import time

import pytest

from evaluator_service.distributed import keys
from tests.faults.cluster import HASTY_LEASE_SECONDS, Cluster, until

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("hasty")]

_API = ["-m", "tests.faults.api_process", "live1", "kept1", "live2", "kept2"]


def is_answered(cluster: Cluster, name: str) -> bool:
    """Whether what is kept under a name is an acceptance."""
    answer = cluster.client.hget(keys.kept(name), "answer")
    return answer is not None and json.loads(answer)["judgement"]["verdict"] == "accepted"


def is_silent(cluster: Cluster) -> bool:
    """Whether no API process was heard of for as long as a worker bears it."""
    ((_, seen_at),) = cluster.client.zrange(keys.APIS, 0, -1, withscores=True)
    return bool(time.time() - seen_at > HASTY_LEASE_SECONDS)


async def test_another_api_process_forgets_what_only_a_dead_one_wanted(cluster: Cluster) -> None:
    cluster.part(_API).kill()
    assert cluster.pending_count() == 4
    async with cluster.api(is_ready=False):
        await until(lambda: cluster.pending_count() == 2)
        cluster.worker()
        await until(lambda: is_answered(cluster, "kept1") and is_answered(cluster, "kept2"))
        await until(cluster.is_quiet)
    assert sorted(began.id for began in cluster.began()) == ["kept1", "kept2"]


async def test_a_worker_forgets_it_where_no_api_process_is_left(cluster: Cluster) -> None:
    cluster.part(_API).kill()
    await until(lambda: is_silent(cluster))
    cluster.worker()
    await until(lambda: is_answered(cluster, "kept1") and is_answered(cluster, "kept2"))
    await until(cluster.is_quiet)
    assert sorted(began.id for began in cluster.began()) == ["kept1", "kept2"]
    assert cluster.pending_count() == 0


async def test_an_api_process_that_was_only_frozen_gets_all_answers_after_all(
    cluster: Cluster,
) -> None:
    api = cluster.part(_API)
    api.freeze()
    async with cluster.api(is_ready=False):
        await until(lambda: cluster.pending_count() == 2)
    api.thaw()
    cluster.worker()
    assert api.ended() == 0
    assert sorted(began.id for began in cluster.began()) == ["kept1", "kept2", "live1", "live2"]


async def test_an_api_process_whose_work_a_worker_forgot_by_mistake_has_it_judged_again(
    cluster: Cluster,
) -> None:
    api = cluster.part(_API)
    api.freeze()
    await until(lambda: is_silent(cluster))
    cluster.worker()
    await until(lambda: is_answered(cluster, "kept2"))
    await until(cluster.is_quiet)
    api.thaw()
    assert api.ended() == 0
