"""RQ's worker as it is needed here: one that takes jobs in front, and hands behind it that do them in threads.

What of the library reaches further than that is left out: commands by pub/sub, signals, scheduling, dependents,
callbacks, results.
"""

from __future__ import annotations

import os
import socket
from typing import Any, Protocol

import structlog
from rq import SimpleWorker
from rq.exceptions import DequeueTimeout, DeserializationError
from rq.executions import Execution, ExecutionRegistry
from rq.job import Job
from rq.queue import Queue
from rq.timeouts import BaseDeathPenalty
from rq.utils import now

from evaluator_service.distributed.jobs import ChunkQueue, RefusedJobError, give_up
from evaluator_service.distributed.link import BLOCK_SECONDS

log = structlog.get_logger(__name__)

LEASE_SECONDS = 12
"""A chunk whose worker is silent for so long is taken from it."""


class _NoDeathPenalty(BaseDeathPenalty):
    """The judge bounds what it runs; a signal would not reach the thread."""

    def setup_death_penalty(self) -> None: ...

    def cancel_death_penalty(self) -> None: ...


class _Rq(SimpleWorker):
    """What is the same for the worker in front and for the hands behind it."""

    death_penalty_class = _NoDeathPenalty
    queue_class: type[Queue] = ChunkQueue
    log_result_lifespan = False

    def get_heartbeat_ttl(self, job: Job) -> int:
        """A lease."""
        return LEASE_SECONDS

    def _install_signal_handlers(self) -> None: ...

    def procline(self, message: str) -> None: ...


class Slots(Protocol):
    """Whoever has slots to do jobs in."""

    def takes_work(self) -> bool:
        """Wait for a free slot and reserve it; False when it is time to end."""

    def free_slot(self) -> None:
        """A reserved slot is not needed any more."""

    def hand_on(self, job: Job, queue: Queue) -> None:
        """Do a job in the slot that was reserved."""


class Hand(_Rq):
    """Does a job in a slot's thread, in the name of its worker."""

    # not by their name, as the library has it: all hands of a worker share one
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Do a job and forget it; one that fails is done again, as often as it may be.

        As the library's own, less what our jobs do not have. That took 18 round trips and most of the time of a chunk
        whose items were quick; this takes two.

        Raises:
            RedisError: If Redis cannot be reached.
        """
        with self.connection.pipeline() as pipeline:
            self.execution = Execution.create(job, LEASE_SECONDS, pipeline, self.name)
            job.prepare_for_execution(self.name, pipeline)
            pipeline.lrem(queue.intermediate_queue_key, 1, job.id)
            pipeline.execute()
        job.started_at = now()
        try:
            job.func(*job.args)
        except (RefusedJobError, DeserializationError) as error:
            log.error("job_refused", job=job.id, error=str(error))
        except Exception as error:  # whatever it is, others may do better
            log.exception("chunk_failed", job=job.id)
            self._fail(job, queue, error)
            return
        with self.connection.pipeline() as pipeline:
            pipeline.delete(job.key, ExecutionRegistry(job.id, self.connection).key)
            self.cleanup_execution(job, pipeline)
            pipeline.execute()

    def _fail(self, job: Job, queue: Queue, error: Exception) -> None:
        job.ended_at = now()
        if not job.should_retry:
            give_up(job)
        self.handle_job_failure(job, queue, exc_string=type(error).__name__)

    def beat(self, job: Job) -> None:
        """Renew the lease of the job at hand.

        Raises:
            RedisError: If Redis cannot be reached.
        """
        execution = self.execution
        if execution is not None:
            with self.connection.pipeline() as pipeline:
                execution.heartbeat(job.started_job_registry, LEASE_SECONDS, pipeline=pipeline)
                pipeline.execute()


class Front(_Rq):
    """Takes jobs off the queue while there is a free slot, and hands them on."""

    def __init__(self, *args: Any, slots: Slots, **rest: Any) -> None:
        super().__init__(*args, **rest)
        self._slots = slots
        self.hostname, self.pid = socket.gethostname(), os.getpid()

    def bootstrap(self, *_: Any, **__: Any) -> None:
        """Say that we are there; the library would set up logging, and listen to commands."""
        self.connection.delete(self.key)  # of one before us, whose farewell Redis did not hear
        self.register_birth()  # type: ignore[no-untyped-call]

    def subscribe(self) -> None:
        """To no commands."""

    def unsubscribe(self) -> None:
        """There is nothing to end."""

    def heartbeat(self, timeout: int | None = None, pipeline: Any = None) -> None:
        """Nothing: a thread of the worker's sees to that, however long a job takes and however short."""

    def check_for_suspension(self, burst: bool) -> None:
        """Nothing: a command to all workers, asked for before each job."""

    @property
    def should_run_maintenance_tasks(self) -> bool:
        """The beat does that, also while all slots are taken."""
        return False

    def dequeue_job_and_maintain_ttl(
        self, timeout: int | None, max_idle_time: int | None = None
    ) -> tuple[Job, Queue] | None:
        """The next job, once there is a slot for it; None when it is time to end."""
        while self._slots.takes_work():
            try:
                return self.queue_class.dequeue_any(
                    self._ordered_queues,
                    BLOCK_SECONDS,
                    connection=self.connection,
                    job_class=self.job_class,
                    serializer=self.serializer,
                    death_penalty_class=self.death_penalty_class,
                )
            except DequeueTimeout:
                self._slots.free_slot()
            except BaseException:
                self._slots.free_slot()
                raise
        return None

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Have a slot do it."""
        self._slots.hand_on(job, queue)
