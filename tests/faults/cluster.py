"""A Redis, and workers and API processes around it that can die."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from benchmarks.redis_server import RedisServer
from evaluator_service.distributed import keys
from evaluator_service.distributed.engine import RqEngine
from evaluator_service.distributed.jobs import ChunkQueue
from evaluator_service.distributed.link import RedisClient
from evaluator_service.distributed.worker import JudgeWorker
from evaluator_service.executor import Executor
from evaluator_service.settings import Settings
from tests.faults.obedient import Began, ObedientJudge, noted

PATIENCE_SECONDS = 60.0
"""When a test gives up waiting for what it says will happen."""
HASTY_LEASE_SECONDS = 2
LOOK_SECONDS = 0.02
_KNOWN_KEYS = ("rq:queues", keys.LAST_URGENT)


class Part:
    """A process that can die, be frozen, and be told to end."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        """Start it."""
        self.process = subprocess.Popen(
            [sys.executable, *command],
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            text=True,
        )

    def says(self) -> str:
        """The next line that it prints; the first says that it is ready."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the process has ended"
        return line

    @property
    def pid(self) -> int:
        """Of the process."""
        return self.process.pid

    def send(self, number: int) -> None:
        """Send a signal."""
        self.process.send_signal(number)

    def freeze(self) -> None:
        """Stop it without its knowing."""
        self.send(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        self.send(signal.SIGCONT)

    def kill(self) -> None:
        """Kill it as ``kill -9`` does."""
        self.send(signal.SIGKILL)
        self.ended()

    def has_ended(self) -> bool:
        """Whether it is no more."""
        return self.process.poll() is not None

    def ended(self) -> int:
        """The exit status, once it has ended."""
        return self.process.wait(PATIENCE_SECONDS)

    def close(self) -> None:
        """End it, whatever its state."""
        if not self.has_ended():
            self.kill()
        assert self.process.stdout is not None
        self.process.stdout.close()


class Cluster:
    """A Redis and what stands around it."""

    def __init__(self, redis: RedisServer, folder: Path) -> None:
        """Judges take orders from ``folder``, and leave notes there."""
        self.redis = redis
        self.folder = folder
        self.client: RedisClient = redis.client()
        self._parts = ExitStack()

    def settings(self, **changes: Any) -> Settings:
        """Of an API process; nothing is reused unless it says so."""
        given: dict[str, Any] = {"redis_url": SecretStr(self.redis.url), "reuse_judgements": False}
        return Settings(**given | changes)

    def environment(self, **settings: Any) -> dict[str, str]:
        """Of a process."""
        given = {"redis_url": self.redis.url, "log_level": "error", "slots_count": 1} | settings
        return {f"MICROCODER_{name.upper()}": str(value) for name, value in given.items()}

    def worker(self, lease_seconds: int = HASTY_LEASE_SECONDS, **settings: Any) -> Part:
        """A worker process, ready; it notices deaths in ``lease_seconds`` or so, or as ever if they are 0."""
        command = ["-m", "tests.faults.worker_process", str(self.folder), str(lease_seconds)]
        return self.part(command, **settings)

    def part(self, command: list[str], **settings: Any) -> Part:
        """Another process, ready."""
        part = Part(command, self.environment(**settings))
        self._parts.callback(part.close)
        part.says()
        return part

    @contextmanager
    def worker_here(self) -> Iterator[None]:
        """A worker of one slot in a thread of this process, for the length of the block."""
        settings = self.settings(slots_count=1)
        worker = JudgeWorker(ObedientJudge(settings, self.folder), settings)
        ready = threading.Event()
        thread = threading.Thread(target=worker.run, args=(ready.set,))
        thread.start()
        try:
            assert ready.wait(PATIENCE_SECONDS), "the worker did not start"
            yield
        finally:
            worker.stop()
            thread.join()

    @asynccontextmanager
    async def api(self, *, is_ready: bool = True, **changes: Any) -> AsyncIterator[Executor]:
        """What stands behind the routes of an API process; has seen a worker if it ``is_ready``."""
        settings = self.settings(**changes)
        executor = Executor(RqEngine(settings), settings)
        await executor.start()
        try:
            await until(lambda: executor.obstacle() is None or not is_ready)
            yield executor
        finally:
            await executor.close()

    def began(self) -> list[Began]:
        """Every judging that began."""
        return noted(self.folder, "began")

    async def until_began(self, count: int) -> None:
        """Return as soon as so many judgings have begun."""
        await until(lambda: len(self.began()) >= count)

    def let_go(self, *names: str) -> None:
        """Hold these submissions no longer."""
        for name in names:
            (self.folder / f"go {name}").touch()

    def pending_count(self) -> int:
        """Items that wait for an answer."""
        return int(self.client.zcard(keys.PENDING))

    def is_quiet(self) -> bool:
        """Whether nothing is queued or at work."""
        queue = ChunkQueue(connection=self.client)
        places = (queue.key, queue.intermediate_queue_key, queue.started_job_registry.key)
        return not any(self.client.exists(place) for place in places)

    def lease_ends(self) -> list[float]:
        """When the leases of all that is at work end, in seconds since 1970."""
        registry = ChunkQueue(connection=self.client).started_job_registry
        return [end for _, end in self.client.zrange(registry.key, 0, -1, withscores=True)]

    def lasting_keys(self) -> list[str]:
        """What stays in Redis, beyond what is known to: RQ's list of its queues, and a place in the line."""
        names = sorted(name.decode() for name in self.client.keys("*"))
        return [name for name in names if self.client.ttl(name) < 0 and name not in _KNOWN_KEYS]

    def close(self) -> None:
        """End every process."""
        self._parts.close()
        self.client.close()


@contextmanager
def cluster(folder: Path, *redis_options: str) -> Iterator[Cluster]:
    """A Redis of one's own, and room for notes, for the length of the block."""
    for name in ("redis", "notes"):
        (folder / name).mkdir()
    redis = RedisServer(folder / "redis", *redis_options)
    redis.start()
    found = Cluster(redis, folder / "notes")
    try:
        yield found
    finally:
        found.close()
        redis.end()


async def until(holds: Callable[[], object], seconds: float = PATIENCE_SECONDS) -> None:
    """Return as soon as something holds; other processes tell nobody."""
    give_up = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < give_up, "it never came to that"
        await asyncio.sleep(LOOK_SECONDS)
