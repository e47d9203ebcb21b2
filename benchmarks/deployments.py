"""Services to be measured: an API process alone, or API processes, workers and a Redis, each a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from benchmarks.processes import cpu_seconds, resident_bytes, running
from benchmarks.redis_server import RedisServer, redis_server

STUB = ("-m", "benchmarks.stub_judge")
REAL_API = ("-m", "evaluator_service")
REAL_WORKER = ("-c", "import sys; from evaluator_service.cli import worker; sys.exit(worker())")


@dataclass(frozen=True, slots=True)
class Deployment:
    """A service that runs.

    Attributes:
        url: Of its API.
        processes: Ids of its processes, by part: ``api``, ``worker``, ``redis``.
        redis: Its Redis, if it has one.
    """

    url: str
    processes: Mapping[str, Sequence[int]]
    redis: RedisServer | None = None

    def measured(self, measure: Callable[[int], float]) -> dict[str, float]:
        """A figure of each part: the sum over its processes."""
        return {part: sum(map(measure, pids)) for part, pids in self.processes.items()}

    def cpu_seconds(self) -> dict[str, float]:
        """CPU time of each part so far."""
        return self.measured(cpu_seconds)

    def resident_bytes(self) -> dict[str, float]:
        """Memory of each part now."""
        return self.measured(resident_bytes)


@dataclass(slots=True)
class Plan:
    """What to start.

    Attributes:
        settings: ``MICROCODER_*`` and other variables of all processes.
        workers_count: Worker processes; 0: the API process judges by itself.
        is_real: Whether the judge is the real one, with jails.
    """

    settings: dict[str, str] = field(default_factory=dict)
    workers_count: int = 0
    is_real: bool = False


@contextmanager
def deployed(plan: Plan) -> Iterator[Deployment]:
    """A service for the length of the block, ready to judge."""
    settings = {"MICROCODER_PORT": "0", **plan.settings}
    with ExitStack() as stack:
        redis = stack.enter_context(redis_server()) if plan.workers_count else None
        if redis is not None:
            settings["MICROCODER_REDIS_URL"] = redis.url
        worker = REAL_WORKER if plan.is_real else (*STUB, "worker")
        workers = [
            stack.enter_context(running(worker, settings, until="works for"))[0]
            for _ in range(plan.workers_count)
        ]
        api = REAL_API if plan.is_real else (*STUB, "api")
        pid, line = stack.enter_context(running(api, settings, until="listens on"))
        processes: dict[str, Sequence[int]] = {"api": [pid]}
        if redis is not None:
            processes |= {"worker": workers, "redis": [redis.pid]}
        yield Deployment(line.rpartition(" ")[2], processes, redis)
