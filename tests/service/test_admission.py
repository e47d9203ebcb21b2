"""Backpressure over HTTP, clients that go away, and a service that goes down."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest

Make = Callable[..., dict[str, Any]]
JSON = {"Content-Type": "application/json"}


def post(
    client: httpx2.Client, body: dict[str, Any], path: str = "/judge"
) -> http.client.HTTPConnection:
    """Send a request on a connection of its own and do not wait for the answer."""
    connection = http.client.HTTPConnection(client.base_url.host, client.base_url.port)
    connection.request("POST", path, json.dumps(body), JSON)
    return connection


def test_a_full_queue_is_429_with_retry_after(
    client: httpx2.Client, judge: Any, submission: Make
) -> None:
    held = [post(client, submission("hold")) for _ in range(2)]
    judge.wait_until_held(2)
    answer = client.post("/judge/batch", json={"submissions": [submission()] * 4})
    assert (answer.status_code, answer.json()["type"]) == (429, "/errors/queue-full")
    assert int(answer.headers["retry-after"]) >= 1
    for connection in held:
        connection.close()


def test_a_refused_batch_leaves_room_for_what_fits(
    client: httpx2.Client, judge: Any, submission: Make
) -> None:
    held = post(client, submission("hold"))
    judge.wait_until_held()
    refused = client.post("/judge/batch", json={"submissions": [submission()] * 5})
    taken = client.post("/judge/batch", json={"submissions": [submission()] * 4})
    assert (refused.status_code, taken.status_code) == (429, 200)
    assert len(judge.began) == 5
    held.close()


def test_a_batch_beyond_the_whole_queue_is_413(client: httpx2.Client, submission: Make) -> None:
    answer = client.post("/judge/batch", json={"submissions": [submission()] * 6})
    assert (answer.status_code, answer.json()["type"]) == (413, "/errors/too-many-submissions")


@pytest.mark.parametrize("accept", ["application/json", "application/x-ndjson"])
def test_a_client_that_goes_away_withdraws_what_waits(
    client: httpx2.Client, judge: Any, submission: Make, accept: str
) -> None:
    body = {"submissions": [submission("hold", id=str(i)) for i in range(5)]}
    connection = http.client.HTTPConnection(client.base_url.host, client.base_url.port)
    connection.request("POST", "/judge/batch", json.dumps(body), JSON | {"Accept": accept})
    judge.wait_until_held(2)
    connection.close()
    while client.get("/readyz").status_code == 503:  # full, until the withdrawal is noticed
        pass
    judge.release.set()
    client.post("/judge/batch", json={"submissions": [submission()] * 5})
    assert sorted(judge.began[:2]) == ["0", "1"]
    assert judge.began[2:] == [None] * 5


def test_work_past_its_deadline_is_a_judge_error(
    client: httpx2.Client, judge: Any, submission: Make
) -> None:
    held = [post(client, submission("hold")) for _ in range(2)]
    judge.wait_until_held(2)
    answer = client.post("/judge", json=submission(deadline_seconds=0.02)).json()
    assert (answer["verdict"], answer["error"]["kind"]) == ("judge_error", "deadline")
    assert answer["error"]["retryable"]
    for connection in held:
        connection.close()


def test_a_service_that_is_not_ready_says_when_to_ask_again(
    client: httpx2.Client, judge: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge, "obstacle", lambda: "not so: no network")
    answer = client.get("/readyz")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    assert answer.json()["detail"] == "not so: no network"


def test_many_clients_at_once_each_get_their_own_answer(
    serve: Callable[..., Any], submission: Make
) -> None:
    client, _ = serve(slots_count=4)
    with ThreadPoolExecutor(8) as pool:
        names = [f"r{i}" for i in range(100)]
        answers = pool.map(
            lambda name: client.post("/judge", json=submission(id=name)).json(), names
        )
        assert [answer["id"] for answer in answers] == names
