"""When our own code fails, the client gets a problem document and the log gets the rest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from evaluator_service import routes
from evaluator_service.complaints import place
from evaluator_service.errors import quoted
from evaluator_service.logs import outline


def test_a_bug_is_a_500_in_the_same_form(
    client: httpx2.Client, monkeypatch: pytest.MonkeyPatch, submission: Callable[..., Any]
) -> None:
    def broken(_: object) -> None:
        raise ZeroDivisionError("a secret")

    monkeypatch.setattr(routes, "wait_for_all", broken)
    answer = client.post("/judge", json=submission())
    assert (answer.status_code, answer.json()["type"]) == (500, "/errors/internal-error")
    assert answer.headers["content-type"] == "application/problem+json"
    assert "a secret" not in answer.text


@pytest.mark.parametrize("text", ["\ud800" * 300, "\x00\x1b", "x" * 10**6, "é ü"])
def test_quoted_text_is_short_and_can_be_encoded(text: str) -> None:
    assert len(quoted(text).encode()) <= 210
    assert quoted(text).isprintable()


def test_short_clean_text_is_quoted_as_it_is() -> None:
    assert quoted("naïve") == "naïve"


def test_a_place_reads_like_a_path() -> None:
    assert place(("problems", "call", "call", "tests", 0, "args")) == "problems.call.tests[0].args"


@pytest.mark.parametrize(
    ("message", "logged"),
    [
        ("the prelude fails: NameError: name 'secret' (prelude.py, line 3)", "NameError, line 3"),
        ("the test code cannot be used: SyntaxError: secret", "SyntaxError"),
        ("SecretError: secret", "its judgement says why"),
    ],
)
def test_the_log_of_a_bad_problem_has_the_class_and_the_line_alone(
    message: str, logged: str
) -> None:
    assert outline(message) == logged
