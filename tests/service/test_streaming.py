"""A streamed batch: each judgement the moment it exists, then a summary."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from evaluator_service import streaming
from evaluator_service.streaming import streamed_type

Make = Callable[..., dict[str, Any]]
NDJSON = {"Accept": "application/x-ndjson"}
EVENTS = {"Accept": "text/event-stream"}


def test_a_result_arrives_while_a_slower_one_still_runs(
    client: httpx2.Client, judge: Any, submission: Make
) -> None:
    batch = {"submissions": [submission("hold"), submission("wrong")]}
    with client.stream("POST", "/judge/batch", json=batch, headers=NDJSON) as answer:
        lines = answer.iter_lines()
        first = json.loads(next(lines))
        assert (first["index"], first["judgement"]["verdict"]) == (1, "wrong_answer")
        judge.release.set()
        assert json.loads(next(lines))["index"] == 0


def test_the_last_line_is_a_summary(shared_client: httpx2.Client, submission: Make) -> None:
    batch = {"submissions": [submission(), submission("wrong"), submission()]}
    answer = shared_client.post("/judge/batch", json=batch, headers=NDJSON)
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    assert sorted(line["index"] for line in lines[:-1]) == [0, 1, 2]
    assert lines[-1] == {
        "done": {
            "total": 3,
            "verdicts": {"accepted": 2, "wrong_answer": 1},
            "methods": {"exact": 2, "none": 1},
        }
    }


def test_events_carry_the_same_data(shared_client: httpx2.Client, submission: Make) -> None:
    answer = shared_client.post(
        "/judge/batch", json={"submissions": [submission(id="a")]}, headers=EVENTS
    )
    first, last = answer.text.strip().split("\n\n")
    name, data = first.split("\n")
    assert name == "event: judgement"
    assert json.loads(data.removeprefix("data: "))["judgement"]["id"] == "a"
    assert last.startswith('event: done\ndata: {"done":{"total":1')


def test_events_go_on_while_nothing_is_done_so_that_nobody_hangs_up(
    client: httpx2.Client, judge: Any, submission: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaming, "KEEP_ALIVE_SECONDS", 0.01)
    batch = {"submissions": [submission("hold")]}
    with client.stream("POST", "/judge/batch", json=batch, headers=EVENTS) as answer:
        lines = answer.iter_lines()
        assert next(lines) == ": keep-alive"
        judge.release.set()
        assert "event: judgement" in lines


@pytest.mark.parametrize(
    ("accept", "streamed"),
    [
        ("", None),
        ("*/*", None),
        ("application/json, text/event-stream", None),
        ("text/html, TEXT/event-stream;q=0.9", "text/event-stream"),
        ("application/x-ndjson, application/json", "application/x-ndjson"),
        ("*/*, application/x-ndjson", None),
        ("application/json;q=0.5, application/x-ndjson", "application/x-ndjson"),
        ("application/x-ndjson; q=0.1, text/event-stream;q=0.2", "text/event-stream"),
        ("application/x-ndjson;q=0", None),
        ("application/x-ndjson;q=many", "application/x-ndjson"),
    ],
)
def test_the_accept_header_chooses(accept: str, streamed: str | None) -> None:
    assert streamed_type(accept) == streamed
