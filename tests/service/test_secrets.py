"""What nobody may read anywhere: keys and their hashes in logs, answers and figures; passwords in settings."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from evaluator_service.environment import load_settings
from evaluator_service.keys import line_of
from evaluator_service.secrecy import without_keys, without_passwords
from evaluator_service.setting_rows import describe
from evaluator_service.settings import Settings
from trainer_client import cli

ROOT = Path(__file__).parents[2]
KEY = "mc_" + "Ours" * 10 + "-_0"
STRANGE = "mc_" + "Nope" * 10 + "-_0"
HEX = line_of("ours", KEY).split()[1].removeprefix("sha256:")
GARBLED = "hunter2" + STRANGE[10:]
SECRETS = (KEY, STRANGE, STRANGE[10:], HEX)
Make = Callable[..., dict[str, Any]]

PROGRAM = """
import sys
from evaluator_service.fault import fault_judgement
from evaluator_service.schema import JudgeFault
from evaluator_service.server import serve
from evaluator_service.environment import load_settings
from sandbox.toolchains import Found

class Failing:
    def start(self): pass
    def obstacle(self): return None
    def languages(self): return Found()
    def figures(self): return None
    def close(self): pass
    def judge(self, work):
        if work.submission.code == "raise":
            raise RuntimeError(work.submission.id)
        fault = JudgeFault(kind="internal", message="-", retryable=True)
        return fault_judgement(work, settings, fault)

settings = load_settings(port=0, slots_count=1, log_level="debug")
sys.exit(serve(settings, Failing()))
"""


@contextmanager
def service(log: Path, log_format: str) -> Iterator[str]:
    """A process that lets ``KEY`` in and logs everything to ``log``; yields its URL."""
    environment = os.environ | {
        "MICROCODER_API_KEYS": json.dumps({"ours": f"sha256:{HEX}"}),
        "MICROCODER_LOG_FORMAT": log_format,
    }
    command = [sys.executable, "-c", PROGRAM]
    with (
        log.open("w") as stream,
        subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=stream, text=True
        ) as process,
    ):
        try:
            assert process.stdout
            yield process.stdout.readline().rpartition(" ")[2].strip()
        finally:
            process.send_signal(signal.SIGTERM)


def misplaced(client: httpx2.Client, submission: Make) -> list[httpx2.Response]:
    """Answers to requests with a key wherever one could be put by mistake, or by malice."""
    ours = {"Authorization": f"Bearer {KEY}"}
    body = submission("raise", id=KEY, metadata={"key": KEY})
    placed = [
        client.get(f"/{KEY}/{STRANGE}?api_key={KEY}", headers=ours | {"X-Request-ID": KEY}),
        client.get(f"/problems/{KEY}", headers=ours),
        client.post("/judge", json=body, headers=ours),
        client.post("/judge", json=body | {KEY: 1}, headers=ours),
        client.post("/judge", content=KEY, headers=ours),
    ]
    refused = [
        client.get(f"/stats?api_key={KEY}", headers={"Authorization": value, "X-Request-ID": "r"})
        for value in (STRANGE, f"Bearer {STRANGE}", f"Bearer {GARBLED}", f"Basic {STRANGE}", "")
    ]
    assert {answer.status_code for answer in refused} == {401}
    assert [answer.text for answer in refused if _told(answer.text)] == []
    return placed


def _told(text: str) -> list[str]:
    """The secrets in a text."""
    return [secret for secret in SECRETS if secret in text]


@pytest.mark.parametrize("log_format", ["json", "console"])
def test_no_key_reaches_the_log_the_figures_or_a_refusal(
    tmp_path: Path, submission: Make, log_format: str
) -> None:
    log = tmp_path / "log"
    with service(log, log_format) as url, httpx2.Client(base_url=url, timeout=30) as client:
        assert len(misplaced(client, submission)) == 5
        ours = {"Authorization": f"Bearer {KEY}"}
        figures = client.get("/stats", headers=ours).text + client.get("/metrics").text
        assert _told(figures) == []
        assert "ours" not in client.get("/metrics").text
    assert "judge_failed" in log.read_text()
    assert _told(log.read_text()) == []


def test_the_log_names_whose_key_it_was_and_nobody_where_there_was_none(
    tmp_path: Path, submission: Make
) -> None:
    """Also of requests that come at once on one connection: the later begin while the earlier end."""
    log = tmp_path / "log"
    head = "GET /version HTTP/1.1\r\nHost: x\r\nX-Request-ID: {}\r\n"
    mine, strange = head.format("mine"), head.format("strange")
    pipelined = f"{mine}Authorization: Bearer {KEY}\r\n\r\n{strange}Connection: close\r\n\r\n"
    with service(log, "json") as url:
        ours = {"Authorization": f"Bearer {KEY}"}
        httpx2.post(f"{url}/judge", json=submission(), headers=ours, timeout=30)
        host, _, port = url.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port)), 30) as connection:
            connection.sendall(pipelined.encode())
            connection.makefile("rb").read()
    events = [json.loads(line) for line in log.read_text().splitlines()]
    (judged,) = (event for event in events if event["event"] == "judged")
    assert judged["api_key"] == "ours"
    requests = {event["request_id"]: event for event in events if event["event"] == "request"}
    assert (requests["mine"]["status"], requests["strange"]["status"]) == (200, 401)
    assert (requests["mine"]["api_key"], requests["strange"].get("api_key")) == ("ours", None)


# --- settings -------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [[], ["--json"]])
def test_config_shows_that_there_are_keys_and_no_more(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.setenv("MICROCODER_API_KEYS", json.dumps({"ours": f"sha256:{HEX}"}))
    shown = CliRunner().invoke(cli.app, ["config", *arguments])
    assert shown.exit_code == 0
    assert _told(shown.output) == []
    rows = {row.name: row.value for row in describe(load_settings())}
    assert rows["api_keys"] == "***"


def test_a_setting_is_shown_without_the_password_of_its_url() -> None:
    settings = Settings(host="redis://:hunter2@db:6379/0")
    rows = {row.name: row.value for row in describe(settings)}
    assert rows["host"] == "redis://***@db:6379/0"


def test_settings_are_written_without_their_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MICROCODER_API_KEYS", json.dumps({"ours": f"sha256:{HEX}"}))
    assert _told(repr(load_settings()) + str(load_settings().api_keys)) == []
    assert str(bytes.fromhex(HEX)) not in repr(load_settings()) + str(load_settings().api_keys)


@pytest.mark.parametrize(
    "url",
    [
        "redis://:hunter2@db:6379/0",
        "rediss://user:hunter2@db",
        "redis://:hun/ter2@db/0",
        "redis://:h@nter2@db/0",
        "redis://db/0?password=hunter2&db=1",
        "unix:///run/redis.sock?db=0&password=hunter2",
    ],
)
def test_no_password_of_a_url_is_shown(url: str) -> None:
    shown = without_passwords(f"cannot reach {url} at all")
    assert "nter2" not in shown
    assert "***" in shown
    assert shown.endswith(" at all")


@given(st.text(), st.text())
def test_a_key_is_hidden_whatever_stands_around_it(before: str, after: str) -> None:
    assert KEY not in without_keys(before + KEY + after)
