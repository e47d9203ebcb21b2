"""Requests that are sent again with their key: judged once, whatever happened to the first."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest

Make = Callable[..., dict[str, Any]]
KEY = {"Idempotency-Key": '"step-1"'}
NDJSON = {"Accept": "application/x-ndjson"}


def begun(client: httpx2.Client, path: str, body: dict[str, Any]) -> http.client.HTTPConnection:
    """Send a request with a key, on a connection of its own, and do not wait for the answer."""
    connection = http.client.HTTPConnection(client.base_url.host, client.base_url.port)
    headers = KEY | NDJSON | {"Content-Type": "application/json"}
    connection.request("POST", path, json.dumps(body), headers)
    return connection


def hang_up(client: httpx2.Client, connection: http.client.HTTPConnection) -> None:
    """Close a connection; the service has noticed once it has answered others twice."""
    connection.close()
    for _ in range(2):
        client.get("/healthz")


def test_what_was_judged_is_answered_again_as_it_was(
    client: httpx2.Client, judge: Any, submission: Make
) -> None:
    answers = [client.post("/judge", json=submission(id="a"), headers=KEY) for _ in range(2)]
    assert answers[0].content == answers[1].content
    assert judge.began == ["a"]


def test_without_a_key_nothing_is_the_same(
    client: httpx2.Client, judge: Any, submission: Make
) -> None:
    for _ in range(2):
        client.post("/judge", json=submission())
    assert len(judge.began) == 2


def test_fifty_equal_requests_at_once_are_one_run(
    client: httpx2.Client, judge: Any, submission: Make
) -> None:
    body = submission("hold", id="a")
    with ThreadPoolExecutor(50) as pool:
        sent = [pool.submit(client.post, "/judge", json=body, headers=KEY) for _ in range(50)]
        judge.wait_until_held()
        judge.release.set()
        answers = {future.result().text for future in sent}
    assert judge.began == ["a"]
    assert len(answers) == 1


def test_fifty_equal_batches_at_once_are_one_run_of_each(
    client: httpx2.Client, judge: Any, submission: Make
) -> None:
    body = {"submissions": [submission("hold", id="a"), submission("hold", id="b")]}
    with ThreadPoolExecutor(50) as pool:
        sent = [pool.submit(client.post, "/judge/batch", json=body, headers=KEY) for _ in range(50)]
        judge.wait_until_held(2)
        judge.release.set()
        answers = {future.result().text for future in sent}
    assert sorted(judge.began) == ["a", "b"]
    assert len(answers) == 1


def test_work_goes_on_when_its_client_goes_away(
    client: httpx2.Client, judge: Any, submission: Make
) -> None:
    connection = begun(client, "/judge", submission("hold"))
    judge.wait_until_held()
    hang_up(client, connection)
    judge.release.set()
    answer = client.post("/judge", json=submission("hold"), headers=KEY).json()
    assert (answer["verdict"], len(judge.began)) == ("accepted", 1)


def test_a_batch_that_broke_off_is_taken_up_where_it_was(
    client: httpx2.Client, judge: Any, submission: Make
) -> None:
    codes = {"quick": "accept", "broken": "raise", "slow": "hold"}
    body = {"submissions": [submission(code, id=name) for name, code in codes.items()]}
    connection = begun(client, "/judge/batch", body)
    answer = connection.getresponse()
    lines = [answer.readline().decode() for _ in range(2)]
    hang_up(client, connection)
    with client.stream("POST", "/judge/batch", json=body, headers=KEY | NDJSON) as again:
        more = again.iter_lines()
        lines += [next(more) for _ in range(2)]
        judge.release.set()
        lines += [next(more)]
    assert [json.loads(line)["index"] for line in lines] == [0, 1, 0, 1, 2]
    assert sorted(judge.began) == ["broken", "broken", "quick", "slow"]


def test_an_item_of_a_batch_has_the_key_of_its_place(
    client: httpx2.Client, judge: Any, submission: Make
) -> None:
    body = {"submissions": [submission(id="a"), submission(id="b")]}
    client.post("/judge/batch", json=body, headers=KEY)
    client.post("/judge", json=submission(id="b"), headers={"Idempotency-Key": "step-1/1"})
    assert sorted(judge.began) == ["a", "b"]


@pytest.mark.parametrize("path", ["/judge", "/submissions"])
def test_the_key_of_something_else_is_refused(
    client: httpx2.Client, judge: Any, submission: Make, path: str
) -> None:
    client.post("/judge", json=submission(id="a"), headers=KEY)
    answer = client.post(path, json=submission(id="b"), headers=KEY)
    assert (answer.status_code, answer.json()["type"]) == (422, "/errors/idempotency-key-reused")
    assert judge.began == ["a"]


def test_a_batch_is_refused_whole_for_one_item_that_has_another_ones_key(
    client: httpx2.Client, judge: Any, submission: Make
) -> None:
    client.post("/judge", json=submission(id="a"), headers={"Idempotency-Key": "step-1/1"})
    body = {"submissions": [submission(id="new"), submission(id="other")]}
    answer = client.post("/judge/batch", json=body, headers=KEY)
    assert answer.json()["type"] == "/errors/idempotency-key-reused"
    assert answer.json()["detail"].startswith("submissions[1]: ")
    client.post("/judge", json=submission(id="b"), headers={"Idempotency-Key": "step-1/0"})
    assert judge.began == ["a", "b"]


def test_a_retryable_fault_is_no_final_answer(
    client: httpx2.Client, judge: Any, submission: Make
) -> None:
    for _ in range(2):
        answer = client.post("/judge", json=submission("raise"), headers=KEY).json()
        assert answer["error"]["retryable"]
    assert len(judge.began) == 2


def test_what_was_refused_for_want_of_room_can_be_sent_again(
    serve: Callable[..., Any], submission: Make
) -> None:
    client, judge = serve(slots_count=1, queue_items_max=1)
    connection = begun(client, "/judge", submission("hold", id="held"))
    judge.wait_until_held()
    hang_up(client, connection)
    other = {"Idempotency-Key": "other"}
    assert client.post("/judge", json=submission(), headers=other).status_code == 429
    judge.release.set()
    client.post("/judge", json=submission("hold", id="held"), headers=KEY)
    assert client.post("/judge", json=submission(), headers=other).json()["verdict"] == "accepted"


def test_who_joins_waits_by_a_deadline_of_its_own(
    client: httpx2.Client, judge: Any, submission: Make
) -> None:
    connection = begun(client, "/judge", submission("hold"))
    judge.wait_until_held()
    hang_up(client, connection)
    answer = client.post("/judge", json=submission("hold", deadline_seconds=0.05), headers=KEY)
    assert answer.json()["error"]["kind"] == "deadline"
    judge.release.set()
    answer = client.post("/judge", json=submission("hold"), headers=KEY)
    assert (answer.json()["verdict"], len(judge.began)) == ("accepted", 1)
