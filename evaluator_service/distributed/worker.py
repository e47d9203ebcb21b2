"""A worker process: RQ's loop in front, a slot's thread behind each chunk, a beat that keeps leases.

RQ's own worker runs one job at a time. This one hands a job to a thread and takes the next as soon as a slot is
free, so that a process needs one waiting connection whatever its slots.

A chunk in a slot is leased for ``LEASE_SECONDS``, renewed by the beat. When that runs out, because the process was
killed, or frozen, or lost its machine, another worker's beat puts the chunk back.
"""

from __future__ import annotations

import os
import socket
import threading
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import structlog
from redis.exceptions import RedisError
from rq import worker_registration
from rq.job import Job
from rq.queue import Queue
from rq.registry import clean_registries

from evaluator_service import WIRE_VERSION
from evaluator_service.distributed import roster
from evaluator_service.distributed.courier import Courier
from evaluator_service.distributed.jobs import ChunkQueue, give_up, jobs_for
from evaluator_service.distributed.link import connect, report
from evaluator_service.distributed.rq_worker import LEASE_SECONDS, Front, Hand
from evaluator_service.distributed.runner import TICK_SECONDS, Runner
from evaluator_service.judging import JudgeLike
from evaluator_service.settings import Settings

log = structlog.get_logger(__name__)

_BEAT_SECONDS = 3.0
_AGAIN_SECONDS = 1.0


class JudgeWorker:
    """Judges chunks from the queue until it is told to stop."""

    def __init__(self, judge: JudgeLike, settings: Settings) -> None:
        """Starts nothing.

        Args:
            judge: Started by ``run``, and closed at its end.
            settings: For the Redis, the slots, and what is kept.
        """
        self._judge = judge
        self._settings = settings
        self._connection = connect(settings)
        self._courier = Courier(connect(settings), settings)
        self.runner = Runner(self._connection, judge, settings, self._courier)
        self.name = f"{socket.gethostname()}.{os.getpid()}.{uuid.uuid4().hex[:8]}"
        self._job_class = jobs_for(self.runner)
        self._queue = ChunkQueue(connection=self._connection, job_class=self._job_class)
        self._slots = threading.Semaphore(settings.slots_count)
        self._threads = ThreadPoolExecutor(settings.slots_count, "slot")
        self._hands: dict[Hand, Job] = {}
        self._stopping = threading.Event()
        self._ended = threading.Event()

    def obstacle(self) -> str | None:
        """Why nothing more would be judged here now; None if it would be."""
        return "the worker is shutting down" if self._stopping.is_set() else self._judge.obstacle()

    def stop(self) -> None:
        """Begin no more; ``run`` returns when what is at work is done, or out of time."""
        self._stopping.set()
        self.runner.is_stopping = True

    def run(self, ready: Callable[[], None] = lambda: None) -> None:
        """Judge until ``stop``; blocks.

        Args:
            ready: Called once the judge has started.

        Raises:
            SandboxUnavailableError: If the judge cannot start.
        """
        self._judge.start()
        self._courier.start()
        beats = [
            threading.Thread(
                target=self._repeat, args=repeated, name=repeated[0].__name__, daemon=True
            )
            for repeated in (
                (self._beat, _BEAT_SECONDS),
                (self._announce, roster.BEAT_SECONDS),
                (self.runner.tick, TICK_SECONDS),
            )
        ]
        for beat in beats:
            beat.start()
        ready()
        try:
            self._take_jobs()
            self._drain()
        finally:
            self._ended.set()
            for beat in beats:
                beat.join()
            self._farewell()
            self._connection.close()
            self._judge.close()

    def _take_jobs(self) -> None:
        """Be an RQ worker, again and again where Redis fails it."""
        while not self._stopping.is_set():
            try:
                front = Front([self._queue], **self._arguments(), slots=self)
                front.work(logging_level="WARNING")
            except RedisError as error:
                report("redis_unreachable", error)
            self._stopping.wait(_AGAIN_SECONDS)

    def _arguments(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "connection": self._connection,
            "job_class": self._job_class,
            "serializer": "json",
            "worker_ttl": LEASE_SECONDS,
            "default_result_ttl": 0,
            "log_job_description": False,
            "prepare_for_work": False,
        }

    # --- called by the front ----------------------------------------------------------------------

    def takes_work(self) -> bool:
        """Wait for a free slot that would judge, and reserve it; False when it is time to end."""
        while not self._stopping.is_set():
            if self._judge.obstacle() is not None:
                self._stopping.wait(TICK_SECONDS)
            elif self._slots.acquire(timeout=TICK_SECONDS):
                return True
        return False

    def free_slot(self) -> None:
        """A reserved slot is not needed any more."""
        self._slots.release()

    def hand_on(self, job: Job, queue: Queue) -> None:
        """Do a job in the slot that was reserved."""
        self._threads.submit(self._do, job, queue)

    def _do(self, job: Job, queue: Queue) -> None:
        hand = Hand([self._queue], **self._arguments())
        self._hands[hand] = job
        try:
            hand.execute_job(job, queue)
        except Exception as error:  # Redis failed: the lease runs out, and the chunk is done again
            log.exception("chunk_failed", chunk=job.id, error=type(error).__name__)
        finally:
            del self._hands[hand]
            self._slots.release()

    # --- what goes on beside it -------------------------------------------------------------------

    def _repeat(self, what: Callable[[], None], every_seconds: float) -> None:
        while not self._ended.is_set():
            try:
                what()
            except RedisError as error:
                report("redis_unreachable", error)
            except Exception:
                log.exception("beat_failed", beat=what.__name__)
            self._ended.wait(every_seconds)

    def _beat(self) -> None:
        """Renew our leases, and put back what others let run out."""
        for hand, job in list(self._hands.items()):
            hand.beat(job)
        self._connection.expire(Front.redis_worker_namespace_prefix + self.name, LEASE_SECONDS * 5)
        if self._queue.acquire_maintenance_lock():
            clean_registries(self._queue, [give_up])
            worker_registration.clean_worker_registry(self._queue)
            keeper = Hand([self._queue], **self._arguments())
            self._queue.intermediate_queue.cleanup(keeper, self._queue)
            self._queue.release_maintenance_lock()  # type: ignore[no-untyped-call]

    def _announce(self) -> None:
        with self._connection.pipeline(transaction=False) as pipeline:
            roster.announce(pipeline, self.card())
            pipeline.execute()

    def card(self) -> roster.WorkerCard:
        """What we say of ourselves."""
        found, pool = self._judge.languages(), self._judge.figures()
        versions = {name: toolchain.version for name, toolchain in found.toolchains.items()}
        speed = pool.speed if pool else None
        return roster.WorkerCard(
            name=self.name,
            wire_version=WIRE_VERSION,
            seen_at=time.time(),
            slots_count=self._settings.slots_count,
            running_count=self.runner.running_count,
            level=pool.level if pool else "none",
            obstacle=self.obstacle(),
            judged_by=self.runner.judged_by(),
            languages=versions,
            missing=dict(found.missing),
            speed=(speed.integers, speed.memory) if speed else None,
        )

    def _drain(self) -> None:
        """Let what is at work end; what has not when time is up goes to others."""
        log.info("draining", running_count=self.runner.running_count)
        patience = threading.Timer(self._settings.drain_seconds, self._hurry)
        patience.start()
        self._threads.shutdown(wait=True)
        patience.cancel()
        self._courier.stop()
        log.info("drained")

    def _hurry(self) -> None:
        self.runner.hand_over()
        self._courier.give_up()

    def _farewell(self) -> None:
        try:
            roster.retire(self._connection, self.name)
        except RedisError as error:
            report("farewell_failed", error)
