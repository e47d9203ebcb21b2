"""The header ``Idempotency-Key``, and what it has work called."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator_service.errors import ValidationFailed
from evaluator_service.idempotency import (
    fingerprint_of,
    kept_under,
    name_of,
    parsed_key,
    submission_id,
)
from tests.service.executors import problem, work

VISIBLE = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=128)


def quoted(key: str) -> str:
    return '"' + key.replace("\\", "\\\\").replace('"', '\\"') + '"'


@given(VISIBLE)
def test_a_quoted_key_is_what_was_quoted(key: str) -> None:
    assert parsed_key(quoted(key)) == key


@given(VISIBLE.filter(lambda key: '"' not in key and "\\" not in key))
def test_a_bare_key_is_the_same_as_in_quotes(key: str) -> None:
    assert parsed_key(key) == parsed_key(quoted(key)) == key


@given(st.text() | st.from_regex(r'"[ -~]*"?', fullmatch=True))
def test_whatever_is_sent_is_a_short_visible_key_or_refused(text: str) -> None:
    try:
        key = parsed_key(text)
    except ValidationFailed:
        return
    assert 1 <= len(key) <= 128
    assert all("!" <= sign <= "~" for sign in key)


@pytest.mark.parametrize(
    "text",
    ["", '""', '"a', 'a"', "a b", '"a b"', "a\\b", '"a\\b"', "é", "a" * 129, '"a";q=1', "a\x7f"],
)
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(ValidationFailed, match="Idempotency-Key: "):
        parsed_key(text)


@pytest.mark.parametrize("path", ["/judge", "/judge/batch", "/submissions"])
@pytest.mark.parametrize("keys", [["a b"], ["a", "b"]], ids=["no key", "two keys"])
def test_a_header_that_is_no_key_is_422_and_names_itself(
    shared_client: httpx2.Client, submission: Any, path: str, keys: list[str]
) -> None:
    body = {"submissions": [submission()]} if path == "/judge/batch" else submission()
    headers = [("Idempotency-Key", key) for key in keys]
    answer = shared_client.post(path, json=body, headers=headers)
    assert (answer.status_code, answer.json()["type"]) == (422, "/errors/validation-error")
    assert answer.json()["errors"][0]["where"] == "Idempotency-Key"


def test_where_it_has_no_effect_it_is_not_looked_at(shared_client: httpx2.Client) -> None:
    assert shared_client.get("/version", headers={"Idempotency-Key": "no key"}).status_code == 200


# --- names ----------------------------------------------------------------------------------------

OWNERS = st.none() | st.text(max_size=3)


@given(OWNERS, VISIBLE, OWNERS, VISIBLE)
def test_nobody_reaches_what_another_sent(
    owner: str | None, key: str, other: str | None, other_key: str
) -> None:
    same = (owner, key) == (other, other_key)
    assert (submission_id(owner, key) == submission_id(other, other_key)) == same


def test_another_owner_finds_nothing_under_the_same_id() -> None:
    known = submission_id("alice", "k")
    assert len({name_of(owner, known) for owner in ("alice", "bob", None)}) == 3


def test_every_claim_of_a_name_has_a_place_of_its_own() -> None:
    assert kept_under(work(), "k").kept_as != kept_under(work(), "k").kept_as


@pytest.mark.parametrize(
    ("change", "is_same"),
    [
        ({}, True),
        ({"stop": "first_failure"}, True),
        ({"deadline_seconds": 5.0}, True),
        ({"code": "wrong"}, False),
        ({"id": "a"}, False),
        ({"problem": problem("8")}, False),
        ({"metadata": {"step": 1}}, False),
    ],
    ids=lambda value: next(iter(value), "nothing") if isinstance(value, dict) else None,
)
def test_the_same_content_is_the_same_however_long_somebody_waits(
    change: dict[str, Any], is_same: bool
) -> None:
    assert (fingerprint_of(work()) == fingerprint_of(work(**change))) == is_same
