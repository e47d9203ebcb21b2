"""Submissions that nobody waits for: sent, asked for, withdrawn."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest

from evaluator_service import submissions
from evaluator_service.bodies import HeldBody
from evaluator_service.executor import Executor
from evaluator_service.idempotency import kept_under
from evaluator_service.keys import keys_of, line_of
from evaluator_service.quotas import Quotas
from evaluator_service.refusals import EngineDownError
from evaluator_service.results import InMemoryResults, Results, name_and_turn
from evaluator_service.schema import Judgement
from evaluator_service.submissions import Submissions
from tests.service.executors import Start, fault_of, work

Make = Callable[..., dict[str, Any]]
WAIT = {"wait_seconds": "30"}
SECRETS = {name: f"mc_{name * 10}---" for name in ("ours", "them")}
OURS, THEIRS = ({"Authorization": f"Bearer {secret}"} for secret in SECRETS.values())
KEYS = {
    name: {"hash": line_of(name, secret).split()[1], "max_items": 1}
    for name, secret in SECRETS.items()
}


def sent(client: httpx2.Client, body: dict[str, Any], **headers: str) -> str:
    """Send a submission and say where to ask for it."""
    answer = client.post("/submissions", json=body, headers=headers)
    assert answer.status_code == 202, answer.text
    return str(answer.headers["location"])


@pytest.mark.parametrize("prefix", ["", "/v1"])
def test_it_is_taken_at_once_and_says_where_to_ask(
    client: httpx2.Client, submission: Make, prefix: str
) -> None:
    answer = client.post(f"{prefix}/submissions", json=submission("hold"))
    state = answer.json()
    assert (answer.status_code, state["status"], state["judgement"]) == (202, "pending", None)
    assert answer.headers["location"] == f"{prefix}/submissions/{state['id']}"
    assert client.get(answer.headers["location"]).json() == state


def test_who_waits_is_answered_the_moment_it_is_done(
    client: httpx2.Client, judge: Any, submission: Make
) -> None:
    place = sent(client, submission("hold", id="a"))
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(client.get, place, params=WAIT)
        judge.wait_until_held()
        judge.release.set()
        state = asked.result().json()
    assert (state["status"], state["judgement"]["verdict"]) == ("done", "accepted")
    assert (state["judgement"]["id"], place.endswith(state["id"])) == ("a", True)


def test_who_does_not_wait_long_enough_hears_that_it_is_pending(
    client: httpx2.Client, submission: Make
) -> None:
    place = sent(client, submission("hold"))
    assert client.get(place, params={"wait_seconds": "0.01"}).json()["status"] == "pending"


def test_a_judgement_can_be_asked_for_again(client: httpx2.Client, submission: Make) -> None:
    place = sent(client, submission())
    states = [client.get(place, params=WAIT).json() for _ in range(2)]
    assert states[0] == states[1]
    assert states[0]["status"] == "done"


def test_each_without_a_key_is_a_submission_of_its_own(
    client: httpx2.Client, submission: Make
) -> None:
    assert sent(client, submission()) != sent(client, submission())


def test_the_same_with_a_key_is_the_same_submission(
    client: httpx2.Client, judge: Any, submission: Make
) -> None:
    key = {"Idempotency-Key": "k"}
    places = [sent(client, submission(), **key) for _ in range(2)]
    client.get(places[0], params=WAIT)
    state = client.post("/submissions", json=submission(), headers=key).json()
    judgement = client.post("/judge", json=submission(), headers=key).json()
    assert places[0] == places[1]
    assert (state["status"], state["judgement"]) == ("done", judgement)
    assert len(judge.began) == 1


def test_what_waits_is_never_begun_once_it_is_withdrawn(
    serve: Callable[..., Any], submission: Make
) -> None:
    client, judge = serve(slots_count=1)
    sent(client, submission("hold", id="held"))
    judge.wait_until_held()
    place = sent(client, submission(id="withdrawn"))
    assert client.delete(place).status_code == 204
    judge.release.set()
    client.post("/judge", json=submission(id="later"))
    assert judge.began == ["held", "later"]


def test_what_runs_is_stopped_and_frees_its_slot(
    serve: Callable[..., Any], submission: Make
) -> None:
    client, judge = serve(slots_count=1)
    place = sent(client, submission("stay"))
    judge.wait_until_held()
    client.delete(place)
    assert client.post("/judge", json=submission()).json()["verdict"] == "accepted"


@pytest.mark.parametrize("code", ["accept", "hold"], ids=["done", "under way"])
def test_what_is_withdrawn_or_forgotten_is_known_no_more(
    client: httpx2.Client, submission: Make, code: str
) -> None:
    place = sent(client, submission(code))
    client.get(place, params={"wait_seconds": "0" if code == "hold" else "30"})
    assert client.delete(place).status_code == 204
    for answer in (client.get(place), client.get(place, params=WAIT), client.delete(place)):
        assert (answer.status_code, answer.json()["type"]) == (404, "/errors/unknown-submission")


def test_who_still_waits_for_what_is_withdrawn_is_told(
    client: httpx2.Client, judge: Any, submission: Make
) -> None:
    key = {"Idempotency-Key": "k"}
    body = submission("stay")
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(client.post, "/judge", json=body, headers=key)
        judge.wait_until_held()
        place = sent(client, body, **key)
        asked = pool.submit(client.get, place, params=WAIT)
        client.delete(place)
        error = first.result().json()["error"]
        assert asked.result().status_code == 404
    assert (error["kind"], error["retryable"]) == ("withdrawn", True)


@pytest.mark.anyio
async def test_all_who_wait_for_what_is_withdrawn_are_told(start: Start) -> None:
    async with start() as executor:
        served = around(executor)
        waiting = [await kept(served, "stay") for _ in range(2)]
        await asyncio.sleep(0)
        assert await served.forget(name_and_turn(KEPT.kept_as or "")[0])
        assert [fault_of(await each) for each in waiting] == ["withdrawn"] * 2


@pytest.mark.anyio
async def test_what_is_done_is_answered_even_by_a_service_that_takes_no_work(start: Start) -> None:
    async with start() as executor:
        served = around(executor)
        judgement = await (await kept(served, "accept"))
        await executor.drain(timeout_seconds=0)
        assert await (await kept(served, "accept")) == judgement


class Noting(InMemoryResults):
    """Notes what it is given to keep, and cannot be reached so many times first."""

    def __init__(self, failures_count: int = 0) -> None:
        super().__init__(1 << 20, keep_seconds=60)
        self.given: list[Judgement] = []
        self.failures_count = failures_count

    async def keep(self, place: str, judgement: Judgement) -> Judgement:
        """Keep it, unless it cannot be reached."""
        if self.failures_count:
            self.failures_count -= 1
            raise EngineDownError("gone for a moment")
        self.given.append(judgement)
        return await super().keep(place, judgement)


@pytest.mark.anyio
async def test_what_an_engine_keeps_itself_is_given_to_nobody_but_what_it_never_saw_is(
    start: Start,
) -> None:
    async with start(reuse_judgements=True) as executor:
        results = Noting()
        served = around(executor, results, engine_keeps=True)
        for key in ("runs", "recalled"):
            await (await kept(served, "accept", key))
        await (await kept(served, "stay", "late", deadline_seconds=0.05))
    assert [given.error and given.error.kind for given in results.given] == [None, "deadline"]
    assert results.given[0].cached


@pytest.mark.anyio
async def test_a_judgement_that_cannot_be_kept_now_is_kept_later(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submissions, "AGAIN_SECONDS", 0)
    async with start() as executor:
        results = Noting(failures_count=2)
        judgement = await (await kept(around(executor, results), "accept"))
    assert results.given == [judgement]


KEPT = kept_under(work(), "k")


def around(
    executor: Executor, results: Results | None = None, *, engine_keeps: bool = False
) -> Submissions:
    """Keeps what ``executor`` answers, in memory unless told otherwise."""
    results = results or InMemoryResults(1 << 20, keep_seconds=60)
    return Submissions(executor, Quotas(lambda _: None), results, engine_keeps=engine_keeps)


async def kept(
    served: Submissions, code: str, key: str = "k", **fields: Any
) -> asyncio.Future[Judgement]:
    """Send a submission with a key, that of ``KEPT`` unless told otherwise."""
    works = [kept_under(work(code, **fields), key)]
    return (await served.submit(works, HeldBody(lambda _: None)))[0]


def test_a_key_whose_submission_is_withdrawn_may_name_another(
    client: httpx2.Client, judge: Any, submission: Make
) -> None:
    key = {"Idempotency-Key": "k"}
    place = sent(client, submission("stay"), **key)
    judge.wait_until_held()
    client.delete(place)
    assert client.post("/judge", json=submission(), headers=key).json()["verdict"] == "accepted"


def test_to_others_it_is_as_if_it_were_not_there(
    serve: Callable[..., Any], submission: Make
) -> None:
    client, _ = serve(api_keys=keys_of(KEYS))
    place = sent(client, submission(), **OURS, **{"Idempotency-Key": "k"})
    assert client.get(place, headers=THEIRS).status_code == 404
    assert client.delete(place, headers=THEIRS).status_code == 404
    assert sent(client, submission("wrong"), **THEIRS, **{"Idempotency-Key": "k"}) != place
    state = client.get(place, params=WAIT, headers=OURS).json()
    assert state["judgement"]["verdict"] == "accepted"


@pytest.mark.parametrize("end", ["withdrawn", "done"])
def test_it_counts_towards_the_quota_until_it_is_done_or_withdrawn(
    serve: Callable[..., Any], submission: Make, end: str
) -> None:
    client, judge = serve(api_keys=keys_of(KEYS))
    place = sent(client, submission("stay" if end == "withdrawn" else "hold"), **OURS)
    refused = client.post("/submissions", json=submission(), headers=OURS)
    assert refused.json()["type"] == "/errors/quota-exceeded"
    if end == "withdrawn":
        client.delete(place, headers=OURS)
    judge.release.set()
    client.get(place, params=WAIT, headers=OURS)
    assert client.post("/judge", json=submission(), headers=OURS).status_code == 200


@pytest.mark.parametrize("seconds", ["-1", "60.5", "nan", "inf", "soon"])
def test_a_wait_that_is_none_is_422(shared_client: httpx2.Client, seconds: str) -> None:
    answer = shared_client.get(f"/submissions/{'0' * 64}", params={"wait_seconds": seconds})
    assert (answer.status_code, answer.json()["type"]) == (422, "/errors/validation-error")


def test_work_past_its_deadline_is_done_with_a_fault(
    serve: Callable[..., Any], submission: Make
) -> None:
    client, _ = serve(slots_count=1)
    place = sent(client, submission("stay", deadline_seconds=0.05))
    state = client.get(place, params=WAIT).json()
    assert (state["status"], state["judgement"]["error"]["kind"]) == ("done", "deadline")
    assert client.post("/judge", json=submission()).json()["verdict"] == "accepted"


def test_what_does_not_fit_the_queue_is_429_and_leaves_nothing(
    serve: Callable[..., Any], submission: Make
) -> None:
    client, judge = serve(slots_count=1, queue_items_max=1)
    place = sent(client, submission("hold"))
    answer = client.post("/submissions", json=submission())
    assert (answer.status_code, answer.json()["type"]) == (429, "/errors/queue-full")
    judge.release.set()
    assert client.get(place, params=WAIT).json()["status"] == "done"


def test_a_body_counts_until_its_work_is_done(serve: Callable[..., Any], submission: Make) -> None:
    limit_bytes = 1 << 20
    client, judge = serve(
        max_body_bytes=limit_bytes, max_bodies_bytes=limit_bytes, max_problems_bytes=limit_bytes
    )
    large = submission("hold", metadata={}, completion=None) | {"files": {"a": "x" * 600_000}}
    place = sent(client, large)
    judge.wait_until_held()
    refused = client.post("/submissions", json=large)
    assert (refused.status_code, refused.json()["type"]) == (429, "/errors/queue-full")
    judge.release.set()
    client.get(place, params=WAIT)
    assert client.post("/submissions", json=large).status_code == 202
