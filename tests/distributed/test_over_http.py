"""Several API processes and a worker, over HTTP: what one was told, all know."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import httpx2
import pytest

from evaluator_service.settings import Settings
from tests.service.conftest import FakeJudge, listening, submission
from tests.service.executors import on_redis, working


class Cluster(NamedTuple):
    """Two API processes and a worker of two slots."""

    one: httpx2.Client
    two: httpx2.Client
    judge: FakeJudge
    settings: Settings


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    settings = on_redis(Settings(slots_count=2, drain_seconds=1))
    judge = FakeJudge(settings)
    with (
        working(judge, settings),
        listening(settings, None) as one,
        listening(settings, None) as two,
    ):
        while one.get("/readyz").status_code != 200 or two.get("/readyz").status_code != 200:
            time.sleep(0.02)
        yield Cluster(one, two, judge, settings)


def test_a_problem_stored_by_one_is_known_to_the_other(cluster: Cluster) -> None:
    problem = submission()["problem"]
    stored = cluster.one.post("/problems", json=problem)
    assert stored.status_code == 201
    assert cluster.two.post("/problems", json=problem).status_code == 200
    known = stored.json()["problem_id"]
    assert cluster.two.get(f"/problems/{known}").json() == problem
    answer = cluster.two.post("/judge", json={"code": "accept", "problem_id": known})
    assert answer.json()["verdict"] == "accepted"


def test_a_submission_to_one_is_answered_by_the_other(cluster: Cluster) -> None:
    sent = cluster.one.post("/submissions", json=submission("hold"))
    assert sent.status_code == 202
    where = sent.headers["Location"]
    assert cluster.two.get(where).json()["status"] == "pending"
    cluster.judge.release.set()
    state = cluster.two.get(where, params={"wait_seconds": 30}).json()
    assert (state["status"], state["judgement"]["verdict"]) == ("done", "accepted")


def test_results_survive_the_process_that_took_them(cluster: Cluster) -> None:
    with listening(cluster.settings, None) as brief:
        where = brief.post("/submissions", json=submission("hold")).headers["Location"]
        cluster.judge.wait_until_held()
    cluster.judge.release.set()
    state = cluster.one.get(where, params={"wait_seconds": 30}).json()
    assert state["judgement"]["verdict"] == "accepted"
    assert len(cluster.judge.began) == 1


def test_a_batch_sent_again_to_another_process_runs_nothing_again(cluster: Cluster) -> None:
    batch = {
        "submissions": [submission(id=f"r{number}", metadata={"n": number}) for number in range(4)]
    }
    headers = {"Idempotency-Key": "step-12"}
    first = cluster.one.post("/judge/batch", json=batch, headers=headers).json()
    second = cluster.two.post("/judge/batch", json=batch, headers=headers).json()
    assert list(map(_untimed, second["judgements"])) == list(map(_untimed, first["judgements"]))
    other = {"submissions": [submission("wrong")]}
    assert cluster.two.post("/judge/batch", json=other, headers=headers).status_code == 422
    assert len(cluster.judge.began) == 1  # equal programs share a run


def _untimed(judgement: dict[str, Any]) -> dict[str, Any]:
    """Two processes have two clocks."""
    return judgement | {"timing": None}


def test_one_may_withdraw_what_the_other_began(cluster: Cluster) -> None:
    where = cluster.one.post("/submissions", json=submission("stay")).headers["Location"]
    cluster.judge.wait_until_held()
    assert cluster.two.delete(where).status_code == 204
    assert cluster.one.get(where).status_code == 404
    assert cluster.one.post("/judge", json=submission()).json()["verdict"] == "accepted"


@pytest.mark.parametrize("place", ["one", "two"])
def test_withdrawing_leaves_alone_who_waits_for_the_same_run(cluster: Cluster, place: str) -> None:
    wheres = [
        cluster.one.post("/submissions", json=submission("hold", id=name)).headers["Location"]
        for name in ("first", "second")
    ]
    cluster.judge.wait_until_held()
    assert getattr(cluster, place).delete(wheres[0]).status_code == 204
    cluster.judge.release.set()
    state = cluster.one.get(wheres[1], params={"wait_seconds": 30}).json()
    assert (state["status"], state["judgement"]["verdict"]) == ("done", "accepted")
    assert cluster.judge.began == ["first"]


def test_what_was_judged_for_one_is_given_again_by_the_other(cluster: Cluster) -> None:
    first = cluster.one.post("/judge", json=submission(id="a")).json()
    again = cluster.two.post("/judge", json=submission(id="b")).json()
    assert [first["cached"], again["cached"], again["id"]] == [False, True, "b"]
    assert len(cluster.judge.began) == 1


def test_the_first_answers_of_a_stream_do_not_wait_for_the_last(cluster: Cluster) -> None:
    batch = {"submissions": [submission("hold"), submission("wrong"), submission("accept")]}
    headers = {"Accept": "application/x-ndjson"}
    with cluster.one.stream("POST", "/judge/batch", json=batch, headers=headers) as stream:
        lines = stream.iter_lines()
        early = [next(lines), next(lines)]
        assert sorted(line[9:10] for line in early) == ["1", "2"]
        cluster.judge.release.set()
        assert next(lines).startswith('{"index":0')


def test_workers_show_in_the_figures(cluster: Cluster) -> None:
    stats: dict[str, Any] = cluster.one.get("/stats").json()
    (worker,) = stats["workers"]
    assert (worker["slots_count"], worker["obstacle"], stats["sandbox"]) == (2, None, None)
    assert "\nmicrocoder_worker_slots 2.0\n" in cluster.two.get("/metrics").text
    assert "python" in cluster.two.get("/version").json()["languages"]
