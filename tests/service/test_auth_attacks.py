"""Bytes that a stranger may send to get past the key: none of them opens anything, none is a fault of ours."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator_service.keys import keys_of, line_of
from evaluator_service.settings import Settings

KEY = "mc_" + "Ours" * 10 + "-_0"
STRANGE = "mc_" + "Nope" * 10 + "-_0"
RIGHT = f"Authorization: Bearer {KEY}"
JSON = "Content-Type: application/json"


@pytest.fixture(scope="module")
def locked(listening: Callable[..., Any]) -> Iterator[httpx2.Client]:
    """A client of a service with one key, which the tests of this module share."""
    settings = Settings(slots_count=1, api_keys=keys_of({"ours": line_of("ours", KEY).split()[1]}))
    with listening(settings) as client:
        yield client


def request(target: str, *headers: str, method: str = "GET", body: str = "") -> bytes:
    """The bytes of a request; the characters of ``headers`` stand for the bytes of their numbers."""
    head = "\r\n".join([f"{method} {target} HTTP/1.1", "Host: x", *headers])
    return (head + "\r\n\r\n" + body).encode("latin-1")


def answers(client: httpx2.Client, sent: bytes, count: int = 1) -> list[tuple[int, str]]:
    """Status and body of the first answers to these bytes."""
    address = (client.base_url.host, client.base_url.port)
    with socket.create_connection(address, 30) as connection, connection.makefile("rb") as stream:
        connection.sendall(sent)
        return [_answer(stream) for _ in range(count)]


def _answer(stream: Any) -> tuple[int, str]:
    status = int(stream.readline().split()[1])
    length = 0
    while (line := stream.readline().strip().lower()) != b"":
        if line.startswith(b"content-length:"):
            length = int(line.partition(b":")[2])
    return status, stream.read(length).decode()


def status(client: httpx2.Client, sent: bytes) -> int:
    """Status of the answer to these bytes."""
    return answers(client, sent)[0][0]


# --- the path -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "target",
    "/V1/healthz /HEALTHZ //healthz /healthz/ /healthz// /./healthz /v1/../healthz /v1//healthz /v1/v1/healthz "
    "/healthz/../stats /healthz/..%2fstats /metrics/..;/stats /healthz%00 /healthz%0a /healthz%20 /healthz%3f/stats "
    "/healthz;/stats /healthz%25 /%ff /V1/judge //judge /v1/../judge /judge/ http://x/stats "
    "http://x/healthz@y/stats //x/healthz * /stats?/healthz /stats#/healthz".split(),
)
def test_a_path_that_only_looks_like_a_probe_asks_for_a_key(
    locked: httpx2.Client, target: str
) -> None:
    assert status(locked, request(target)) == 401


@pytest.mark.parametrize("method", "HEAD OPTIONS POST PUT PATCH DELETE TRACE CONNECT".split())
def test_every_method_asks_for_a_key(locked: httpx2.Client, method: str) -> None:
    assert status(locked, request("/stats", method=method)) == 401


@pytest.mark.parametrize("method", "HEAD OPTIONS POST PUT PATCH DELETE TRACE CONNECT".split())
def test_a_probe_knows_no_method_but_one(locked: httpx2.Client, method: str) -> None:
    assert status(locked, request("/healthz", method=method)) == 405


def test_a_refused_head_request_has_no_body(locked: httpx2.Client) -> None:
    address = (locked.base_url.host, locked.base_url.port)
    with socket.create_connection(address, 30) as connection:
        connection.sendall(request("/stats", "Connection: close", method="HEAD"))
        assert connection.makefile("rb").read().endswith(b"\r\n\r\n")


@pytest.mark.parametrize("target", ["x:443", "http:///healthz", "/healthz\0", "healthz"])
def test_a_target_that_is_none_is_no_http(locked: httpx2.Client, target: str) -> None:
    assert status(locked, request(target)) == 400


# --- the header -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "header",
    [
        f"X-Authorization: Bearer {KEY}",
        f"Authorization_: Bearer {KEY}",
        f"Proxy-Authorization: Bearer {KEY}",
        f"X-Api-Key: {KEY}",
        f"Cookie: Authorization=Bearer {KEY}",
        f"Authorization: Bearer\t{KEY}",
        f"Authorization: Bearer\xa0{KEY}",
        f"Authorization: Bearer \xff{KEY}",
        f"Authorization: \xe2\x84\xaaBearer {KEY}",
        "Authorization: " + "Bearer " * 3000 + KEY,
        f"{RIGHT}\r\n{RIGHT}",
        f"{RIGHT}\r\nauthorization: Bearer {STRANGE}",
        f"{RIGHT}\r\nAuthorization:",
        f"{RIGHT}, Bearer {STRANGE}",
        "X-Forwarded-Prefix: /healthz\r\nX-Original-URL: /healthz\r\nX-Rewrite-URL: /healthz",
        "X-Forwarded-For: 127.0.0.1\r\nForwarded: for=127.0.0.1\r\nX-Real-IP: 127.0.0.1",
    ],
)
def test_a_key_counts_in_one_header_of_its_own_alone(locked: httpx2.Client, header: str) -> None:
    assert status(locked, request("/stats", header)) == 401


@pytest.mark.parametrize(
    "header",
    [
        f"Authorization : Bearer {KEY}",
        f"Authorization:\r\n Bearer {KEY}",
        f" {RIGHT}",
        f"Authorization\0: Bearer {KEY}",
        f"{RIGHT}\0",
        f"{RIGHT}\x0b",
        f"X: a\n{RIGHT}",
        f"X: a\r{RIGHT}",
    ],
)
def test_a_header_that_is_none_is_no_http(locked: httpx2.Client, header: str) -> None:
    assert status(locked, request("/stats", header)) == 400


@pytest.mark.parametrize("header", [RIGHT, RIGHT.lower().replace(KEY.lower(), KEY), RIGHT + " \t"])
def test_a_right_key_is_let_in_however_its_header_is_written(
    locked: httpx2.Client, header: str
) -> None:
    assert status(locked, request("/stats", header)) == 200


@given(st.text(st.characters(max_codepoint=255, exclude_characters="\r\n"), max_size=99))
def test_no_header_is_a_fault_of_ours(locked: httpx2.Client, value: str) -> None:
    assert status(locked, request("/stats", f"Authorization: Bearer {value}")) in (400, 401)


# --- what follows ---------------------------------------------------------------------------------


def test_a_key_that_trails_a_body_comes_too_late(locked: httpx2.Client) -> None:
    chunked = ("Transfer-Encoding: chunked", "Trailer: Authorization")
    body = f"2\r\n{{}}\r\n0\r\n{RIGHT}\r\n\r\n"
    assert status(locked, request("/judge", JSON, *chunked, method="POST", body=body)) == 401


def test_the_body_of_a_refused_request_is_no_request(locked: httpx2.Client) -> None:
    hidden = request("/version", RIGHT)
    outer = request("/judge", f"Content-Length: {len(hidden)}", method="POST", body=hidden.decode())
    (first, second) = answers(locked, outer + request("/nowhere", RIGHT), 2)
    assert (first[0], second[0]) == (401, 404)


@pytest.mark.parametrize(
    "framing",
    [
        ("Content-Length: 4", "Transfer-Encoding: chunked"),
        ("Content-Length: 0", "Content-Length: 5"),
        ("Content-Length: +5",),
    ],
)
def test_a_body_of_two_lengths_hides_no_request(
    locked: httpx2.Client, framing: tuple[str, ...]
) -> None:
    body = "0\r\n\r\n" + request("/version", RIGHT).decode()
    assert status(locked, request("/judge", *framing, method="POST", body=body)) == 400


def test_a_key_opens_its_own_request_alone(locked: httpx2.Client) -> None:
    mixed = [request("/version", RIGHT), request("/version"), request("/version", RIGHT)]
    assert [code for code, _ in answers(locked, b"".join(mixed), 3)] == [200, 401, 200]


@pytest.mark.parametrize("wanted", ["websocket", "h2c", "TLS/1.0"])
def test_no_other_protocol_is_spoken(locked: httpx2.Client, wanted: str) -> None:
    upgrade = (f"Upgrade: {wanted}", "Connection: Upgrade", "Sec-WebSocket-Version: 13")
    handshake = (*upgrade, "Sec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==")
    assert status(locked, request("/judge", *handshake)) == 401
    assert status(locked, request("/version", *handshake, RIGHT)) == 200


def test_no_refusal_repeats_what_was_sent(locked: httpx2.Client) -> None:
    secret = f"Authorization: Bearer {STRANGE}"
    ((code, body),) = answers(locked, request(f"/{STRANGE}?key={STRANGE}", secret))
    assert code == json.loads(body)["status"] == 401
    assert STRANGE not in body
