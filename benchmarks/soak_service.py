"""A service to be soaked: a process of its own on one port, which can be killed and started again.

Its directories are its own, so that whatever lies in them afterwards is of its making.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx2
import psutil

from benchmarks.soak_tasks import Task
from benchmarks.soak_traces import Traces, settled_traces
from evaluator_service.local_service import running_process
from evaluator_service.schema import Judgement

ANSWER_SECONDS = 300.0
"""Longest wait for one judgement."""

_KEPT_BYTES = 4 << 20
"""Room for problems: more than the largest takes, and full long before a soak ends. What grows then leaks."""


class SoakedService:
    """A service, its process, and how to ask it; start it before anything else."""

    process: psutil.Process
    client: httpx2.Client

    def __init__(self, folder: Path, slots_count: int) -> None:
        """Starts nothing yet; ``folder`` is the service's alone."""
        self._folders = [folder / name for name in ("state", "tmp")]
        for path in (folder, *self._folders):
            path.mkdir(exist_ok=True)
            path.chmod(0o755)  # jails mount what lies there, under users of their own
        self._settings = {
            "TMPDIR": str(folder / "tmp"),
            "MALLOC_ARENA_MAX": "1",  # one for all threads: else what each once needed looks like a leak
            "MICROCODER_STATE_DIRECTORY": str(folder / "state"),
            "MICROCODER_SLOTS_COUNT": str(slots_count),
            "MICROCODER_LOG_LEVEL": "error",
            "MICROCODER_LIKELY_FAILURE_FIRST": "false",  # verdicts are expected by declared order
            "MICROCODER_MAX_BODY_BYTES": str(_KEPT_BYTES),
            "MICROCODER_MAX_PROBLEMS_BYTES": str(_KEPT_BYTES),
        }
        self._life = ExitStack()

    def start(self) -> None:
        """Start it; from the second time on at the port where clients know it to be.

        Raises:
            ServiceStartError: If it does not come up.
        """
        service = self._life.enter_context(running_process(self._settings))
        self.process = psutil.Process(service.pid)
        if "MICROCODER_PORT" not in self._settings:
            self._settings["MICROCODER_PORT"] = service.url.rpartition(":")[2]
            self.client = httpx2.Client(
                base_url=service.url, timeout=ANSWER_SECONDS, trust_env=False
            )

    def kill(self) -> set[psutil.Process]:
        """Kill its process as ``kill -9`` does; returns all that was below it, which has to end by itself."""
        self.process.suspend()  # or it would start jails while we look
        family = set(self.process.children(recursive=True))
        self.process.kill()
        self.stop()
        return family

    def stop(self) -> None:
        """End it in the usual way, if it lives."""
        self._life.close()

    def level(self) -> str:
        """The isolation that its judgements report."""
        trivial = {"code": "", "problem": {"kind": "stdio", "tests": [{"expected": ""}]}}
        answer = self.client.post("/judge", json=trivial).raise_for_status()
        return Judgement.model_validate_json(answer.content).isolation.level

    def judge(self, task: Task) -> Judgement:
        """Submit a task, and first its problem where the service does not know it.

        Raises:
            httpx2.HTTPError: If the service cannot be reached, or refuses.
        """
        answer = self.client.post("/judge", json=task.submission())
        if answer.status_code == httpx2.codes.NOT_FOUND and task.stored is not None:
            problem = task.stored.model_dump_json(exclude_unset=True)
            headers = {"Content-Type": "application/json"}
            self.client.post("/problems", content=problem, headers=headers).raise_for_status()
            answer = self.client.post("/judge", json=task.submission())
        return Judgement.model_validate_json(answer.raise_for_status().content)

    def traces(self) -> Traces:
        """What it keeps, once nothing runs any more."""
        return settled_traces(self.process, self._folders)


@contextmanager
def soaked_service(slots_count: int) -> Iterator[SoakedService]:
    """A service for the length of the block, ended on the way out.

    Raises:
        ServiceStartError: If it does not come up.
    """
    with tempfile.TemporaryDirectory(prefix="microcoder-soak-") as folder:
        service = SoakedService(Path(folder), slots_count)
        service.start()
        try:
            yield service
        finally:
            service.stop()
            service.client.close()
