"""Who is let in: a key in one header and nowhere else, and whose it is goes with the work."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import Any

import httpx2
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evaluator_service.auth import Authentication, bearer_key
from evaluator_service.keyring import KeyRing
from evaluator_service.keys import keys_of, line_of
from evaluator_service.settings import Settings

KEY = "mc_" + "Ours" * 10 + "-_0"
OTHER = "mc_" + "Them" * 10 + "-_0"
STRANGE = "mc_" + "Nope" * 10 + "-_0"
PROTECTED = ("/judge", "/problems/x", "/version", "/stats", "/docs", "/openapi.json", "/nowhere")
Make = Callable[..., dict[str, Any]]


def settings_of(**quotas: int | None) -> dict[str, Any]:
    """Settings that let ``KEY`` and ``OTHER`` in, as ``ours`` and ``theirs``."""
    entries = {
        name: {"hash": line_of(name, key).split()[1], "max_items": quotas.get(name)}
        for name, key in (("ours", KEY), ("theirs", OTHER))
    }
    return {"api_keys": keys_of(entries)}


def bearer(key: str) -> dict[str, str]:
    """The header that shows a key."""
    return {"Authorization": f"Bearer {key}"}


@pytest.fixture
def locked(serve: Callable[..., Any]) -> tuple[httpx2.Client, Any]:
    """A client of a service with keys, and the judge behind it."""
    client, judge = serve(slots_count=2, **settings_of())
    return client, judge


# --- over HTTP ------------------------------------------------------------------------------------


def test_a_right_key_is_let_in(locked: tuple[httpx2.Client, Any], submission: Make) -> None:
    client, _ = locked
    answer = client.post("/judge", json=submission(), headers=bearer(KEY))
    assert (answer.status_code, answer.json()["verdict"]) == (200, "accepted")


@pytest.mark.parametrize("version", ["", "/v1"])
@pytest.mark.parametrize("path", PROTECTED)
def test_every_path_but_the_probes_asks_for_a_key(
    locked: tuple[httpx2.Client, Any], path: str, version: str
) -> None:
    client, _ = locked
    answer = client.get(version + path, headers={"X-Request-ID": "mine"})
    assert (answer.status_code, answer.json()["type"]) == (401, "/errors/unauthorized")
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["www-authenticate"] == 'Bearer realm="microcoder"'
    assert answer.headers["x-request-id"] == answer.json()["request_id"] == "mine"


@pytest.mark.parametrize("version", ["", "/v1"])
@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_a_probe_asks_for_none(locked: tuple[httpx2.Client, Any], path: str, version: str) -> None:
    client, _ = locked
    assert client.get(version + path).status_code == 200


def test_a_key_of_nobody_is_told_so(locked: tuple[httpx2.Client, Any]) -> None:
    client, _ = locked
    answer = client.get("/version", headers=bearer(STRANGE))
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].endswith('error="invalid_token"')
    assert STRANGE not in answer.text


def test_a_stranger_is_refused_before_the_body_is_there(
    locked: tuple[httpx2.Client, Any],
) -> None:
    client, _ = locked
    with socket.create_connection((client.base_url.host, client.base_url.port), 30) as connection:
        connection.sendall(b"POST /judge HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.1 401 ")


def test_work_carries_the_name_of_its_key(
    locked: tuple[httpx2.Client, Any], submission: Make
) -> None:
    client, judge = locked
    client.post("/judge", json=submission(), headers=bearer(KEY))
    batch = {"submissions": [submission()] * 2}
    client.post("/judge/batch", json=batch, headers=bearer(OTHER))
    assert judge.owners == ["ours", "theirs", "theirs"]


def test_without_keys_work_is_nobodys(client: httpx2.Client, judge: Any, submission: Make) -> None:
    assert client.post("/judge", json=submission(), headers=bearer(KEY)).status_code == 200
    assert judge.owners == [None]


def test_a_key_that_left_the_file_is_refused_at_the_next_request(
    serve: Callable[..., Any], tmp_path: Any
) -> None:
    file = tmp_path / "keys"
    file.write_text(line_of("ours", KEY))
    client, _ = serve(api_keys_file=file)
    before = client.get("/version", headers=bearer(KEY)).status_code
    file.write_text(line_of("theirs", OTHER))
    after = client.get("/version", headers=bearer(KEY)).status_code
    assert (before, after) == (200, 401)


# --- the header -----------------------------------------------------------------------------------

NAMES = st.sampled_from([b"authorization", b"Authorization", b"AUTHORIZATION"])
PARTS = st.sampled_from(
    [
        *(b"Bearer", b"bearer", b"Basic", b" ", b"\t", b",", b"=", b"\xff", b"\0", b"mc_", b'"'),
        *(KEY.encode(), OTHER.encode()[:-1], STRANGE.encode()),
    ]
)
VALUES = st.binary() | st.lists(PARTS).map(b"".join)


@pytest.mark.parametrize("value", [f"Bearer {KEY}", f"bearer {KEY}", f"BEARER   {KEY} \t"])
def test_a_key_is_read_from_its_header(value: str) -> None:
    assert bearer_key([(b"authorization", value.encode())]) == KEY.encode()


@pytest.mark.parametrize(
    "value",
    [
        KEY,
        f"Bearer{KEY}",
        f"Bearer\t{KEY}",
        f"Bearer {KEY}=",
        f"Bearer {KEY}, Bearer {KEY}",
        f"Bearer {KEY} {KEY}",
        f'Bearer "{KEY}"',
        f"Bearer {KEY[:-1]}",
        f"Bearer {KEY}a",
        f"Bearer {KEY.upper()}",
        f"Basic {KEY}",
        f"Token {KEY}",
        "Bearer",
        "",
    ],
)
def test_what_is_no_key_in_its_form_is_none(value: str) -> None:
    assert bearer_key([(b"authorization", value.encode())]) is None


@pytest.mark.parametrize("second", [f"Bearer {KEY}", f"Bearer {OTHER}", ""])
def test_two_headers_are_no_key_even_if_they_are_one(second: str) -> None:
    headers = [(b"authorization", f"Bearer {KEY}".encode()), (b"Authorization", second.encode())]
    assert bearer_key(headers) is None
    assert bearer_key(headers[::-1]) is None


@given(st.lists(st.tuples(NAMES, VALUES)))
@example([(b"authorization", b"Bearer " + STRANGE.encode())])
def test_no_header_opens_but_one_with_a_right_key(headers: list[tuple[bytes, bytes]]) -> None:
    presented = bearer_key(headers)
    ring = KeyRing(Settings(**settings_of()))
    if presented is not None and ring.find(presented):
        (value,) = (value for _, value in headers)
        assert value.lower().split() == [b"bearer", KEY.lower().encode()]
        assert KEY.encode() in value


# --- what is no HTTP ------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/judge", "/healthz"])
def test_a_websocket_is_closed_whatever_it_shows(path: str) -> None:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def never(*_: Any) -> Any:
        pytest.fail("went on")

    scope = {
        "type": "websocket",
        "path": path,
        "headers": [(b"authorization", f"Bearer {KEY}".encode())],
    }
    authentication = Authentication(never, KeyRing(Settings(**settings_of())))
    asyncio.run(authentication(scope, never, send))
    assert sent == [{"type": "websocket.close", "code": 1008}]
