"""A service of one's own for a while: a child process on a free loopback port.

Owns starting it, waiting until it is ready, and ending it. What it serves is ``evaluator_service`` with the
embedded executor, in the state that the environment's ``MICROCODER_*`` settings describe.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import IO, NamedTuple

import httpx2

READY_SECONDS = 60.0
"""How long jails may take to warm up before we give up."""
END_SECONDS = 15.0
"""How long the service may take to end before it is killed."""
_POLL_SECONDS = 0.05
_LOG_TAIL_BYTES = 4_000

_NOT_INHERITED = ("MICROCODER_REDIS_URL", "MICROCODER_API_KEYS", "MICROCODER_API_KEYS_FILE")
"""Settings of a service for others: one of one's own has its own queue, and asks nobody for a key."""

SERVE = (sys.executable, "-m", "evaluator_service")


class ServiceStartError(RuntimeError):
    """The service did not come up; the message ends with the end of its log."""


class RunningService(NamedTuple):
    """Where a service listens, and which process it is."""

    url: str
    pid: int


@contextmanager
def running_service(
    settings: Mapping[str, str] | None = None, command: tuple[str, ...] = SERVE
) -> Iterator[str]:
    """Run a service for the length of the block; yields its base URL. See ``running_process``."""
    with running_process(settings, command) as service:
        yield service.url


@contextmanager
def running_process(
    settings: Mapping[str, str] | None = None, command: tuple[str, ...] = SERVE
) -> Iterator[RunningService]:
    """Run a service for the length of the block; yields where and what it is once it is ready.

    Args:
        settings: ``MICROCODER_*`` variables that replace those of the environment.
        command: What to start; it prints ``… listens on URL`` and serves ``/readyz``.

    Raises:
        ServiceStartError: If it ends, or is not ready within ``READY_SECONDS``.
    """
    environment = {**os.environ, "MICROCODER_HOST": "127.0.0.1", "MICROCODER_PORT": "0"}
    for name in _NOT_INHERITED:
        environment.pop(name, None)
    environment.update(settings or {})
    with (
        tempfile.TemporaryFile() as log,
        subprocess.Popen(  # noqa: S603 - our own command
            command, env=environment, stdout=subprocess.PIPE, stderr=log
        ) as process,
    ):
        try:
            url = _listening_url(process, log)
            _wait_until_ready(url, process, log)
            yield RunningService(url, process.pid)
        finally:
            _end(process)


def _listening_url(process: subprocess.Popen[bytes], log: IO[bytes]) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        _, found, url = line.decode().rpartition("listens on ")
        if found:
            return url.strip()
    raise ServiceStartError(f"the service ended before it listened\n{_tail(log)}")


def _wait_until_ready(url: str, process: subprocess.Popen[bytes], log: IO[bytes]) -> None:
    give_up = time.monotonic() + READY_SECONDS
    with httpx2.Client(base_url=url, trust_env=False) as client:
        while client.get("/readyz").status_code != httpx2.codes.OK:
            if process.poll() is not None:
                raise ServiceStartError(f"the service ended while starting\n{_tail(log)}")
            if time.monotonic() > give_up:
                raise ServiceStartError(f"not ready within {READY_SECONDS:.0f} s\n{_tail(log)}")
            time.sleep(_POLL_SECONDS)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()


def _tail(log: IO[bytes]) -> str:
    size_bytes = log.seek(0, os.SEEK_END)
    log.seek(max(0, size_bytes - _LOG_TAIL_BYTES))
    return log.read().decode(errors="replace")
