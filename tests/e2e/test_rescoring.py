"""Outputs kept by a real service, fetched and compared anew over HTTP."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

pytestmark = pytest.mark.nsjail

STDIO = {"kind": "stdio", "tests": [{"input": "3 4\n", "expected": "7.0\n"}]}
ASSERTS = {"kind": "asserts", "entry_point": "f", "tests": ["assert f(1) == [1]"]}


def kept(client: httpx2.Client, code: str, problem: Any) -> dict[str, Any]:
    body = {"code": code, "problem": problem, "report": "tests", "keep_outputs": True}
    judgement: dict[str, Any] = client.post("/judge", json=body).json()
    return judgement


def rescored(client: httpx2.Client, problem: Any, judgement: Any, **terms: Any) -> dict[str, Any]:
    answer = client.post(
        "/rescore", json={"problem": problem, "judgement": judgement, "ladder": True} | terms
    )
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_an_output_is_kept_fetched_and_compared_anew(client: httpx2.Client) -> None:
    judgement = kept(client, "print(sum(map(int, input().split())) + 1e-9)", STDIO)
    name = judgement["tests"][0]["output"]
    assert client.get(f"/outputs/{name}").content == b"7.000000001\n"
    answer = rescored(client, STDIO, judgement)
    assert answer["judgement"] == judgement
    rewards = {rung["profile"]: rung["reward"] for rung in answer["ladder"]}
    assert (rewards["strict"], rewards["flexible"]) == (0.0, 1.0)


def test_plain_asserts_are_rescored_too(client: httpx2.Client) -> None:
    judgement = kept(client, "def f(x): return (x,)", ASSERTS)
    assert judgement["verdict"] == "wrong_answer"
    lenient = rescored(client, ASSERTS, judgement, comparison={"profile": "flexible"})
    assert lenient["judgement"]["verdict"] == "accepted"
    assert lenient["judgement"]["methods"] == {"literal": 1}
