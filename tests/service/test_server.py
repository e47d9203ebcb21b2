"""The process: it says where it listens, drains on SIGTERM, ends at once on a second one."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest

from evaluator_service.api import create_app
from evaluator_service.cli import _NoJudge
from evaluator_service.keys import keys_of, line_of, new_key
from evaluator_service.server import StartError, keep_to_this_machine, listening_sockets
from evaluator_service.settings import Settings

ROOT = Path(__file__).parents[2]

# Each run announces itself on standard output, and lasts until a byte comes on standard input.
PROGRAM = """
import os, sys
from evaluator_service.fault import fault_judgement
from evaluator_service.schema import JudgeFault
from evaluator_service.server import serve
from evaluator_service.settings import Settings
from sandbox.toolchains import Found

class Held:
    def start(self): pass
    def obstacle(self): return None
    def languages(self): return Found()
    def figures(self): return None
    def close(self): pass
    def judge(self, work):
        print("held", flush=True)
        os.read(0, 1)
        fault = JudgeFault(kind="internal", message="released", retryable=True)
        return fault_judgement(work, settings, fault)

settings = Settings(port=0, slots_count=1)
sys.exit(serve(settings, Held()))
"""


class Process:
    """A service of its own, and how to reach it."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.url = self.line().removeprefix("microcoder listens on ").strip()
        self.client = httpx2.Client(base_url=self.url, timeout=30)

    def line(self) -> str:
        """The next line of its standard output."""
        assert self.process.stdout
        return self.process.stdout.readline()

    def release(self) -> None:
        """Let one run end."""
        assert self.process.stdin
        self.process.stdin.write(".")
        self.process.stdin.flush()


@pytest.fixture
def service() -> Iterator[Process]:
    """A service in a process of its own."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, text=True
    ) as process:
        found = Process(process)
        try:
            yield found
        finally:
            found.client.close()
            process.kill()
            process.communicate()


def test_sigterm_finishes_what_was_accepted_then_exits_0(
    service: Process, submission: Callable[..., dict[str, Any]]
) -> None:
    batch = {"submissions": [submission(id="runs"), submission(id="waits")]}
    with ThreadPoolExecutor(1) as pool:
        accepted = pool.submit(service.client.post, "/judge/batch", json=batch)
        assert service.line() == "held\n"
        service.process.send_signal(signal.SIGTERM)
        while service.client.get("/readyz").status_code != 503:
            pass
        refused = service.client.post("/judge", json=submission())
        assert (refused.status_code, refused.json()["type"]) == (503, "/errors/not-ready")
        service.release()
        service.release()
        judgements = accepted.result().json()["judgements"]
        assert [judgement["error"]["message"] for judgement in judgements] == ["released"] * 2
    assert service.process.wait(30) == 0


def test_sigterm_finishes_what_nobody_waits_for_yet(
    service: Process, submission: Callable[..., dict[str, Any]]
) -> None:
    places = [
        service.client.post("/submissions", json=submission(code)).headers["location"]
        for code in ("runs", "waits")
    ]
    assert service.line() == "held\n"
    service.process.send_signal(signal.SIGTERM)
    while service.client.get("/readyz").status_code != 503:
        pass
    service.release()
    assert service.line() == "held\n"
    state = service.client.get(places[0], params={"wait_seconds": 30}).json()
    assert state["judgement"]["error"]["message"] == "released"
    service.release()
    assert service.process.wait(30) == 0


def test_a_second_sigterm_ends_it_at_once(
    service: Process, submission: Callable[..., dict[str, Any]]
) -> None:
    with ThreadPoolExecutor(1) as pool:
        pool.submit(service.client.post, "/judge", json=submission())
        assert service.line() == "held\n"
        service.process.send_signal(signal.SIGTERM)
        while service.client.get("/readyz").status_code != 503:
            pass
        service.process.send_signal(signal.SIGTERM)
        assert service.process.wait(30) == -signal.SIGTERM


def test_every_line_of_the_log_is_json_with_ids_and_without_code(
    service: Process, submission: Callable[..., dict[str, Any]]
) -> None:
    service.release()
    service.client.post(
        "/judge", json=submission("secret()", id="mine"), headers={"X-Request-ID": "r-1"}
    )
    service.process.send_signal(signal.SIGTERM)
    _, log = service.process.communicate()
    events = {event["event"]: event for event in map(json.loads, log.splitlines())}
    assert {"listening", "judged", "request", "draining", "drained"} <= set(events)
    assert (events["judged"]["request_id"], events["judged"]["submission_id"]) == ("r-1", "mine")
    assert "secret" not in log


# --- addresses ------------------------------------------------------------------------------------


def test_a_port_that_is_taken_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(StartError, match=f"MICROCODER_PORT={port}: something listens"):
            listening_sockets("127.0.0.1", port)


def test_an_address_of_another_machine_is_named() -> None:
    with pytest.raises(
        StartError, match=r"MICROCODER_HOST=203\.0\.113\.9: this machine has no such"
    ):
        listening_sockets("203.0.113.9", 0)


def test_a_name_without_an_address_is_named() -> None:
    with pytest.raises(StartError, match=r"MICROCODER_HOST=nowhere\.invalid: "):
        listening_sockets("nowhere.invalid", 0)


def test_a_free_port_is_bound() -> None:
    (listener,) = listening_sockets("127.0.0.1", 0)
    with listener:
        assert listener.getsockname()[1] > 0


# --- strangers ------------------------------------------------------------------------------------


def keep(*addresses: str, **changes: Any) -> None:
    """What a service with these settings does before it listens at these addresses."""
    service = create_app(Settings(**changes), _NoJudge()).state.service
    listeners: list[Any] = [SimpleNamespace(getsockname=lambda a=a: (a, 0)) for a in addresses]
    keep_to_this_machine(service, listeners)


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "203.0.113.9", "fe80::1%eth0", "2001:db8::1"])
def test_a_service_without_keys_listens_where_strangers_are_only_if_told_to(address: str) -> None:
    with pytest.raises(StartError, match=r"MICROCODER_HOST=judge: .*--allow-unauthenticated$"):
        keep("127.0.0.1", address, host="judge")
    keep(address, allow_unauthenticated=True)


def test_a_service_without_keys_listens_on_loopback() -> None:
    keep("127.0.0.1", "127.8.9.10", "::1")


def test_a_service_with_keys_listens_anywhere() -> None:
    keep("0.0.0.0", "::", api_keys=keys_of({"ours": line_of("ours", new_key()).split()[1]}))


def test_a_name_is_what_it_resolves_to(monkeypatch: pytest.MonkeyPatch) -> None:
    def resolved(*_: Any, **__: Any) -> Any:
        stream = (socket.AF_INET, socket.SOCK_STREAM, 6, "")
        return [(*stream, ("127.0.0.1", 0)), (*stream, ("0.0.0.0", 0))]

    monkeypatch.setattr(socket, "getaddrinfo", resolved)
    with ExitStack() as opened:
        listeners = [opened.enter_context(each) for each in listening_sockets("judge.test", 0)]
        addresses = [listener.getsockname()[0] for listener in listeners]
        with pytest.raises(StartError, match=r"HOST=judge\.test: whoever reaches 0\.0\.0\.0 could"):
            keep(*addresses, host="judge.test")
