"""Errors of ours are counted where they crossed into the service."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from evaluator_service import routes
from evaluator_service.boundaries import errors_count


def counted(client: httpx2.Client, boundary: str) -> int:
    prefix = f'microcoder_errors_total{{boundary="{boundary}"}} '
    (line,) = [x for x in client.get("/metrics").text.splitlines() if x.startswith(prefix)]
    return int(float(line.removeprefix(prefix)))


def test_a_judge_that_raises_is_counted_once(client: httpx2.Client, submission: Any) -> None:
    before = counted(client, "judge")
    client.post("/judge", json=submission("raise"))
    assert counted(client, "judge") == before + 1


def test_a_request_that_fails_is_counted(
    client: httpx2.Client, monkeypatch: pytest.MonkeyPatch, submission: Any
) -> None:
    before = counted(client, "http")
    monkeypatch.setattr(routes, "read_submission", None)
    assert client.post("/judge", json=submission()).status_code == 500
    assert counted(client, "http") == before + 1


def test_what_programs_do_wrong_is_no_error_of_ours(client: httpx2.Client, submission: Any) -> None:
    before = errors_count()
    client.post("/judge", json=submission("wrong"))
    client.post("/judge", json={})
    assert errors_count() == before
