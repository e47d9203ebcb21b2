"""A comparison that has no meaning for its problem is refused before anything runs, with its place."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

TEXTS = {"kind": "stdio", "tests": [{"input": "", "expected": "7"}]}
VALUES = {"kind": "call", "entry_point": "f", "tests": [{"args": [], "expected": 1}]}
ASSERTS = {"kind": "asserts", "tests": ["assert f() == 1"]}


def by(profile: str, **fields: Any) -> dict[str, Any]:
    return {"comparison": {"profile": profile, **fields}}


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a field that the profile does not know": (
        {"problem": TEXTS} | by("apps", order="lines"),
        "comparison",
    ),
    "a problem with values by a grader of texts": ({"problem": VALUES | by("kattis")}, "problem"),
    "a problem with texts by a grader of values": ({"problem": TEXTS | by("evalplus")}, "problem"),
    "a grader of texts for returned values": (
        {"problem": VALUES} | by("dmoj"),
        "comparison.profile",
    ),
    "a grader of texts for test code": (
        {"problem": ASSERTS} | by("dmoj_floats"),
        "comparison.profile",
    ),
    "a grader of values for texts": ({"problem": TEXTS} | by("evalplus"), "comparison.profile"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_and_named(shared_client: httpx2.Client, name: str) -> None:
    submission, where = REFUSED[name]
    answer = shared_client.post("/judge", json={"code": "x"} | submission)
    assert answer.status_code == 422
    assert [entry["where"] for entry in answer.json()["errors"]] == [where]


def test_it_is_refused_for_a_stored_problem_too(shared_client: httpx2.Client) -> None:
    stored = shared_client.post("/problems", json=VALUES).json()["problem_id"]
    submission = {"code": "x", "problem_id": stored} | by("sandboxfusion")
    answer = shared_client.post("/judge", json=submission)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["where"] == "comparison.profile"


def test_it_is_refused_for_a_problem_that_a_batch_names(shared_client: httpx2.Client) -> None:
    submission = {"code": "x", "problem": "f"} | by("sandboxfusion")
    batch = {"problems": {"f": VALUES}, "submissions": [submission]}
    answer = shared_client.post("/judge/batch", json=batch)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["where"] == "submissions[0].comparison.profile"


def test_a_problem_is_not_stored_with_it(shared_client: httpx2.Client) -> None:
    assert shared_client.post("/problems", json=VALUES | by("kattis")).status_code == 422
