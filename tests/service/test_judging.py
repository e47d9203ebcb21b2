"""Judging over HTTP: one submission, a batch, stored problems, and what the judge's failures become."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx2
import pytest

Make = Callable[..., dict[str, Any]]


def test_a_submission_gets_a_judgement_with_its_own_name(
    shared_client: httpx2.Client, submission: Make
) -> None:
    answer = shared_client.post("/judge", json=submission(id="mine"))
    assert answer.status_code == 200
    assert (answer.json()["id"], answer.json()["reward"]) == ("mine", 1.0)


@pytest.mark.parametrize("path", ["/judge", "/v1/judge"])
def test_paths_stand_at_the_root_and_under_v1(
    shared_client: httpx2.Client, submission: Make, path: str
) -> None:
    assert shared_client.post(path, json=submission("wrong")).json()["verdict"] == "wrong_answer"


def test_a_batch_is_answered_in_order(shared_client: httpx2.Client, submission: Make) -> None:
    codes = ["accept", "wrong", "raise", "accept"]
    batch = {"submissions": [submission(code, id=str(i)) for i, code in enumerate(codes)]}
    document = shared_client.post("/judge/batch", json=batch).json()
    answers = document["judgements"]
    assert document["summary"] == {
        "total": 4,
        "verdicts": {"accepted": 2, "wrong_answer": 1, "judge_error": 1},
        "methods": {"exact": 2, "none": 1},
    }
    assert [(answer["id"], answer["verdict"]) for answer in answers] == [
        ("0", "accepted"),
        ("1", "wrong_answer"),
        ("2", "judge_error"),
        ("3", "accepted"),
    ]


def test_a_batch_sends_a_problem_once(shared_client: httpx2.Client, submission: Make) -> None:
    problem = submission()["problem"]
    batch = {"problems": {"p": problem}, "submissions": [submission(problem="p")] * 3}
    assert len(shared_client.post("/judge/batch", json=batch).json()["judgements"]) == 3


def test_a_failing_judge_is_a_judge_error_without_reward(
    shared_client: httpx2.Client, submission: Make
) -> None:
    answer = shared_client.post("/judge", json=submission("raise"))
    assert (answer.status_code, answer.json()["reward"]) == (200, None)
    assert answer.json()["error"] == {
        "kind": "internal",
        "message": "the judge failed: RuntimeError",
        "retryable": True,
    }


def test_a_stored_problem_is_named_by_its_hash(
    shared_client: httpx2.Client, submission: Make
) -> None:
    problem = submission()["problem"] | {"reference": "print(7)"}
    first = shared_client.post("/problems", json=problem)
    again = shared_client.post("/problems", json=problem)
    reference = first.json()["problem_id"]
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.headers["location"] == f"/problems/{reference}"
    assert shared_client.get(first.headers["location"]).json() == problem
    by_id = {"code": "accept", "problem_id": reference}
    assert shared_client.post("/judge", json=by_id).json()["verdict"] == "accepted"


def test_head_says_whether_a_problem_is_stored(
    shared_client: httpx2.Client, submission: Make
) -> None:
    location = shared_client.post("/v1/problems", json=submission()["problem"]).headers["location"]
    assert shared_client.head(location).status_code == 200
    assert shared_client.head("/problems/sha256:" + "0" * 64).status_code == 404


def test_a_typed_value_travels(shared_client: httpx2.Client, submission: Make) -> None:
    test = {"args": [{"$tuple": [1, {"$float": "nan"}]}, 10**30], "expected": {"$int": "9" * 5000}}
    problem = {"kind": "call", "entry_point": "Solution().f", "tests": [test]}
    assert shared_client.post("/judge", json=submission(problem=problem)).status_code == 200


def test_a_large_body_is_served_too(shared_client: httpx2.Client, submission: Make) -> None:
    problem = {"kind": "stdio", "tests": [{"input": "x" * 600_000, "expected": "7"}]}
    assert shared_client.post("/judge", json=submission(problem=problem)).status_code == 200


def test_a_given_request_id_is_echoed(shared_client: httpx2.Client) -> None:
    answer = shared_client.get("/healthz", headers={"X-Request-ID": "step-12.rollout-3"})
    assert answer.headers["x-request-id"] == "step-12.rollout-3"


@pytest.mark.parametrize("given", ["x" * 1000, 'a"b', "é", ""])
def test_an_unfit_request_id_is_replaced(shared_client: httpx2.Client, given: str) -> None:
    answer = shared_client.get("/healthz", headers={b"X-Request-ID": given.encode("latin-1")})
    assert len(answer.headers["x-request-id"]) == 32


def test_probes_and_version_answer(shared_client: httpx2.Client) -> None:
    assert shared_client.get("/healthz").json() == {"status": "ok"}
    assert shared_client.get("/v1/readyz").json() == {"status": "ok"}
    assert shared_client.get("/version").json()["wire_version"] == 1
