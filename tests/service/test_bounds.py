"""What clients together can take from the service is bounded: memory, connections, time."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable
from typing import Any

import httpx2
import pytest
import uvicorn

from evaluator_service import bodies, protocol, requests
from evaluator_service.api import create_app
from evaluator_service.embedded import EmbeddedEngine
from evaluator_service.executor import Executor
from evaluator_service.schema import StdioProblem, Submission
from evaluator_service.settings import Settings
from evaluator_service.values import DictValue, ValueFormatError, from_json, to_msgpack
from evaluator_service.work import Work

KIB = 1 << 10


def half_sent(client: httpx2.Client, body: bytes) -> socket.socket:
    """A connection that has sent ``body`` and promised one byte more."""
    connection = socket.create_connection((client.base_url.host, client.base_url.port), 30)
    head = "POST /judge HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    connection.sendall(f"{head}Content-Length: {len(body) + 1}\r\n\r\n".encode() + body)
    return connection


def test_all_bodies_together_are_bounded_and_room_comes_back(
    serve: Callable[..., Any], submission: Callable[..., dict[str, Any]]
) -> None:
    client, _ = serve(max_body_bytes=40 * KIB, max_bodies_bytes=48 * KIB)
    held = [half_sent(client, b" " * 40_000) for _ in range(2)]
    refused = held[1].recv(100)  # the second of the two, whichever arrives later
    refused = refused or held[0].recv(100)
    assert b" 429 " in refused
    for connection in held:
        connection.close()
    assert client.post("/judge", json=submission()).status_code == 200


def test_a_body_that_never_ends_is_given_up(
    shared_client: httpx2.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bodies, "BODY_SECONDS", 0.05)
    with half_sent(shared_client, b"{") as connection:
        assert connection.recv(100).startswith(b"HTTP/1.1 408 ")


def test_an_answer_may_take_longer_than_a_body(
    serve: Callable[..., Any],
    submission: Callable[..., dict[str, Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bodies, "BODY_SECONDS", 0.05)
    client, judge = serve()
    threading.Timer(0.2, judge.release.set).start()
    assert client.post("/judge", json=submission("hold")).status_code == 200


def test_a_client_that_hangs_up_within_its_body_is_no_failure_of_ours(judge: Any) -> None:
    arriving = [{"type": "http.request", "body": b"{", "more_body": True}]
    statuses: list[int] = []

    async def receive() -> Any:
        return arriving.pop() if arriving else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/judge",
        "query_string": b"",
        "headers": [(b"content-type", b"application/json")],
    }
    asyncio.run(create_app(Settings(), judge)(scope, receive, send))
    assert statuses == [499]


# --- heads ----------------------------------------------------------------------------------------


class Wire(asyncio.Transport):
    """The server's end of a connection that exists in this process alone."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.closed = False

    def write(self, data: Any) -> None:
        """Remember what was written."""
        self.written += bytes(data)

    def close(self) -> None:
        """Remember that it was closed."""
        self.closed = True

    def pause_reading(self) -> None:
        """There is nothing to read."""

    def resume_reading(self) -> None:
        """There is nothing to read."""

    def is_closing(self) -> bool:
        """Whether it was closed."""
        return self.closed

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Nothing is known of its ends."""
        return default


async def connected(judge: Any) -> tuple[protocol.BoundedHttp, Wire]:
    config = uvicorn.Config(create_app(Settings(), judge), log_config=None)
    wire = Wire()
    found = protocol.BoundedHttp(config, uvicorn.server.ServerState(), {})
    found.connection_made(wire)
    return found, wire


def test_a_head_without_end_is_hung_up_on(judge: Any) -> None:
    async def scenario() -> None:
        http, wire = await connected(judge)
        http.data_received(b"GET /healthz HTTP/1.1\r\nX: ")
        for _ in range(100):
            if not wire.closed:
                http.data_received(b"a" * KIB)
        assert wire.closed
        assert wire.written.startswith(b"HTTP/1.1 400 ")

    asyncio.run(scenario())


def test_every_request_of_a_connection_has_its_own_bound(judge: Any) -> None:
    async def scenario() -> None:
        http, wire = await connected(judge)
        for _ in range(10):
            http.data_received(b"GET /healthz HTTP/1.1\r\n")
            http.data_received(b"X: " + b"a" * 20 * KIB + b"\r\n")
            http.data_received(b"Host: x\r\n\r\n")
        assert not wire.closed

    asyncio.run(scenario())


def test_who_says_nothing_is_hung_up_on(judge: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "HEAD_SECONDS", 0.0)

    async def scenario() -> None:
        _, wire = await connected(judge)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert wire.closed

    asyncio.run(scenario())


def test_what_trails_a_body_is_dropped(judge: Any) -> None:
    async def scenario() -> None:
        http, _ = await connected(judge)
        http.data_received(b"POST /judge HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")
        http.data_received(b"0\r\nContent-Type: application/json\r\n\r\n")
        assert [name for name, _ in http.headers] == [b"transfer-encoding"]

    asyncio.run(scenario())


# --- typed values ---------------------------------------------------------------------------------


def test_a_clients_keys_are_never_hashed() -> None:
    """A client can choose integers that collide; whoever hashes would find these equal."""
    assert to_msgpack(DictValue(((1, 2), (1, 3)))) == b"\x82\x01\x02\x01\x03"


@pytest.mark.parametrize("tag", ["$set", "$dict"])
@pytest.mark.parametrize("member", [[1], {"a": 1}, {"$tuple": [[1]]}])
def test_what_no_set_or_dict_can_hold_is_refused_before_a_program_is_blamed(
    tag: str, member: Any
) -> None:
    content = [[member, 1]] if tag == "$dict" else [member]
    with pytest.raises(ValueFormatError, match="cannot hash"):
        to_msgpack(from_json({tag: content}))


# --- work nobody waits for ------------------------------------------------------------------------


def test_work_is_withdrawn_with_its_future(judge: Any, settings: Settings) -> None:
    problem = StdioProblem.model_validate({"kind": "stdio", "tests": [{"expected": "7"}]})
    work = Work(Submission(code="hold", problem=problem), problem, "sha256:" + "0" * 64, 0.0)

    async def scenario() -> None:
        executor = Executor(EmbeddedEngine(judge, settings), settings)
        await executor.start()
        (future,) = await executor.submit([work])
        assert not work.withdrawn.is_set()
        future.cancel()
        await asyncio.sleep(0)
        assert work.withdrawn.is_set()
        await executor.close()

    asyncio.run(scenario())


def test_few_large_bodies_are_read_at_a_time() -> None:
    assert requests._reading_threads()._max_workers == requests.LARGE_BODIES_COUNT
