"""What one client may have at work at a time: counted by key, all or nothing, and free again in time."""

from __future__ import annotations

import asyncio
import http.client
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, nullcontext
from functools import partial
from itertools import islice
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator_service.keys import keys_of, line_of
from evaluator_service.quotas import Quotas
from evaluator_service.refusals import BatchTooLarge, QuotaFull

KEY = "mc_" + "Ours" * 10 + "-_0"
OTHER = "mc_" + "Them" * 10 + "-_0"
KEYS = {
    "api_keys": keys_of(
        {
            "ours": {"hash": line_of("ours", KEY).split()[1], "max_items": 3},
            "theirs": line_of("theirs", OTHER).split()[1],
        }
    )
}
QUOTAS: dict[str | None, int] = {"a": 3, "b": 5}
Make = Callable[..., dict[str, Any]]
Begin = Callable[..., http.client.HTTPConnection]


def headers(key: str) -> dict[str, str]:
    """What a client with this key sends."""
    return {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}


@pytest.fixture
def locked(serve: Callable[..., Any]) -> tuple[httpx2.Client, Any]:
    """A client of a service in which ``KEY`` may have three submissions at a time, and its judge."""
    client, judge = serve(slots_count=4, **KEYS)
    return client, judge


def batch(submission: Make, count: int, code: str = "accept") -> dict[str, Any]:
    """So many submissions at once."""
    return {"submissions": [submission(code)] * count}


@pytest.fixture
def begin() -> Iterator[Callable[..., http.client.HTTPConnection]]:
    """Begins a request on a connection of its own, whose answer is not waited for."""
    with ExitStack() as opened:

        def begin(
            client: httpx2.Client, key: str, body: dict[str, Any], path: str = "/judge/batch"
        ) -> http.client.HTTPConnection:
            connection = http.client.HTTPConnection(client.base_url.host, client.base_url.port)
            opened.callback(connection.close)
            connection.request("POST", path, json.dumps(body), headers(key))
            return connection

        yield begin


def status_of(connection: http.client.HTTPConnection) -> int:
    """Status of the answer, once it is there."""
    return connection.getresponse().status


# --- over HTTP ------------------------------------------------------------------------------------


def test_beyond_the_quota_is_429_with_retry_after_and_takes_nothing(
    locked: tuple[httpx2.Client, Any], submission: Make, begin: Begin
) -> None:
    client, judge = locked
    begin(client, KEY, batch(submission, 2, "hold"))
    judge.wait_until_held(2)
    answer = client.post("/judge/batch", json=batch(submission, 2), headers=headers(KEY))
    assert (answer.status_code, answer.json()["type"]) == (429, "/errors/quota-exceeded")
    assert 1 <= int(answer.headers["retry-after"]) <= 60
    assert len(judge.began) == 2
    assert client.post("/judge", json=submission(), headers=headers(KEY)).status_code == 200


def test_another_key_does_not_notice(
    locked: tuple[httpx2.Client, Any], submission: Make, begin: Begin
) -> None:
    client, judge = locked
    begin(client, KEY, batch(submission, 3, "hold"))
    judge.wait_until_held(3)
    answer = client.post("/judge/batch", json=batch(submission, 9), headers=headers(OTHER))
    assert answer.status_code == 200


def test_a_batch_beyond_the_whole_quota_is_413(
    locked: tuple[httpx2.Client, Any], submission: Make
) -> None:
    client, _ = locked
    answer = client.post("/judge/batch", json=batch(submission, 4), headers=headers(KEY))
    assert (answer.status_code, answer.json()["type"]) == (413, "/errors/too-many-submissions")
    assert "quota of this key is 3" in answer.json()["detail"]


def test_a_batch_beyond_what_batches_hold_is_413(
    serve: Callable[..., Any], submission: Make
) -> None:
    client, judge = serve(max_batch_items=2)
    assert client.post("/judge/batch", json=batch(submission, 2)).status_code == 200
    answer = client.post("/judge/batch", json=batch(submission, 3))
    assert (answer.status_code, answer.json()["type"]) == (413, "/errors/too-many-submissions")
    assert len(judge.began) == 2


def test_what_is_answered_is_free_for_the_next_request(
    locked: tuple[httpx2.Client, Any], submission: Make
) -> None:
    client, _ = locked
    for _ in range(10):
        answer = client.post("/judge/batch", json=batch(submission, 3), headers=headers(KEY))
        assert answer.status_code == 200


def test_what_the_queue_refuses_counts_for_nothing(
    serve: Callable[..., Any], submission: Make, begin: Begin
) -> None:
    client, judge = serve(slots_count=4, queue_items_max=3, **KEYS)
    held = begin(client, OTHER, batch(submission, 3, "hold"))
    judge.wait_until_held(3)
    for _ in range(9):
        answer = client.post("/judge", json=submission(), headers=headers(KEY))
        assert answer.json()["type"] == "/errors/queue-full"
    judge.release.set()
    held.getresponse().read()
    answer = client.post("/judge/batch", json=batch(submission, 3), headers=headers(KEY))
    assert answer.status_code == 200


def test_a_client_that_goes_away_has_its_quota_back(
    locked: tuple[httpx2.Client, Any], submission: Make, begin: Begin
) -> None:
    client, judge = locked
    held = begin(client, KEY, batch(submission, 3, "hold"))
    judge.wait_until_held(3)
    held.close()
    while client.post("/judge", json=submission(), headers=headers(KEY)).status_code == 429:
        pass


def test_many_connections_at_once_never_hold_more_than_the_quota(
    locked: tuple[httpx2.Client, Any], submission: Make, begin: Begin
) -> None:
    client, judge = locked
    with ThreadPoolExecutor(16) as pool:
        begin_one = partial(begin, client, KEY, path="/judge")
        connections = list(pool.map(begin_one, [submission("hold")] * 16))
        judge.wait_until_held(3)
        answers = [pool.submit(status_of, connection) for connection in connections]
        refused = [answer.result() for answer in islice(as_completed(answers), 13)]
        judge.release.set()
        assert refused == [429] * 13
        assert sorted(answer.result() for answer in answers)[:3] == [200] * 3


# --- the count ------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(1, 5), st.booleans())))
def test_no_owner_ever_has_more_than_its_quota(steps: list[tuple[str, int, bool]]) -> None:
    asyncio.run(_taken_and_answered(steps))


async def _taken_and_answered(steps: list[tuple[str, int, bool]]) -> None:
    """Each step takes room for so many of an owner; where it says so, everything is answered after it."""
    quotas = Quotas(QUOTAS.get)
    unanswered: dict[str, list[asyncio.Future[None]]] = {"a": [], "b": []}
    for owner, count, is_answered in steps:
        quota, held_count = QUOTAS[owner], len(unanswered[owner])
        fits = held_count + count <= quota
        refusal = BatchTooLarge if count > quota else QuotaFull
        with (
            nullcontext() if fits else pytest.raises(refusal),
            quotas.room_for(owner, count) as room,
        ):
            unanswered[owner] += room.until_answered([asyncio.Future() for _ in range(count)])
        if is_answered:
            for future in unanswered[owner]:
                future.cancel()
            unanswered[owner] = []
            await asyncio.sleep(0)


def test_room_that_was_not_used_is_given_back() -> None:
    quotas = Quotas(lambda _: 1)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError), quotas.room_for("a", 1):
            raise ZeroDivisionError


def test_without_a_quota_there_is_always_room() -> None:
    quotas = Quotas(lambda _: None)
    for _ in range(9):
        with quotas.room_for(None, 10_000):
            pass
