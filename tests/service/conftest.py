"""A judge that never runs anything, and the service around it: in process, or listening on loopback."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import httpx2
import pytest
import structlog
import uvicorn

from evaluator_service.api import create_app
from evaluator_service.fault import fault_judgement
from evaluator_service.outputs import Outputs, OutputStore
from evaluator_service.prepare import Prepared, prepare
from evaluator_service.protocol import BoundedHttp
from evaluator_service.refusals import WithdrawnError
from evaluator_service.schema import (
    AnyProblem,
    AssertsProblem,
    JudgeFault,
    Judgement,
)
from evaluator_service.settings import Settings
from evaluator_service.verdicts import Verdict
from evaluator_service.work import Work
from sandbox.errors import SandboxUnavailableError
from sandbox.figures import PoolFigures
from sandbox.languages import LANGUAGES
from sandbox.pool import Pool
from sandbox.toolchains import Found, find
from tests.service.executors import EXECUTORS, Start

WAIT_SECONDS = 30


class FakeJudge:
    """Obeys the code it is given.

    ``accept``, ``wrong``, ``close`` (accepted, near a limit), ``raise``; ``hold`` until released, ``stay`` until
    withdrawn.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.began: list[str | None] = []
        self.owners: list[str | None] = []
        self.holding = threading.Semaphore(0)  # one permit for each run that is being held
        self.release = threading.Event()
        self.closed = False
        self.pool: Pool | None = None
        self.outputs: Outputs = OutputStore(settings.max_outputs_bytes)

    def tests_of(self, problem: AnyProblem, _: str) -> list[Prepared]:
        """Those of a problem whose outputs are data; there is no jail to read test code in."""
        if isinstance(problem, AssertsProblem):
            raise SandboxUnavailableError("no jail")
        return prepare(problem)

    def start(self) -> None:
        """Nothing to warm."""

    def judge(self, work: Work) -> Judgement:
        """Answer as the code says."""
        self.began.append(work.submission.id)
        self.owners.append(work.owner)
        if work.submission.code == "raise":
            raise RuntimeError("the judge broke")
        if work.submission.code == "hold":
            self.holding.release()
            assert self.release.wait(WAIT_SECONDS), "nobody released the held run"
        if work.submission.code == "stay":
            self.holding.release()
            work.withdrawn.wait()
            raise WithdrawnError
        right = work.submission.code != "wrong"
        fault = fault_judgement(
            work, self.settings, JudgeFault(kind="internal", message="-", retryable=True)
        )
        changes: dict[str, Any] = {
            "verdict": Verdict.ACCEPTED if right else Verdict.WRONG_ANSWER,
            "reward": float(right),
            "methods": {"exact" if right else "none": 1},
            "error": None,
        }
        if work.submission.code == "close":
            changes["near_limit"] = True
        return fault.model_copy(update=changes)

    def condemned(self, work: Work) -> Judgement:
        """A runtime error: whatever is judged here, a good program gets through."""
        changes = {"verdict": Verdict.RUNTIME_ERROR, "reward": 0.0}
        return self.judge(work).model_copy(update=changes)

    def languages(self) -> Found:
        """Python, and no Go."""
        return Found({"python": find(LANGUAGES["python"])}, {"go": "no go on the PATH"})

    def obstacle(self) -> str | None:
        """None, ever."""
        return None

    def figures(self) -> PoolFigures | None:
        """Those of a pool that was never started, if there is one."""
        return self.pool.figures() if self.pool is not None else None

    def close(self) -> None:
        """Let go of whatever is held."""
        self.closed = True
        self.release.set()

    def wait_until_held(self, count: int = 1) -> None:
        """Return when so many more runs are being held."""
        for _ in range(count):
            assert self.holding.acquire(timeout=WAIT_SECONDS), "no run began"


@pytest.fixture(autouse=True, scope="session")
def _quiet() -> Iterator[None]:
    """Keep the service's events out of the tests' output."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    yield
    structlog.reset_defaults()


@pytest.fixture
def settings() -> Settings:
    """Settings of the service under test: two slots and room for five submissions."""
    return Settings(
        slots_count=2, queue_items_max=5, max_body_bytes=1 << 20, reuse_judgements=False
    )


@pytest.fixture
def judge(settings: Settings) -> FakeJudge:
    """The judge behind the service."""
    return FakeJudge(settings)


@pytest.fixture
def anyio_backend() -> str:
    """The event loop of asynchronous tests."""
    return "asyncio"


@pytest.fixture(params=EXECUTORS)
def executors(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Starts an executor of one kind around a judge."""
    return EXECUTORS[request.param]


@pytest.fixture
def start(executors: Callable[..., Any], judge: FakeJudge, settings: Settings) -> Start:
    """Starts one around ``judge``: two slots, room for five, nothing reused, unless told otherwise."""
    return lambda **changes: executors(judge, settings.model_copy(update=changes))


@contextmanager
def listening(settings: Settings, judge: FakeJudge | None) -> Iterator[httpx2.Client]:
    """A real server on a free loopback port, and a client of it; without a judge, workers judge."""
    config = uvicorn.Config(
        create_app(settings, judge),
        port=0,
        http=BoundedHttp,
        ws="none",
        log_config=None,
        access_log=False,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        time.sleep(0.005)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        with httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=WAIT_SECONDS) as client:
            yield client
    finally:
        if judge is not None:
            judge.release.set()
        server.should_exit = True
        thread.join(WAIT_SECONDS)


@pytest.fixture
def client(settings: Settings, judge: FakeJudge) -> Iterator[httpx2.Client]:
    """A client of a service that is this test's alone."""
    with listening(settings, judge) as found:
        yield found


@pytest.fixture(scope="module")
def shared_client() -> Iterator[httpx2.Client]:
    """A client of a service that the tests of a module share."""
    settings = Settings(slots_count=2, max_body_bytes=1 << 20, reuse_judgements=False)
    with listening(settings, FakeJudge(settings)) as found:
        yield found


@pytest.fixture(scope="session", name="listening")
def _listening() -> Callable[[Settings], Any]:
    """Runs a service with these settings for the length of a block."""
    return lambda settings: listening(settings, FakeJudge(settings))


@pytest.fixture
def serve() -> Iterator[Callable[..., tuple[httpx2.Client, FakeJudge]]]:
    """Start a service with other settings."""
    with ExitStack() as stack:

        def start(**changes: Any) -> tuple[httpx2.Client, FakeJudge]:
            settings = Settings(**{"reuse_judgements": False} | changes)
            judge = FakeJudge(settings)
            return stack.enter_context(listening(settings, judge)), judge

        yield start


def submission(code: str = "accept", **fields: Any) -> dict[str, Any]:
    """A valid submission; ``fields`` add to it or replace."""
    problem = {"kind": "stdio", "tests": [{"input": "3 4\n", "expected": "7\n"}]}
    return {"code": code, "problem": problem} | fields


@pytest.fixture(name="submission")
def _submission() -> Callable[..., dict[str, Any]]:
    """Makes valid submissions."""
    return submission
