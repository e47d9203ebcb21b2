"""The worker as a process: its start, its signals, its end.

On the first SIGTERM or SIGINT it takes no more from the queue, ends what is at work, hands the rest back and ends with
status 0. A second signal ends it at once; others take over what it leaves.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import structlog

from evaluator_service.distributed.health import WorkerHealth
from evaluator_service.distributed.link import RedisError, connect, shown
from evaluator_service.distributed.stores import SharedOutputs
from evaluator_service.distributed.worker import JudgeWorker
from evaluator_service.garbage import search_less
from evaluator_service.judging import JudgeLike
from evaluator_service.logs import configure
from evaluator_service.outputs import Outputs
from evaluator_service.refusals import EngineDownError
from evaluator_service.settings import Settings

log = structlog.get_logger(__name__)

_AT_ONCE_STATUS = 3


def serve_worker(settings: Settings, judge_with: Callable[[Outputs], JudgeLike]) -> int:
    """Judge what comes from the queue until a signal; returns the exit status.

    Args:
        settings: Which Redis, and how many slots.
        judge_with: Makes a judge that keeps outputs where it is told.

    Raises:
        EngineDownError: If Redis cannot be reached, or a port not be listened on.
        SandboxUnavailableError: If the judge cannot start.
    """
    configure(settings)
    connection = connect(settings)
    where = shown(connection)
    try:
        connection.ping()
    except RedisError as error:
        raise EngineDownError(
            f"MICROCODER_REDIS_URL: Redis at {where} cannot be used: {error}"
        ) from error
    judge = judge_with(SharedOutputs(connection, settings))
    worker = JudgeWorker(judge, settings)
    _stop_by_signal(worker)
    search_less()

    def say_ready() -> None:
        log.info("working", redis=where, worker=worker.name, slots_count=settings.slots_count)
        print(f"microcoder works for {where}", flush=True)  # noqa: T201 - what a person, or a script, waits for

    with _answering(settings, judge, worker):
        worker.run(say_ready)
    return 0


@contextmanager
def _answering(settings: Settings, judge: JudgeLike, worker: JudgeWorker) -> Iterator[None]:
    """Answer probes for the length of the block, if a port is set."""
    if settings.worker_port is None:
        yield
        return
    health = WorkerHealth(
        settings, worker.obstacle, lambda: (judge.figures(), worker.runner.running_count)
    )
    health.start()
    log.info("listening", port=health.port)
    try:
        yield
    finally:
        health.stop()


def _stop_by_signal(worker: JudgeWorker) -> None:
    is_signalled = False

    def handle(number: int, _: FrameType | None) -> None:
        nonlocal is_signalled
        if is_signalled:
            os._exit(_AT_ONCE_STATUS)
        is_signalled = True
        # in a thread: the one that was interrupted may hold the locks of what is told
        threading.Thread(target=stop, args=(signal.Signals(number).name,)).start()

    def stop(signal_name: str) -> None:
        log.info("stopping", signal=signal_name)
        worker.stop()

    signal.signal(signal.SIGTERM, handle)
    signal.signal(signal.SIGINT, handle)
