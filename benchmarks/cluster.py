"""A small cluster of one's own: a Redis, API processes and workers, each of which can be killed and started again."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx2
import psutil

from benchmarks.redis_server import RedisServer

READY_SECONDS = 120.0
END_SECONDS = 60.0


class Process:
    """One process of the cluster, under a name; its log goes on when it is started again."""

    def __init__(
        self, name: str, command: str, settings: Mapping[str, str], folder: Path, says: str
    ) -> None:
        """Starts nothing.

        Args:
            name: Of its log.
            command: Of ``microcoder``, for example ``worker``.
            settings: ``MICROCODER_*`` variables.
            folder: For its log.
            says: What it prints once it works.
        """
        self.name = name
        self._command = (sys.executable, "-c", _MAIN, command)
        self._environment = {k: v for k, v in os.environ.items() if not k.startswith("MICROCODER_")}
        self._environment |= settings
        self.log = folder / f"{name}.log"
        self._says = says
        self._process: subprocess.Popen[str] | None = None
        self.family: set[psutil.Process] = set()
        """All that was ever seen to be part of it when it was to end."""

    @property
    def pid(self) -> int:
        """Of the process that runs."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it, and wait until it says that it works.

        Raises:
            RuntimeError: If it ends before; with the end of its log.
        """
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - our own command
                self._command, env=self._environment, stdout=subprocess.PIPE, stderr=log, text=True
            )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if self._says in line:
                return
        raise RuntimeError(f"{self.name} ended\n{self.log.read_text()[-3000:]}")

    def kill(self) -> None:
        """Kill it; what is below it has to end by itself."""
        self.signal(signal.SIGSTOP)  # or it would start others while we look
        self._remember_family()
        self.signal(signal.SIGKILL)
        assert self._process is not None
        self._process.wait()

    def signal(self, number: int) -> None:
        """Send it a signal."""
        os.kill(self.pid, number)

    def end(self) -> None:
        """Ask it to end, and see to it that it does."""
        if self._process is None or self._process.poll() is not None:
            return
        self._remember_family()
        self._process.terminate()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _remember_family(self) -> None:
        process = psutil.Process(self.pid)
        self.family |= {process, *process.children(recursive=True)}


_MAIN = "import sys; from trainer_client.cli import main; main()"


class Cluster:
    """A Redis, API processes and workers."""

    def __init__(
        self, folder: Path, settings: Mapping[str, str], apis_count: int, workers_count: int
    ) -> None:
        """Starts nothing; everything is kept in ``folder``."""
        redis_folder = folder / "redis"
        redis_folder.mkdir()
        self.redis = RedisServer(redis_folder)
        shared = {"MICROCODER_REDIS_URL": self.redis.url, **settings}
        ports = [_free_port() for _ in range(apis_count)]
        self.urls = [f"http://127.0.0.1:{port}" for port in ports]
        self.apis = [
            Process(
                f"api-{n}", "serve", {**shared, "MICROCODER_PORT": str(port)}, folder, "listens on"
            )
            for n, port in enumerate(ports)
        ]
        self.workers = [
            Process(f"worker-{n}", "worker", shared, folder, "works for")
            for n in range(workers_count)
        ]

    @contextmanager
    def running(self) -> Iterator[None]:
        """All of it for the length of the block, ready to judge."""
        try:
            self.redis.start()
            for process in (*self.workers, *self.apis):
                process.start()
            for url in self.urls:
                _wait_until_ready(url)
            yield
        finally:
            for process in (*self.apis, *self.workers):
                process.end()
            self.redis.end()

    def left_processes(self) -> list[psutil.Process]:
        """What still lives of processes that were killed or have ended, after they had time for it."""
        everybody = {each for part in (*self.apis, *self.workers) for each in part.family}
        _, alive = psutil.wait_procs(everybody, timeout=END_SECONDS)
        return alive


def _wait_until_ready(url: str) -> None:
    give_up = time.monotonic() + READY_SECONDS
    with httpx2.Client(base_url=url, trust_env=False) as client:
        while (answer := client.get("/readyz")).status_code != httpx2.codes.OK:
            if time.monotonic() > give_up:
                raise RuntimeError(f"{url} is not ready: {answer.text}")
            time.sleep(0.1)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
