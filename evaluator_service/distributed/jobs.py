"""Chunks as RQ jobs: how they are enqueued, and what a worker agrees to run.

A job's function is a name in Redis, so whoever can write to Redis could have a worker call anything
(``os.system``). Our job class knows one name, and none of a job's other ways to have code run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any, Protocol, cast

import msgpack
import structlog
from rq import Queue, Retry
from rq.exceptions import NoSuchJobError
from rq.intermediate_queue import IntermediateQueue
from rq.job import Job
from rq.serializers import JSONSerializer
from rq.utils import now

from evaluator_service import WIRE_VERSION
from evaluator_service.distributed import keys
from evaluator_service.distributed.chunks import Chunk
from evaluator_service.distributed.link import REDIS_IS_DOWN, RedisClient

log = structlog.get_logger(__name__)

JUDGE_CHUNK = "microcoder.judge_chunk"
"""The one function that jobs name; it stands for the worker's own, and is no path to import."""

CHUNK_SECONDS = 24 * 3600
"""How long a chunk that nobody takes stays."""
GIVE_UP_COUNT = 20
"""How often work on a chunk may be cut short before its items are a judge_error."""

_FAILED_SECONDS = 3600
_LOCK_SECONDS = 10
_GAP_SECONDS = 5.0
"""A job that was taken from the queue and not begun for so long was lost with the worker that took it."""
_SEEN_SECONDS = 30
"""How long that is remembered, while somebody looks every few seconds."""


class ChunkJudge(Protocol):
    """What does jobs."""

    def judge_chunk(self, wire_version: int, chunk_id: str) -> None:
        """Judge the items of a chunk, given the wire version it was made with and its id; blocks."""

    def give_up(self, chunk_id: str) -> None:
        """Answer the items of a chunk that was tried as often as it may be."""


class RefusedJobError(Exception):
    """A job that names another function than ours."""


class ChunkJob(Job):
    """A job that runs ``JUDGE_CHUNK`` or nothing."""

    judge: ChunkJudge | None = None

    @property
    def func(self) -> Callable[[int, str], None]:
        """The worker's own function.

        Raises:
            RefusedJobError: If the job names another.
        """
        if self.func_name != JUDGE_CHUNK or self.instance or self.judge is None:
            raise RefusedJobError(f"job {self.id} names {str(self.func_name)[:100]!r}: refused")
        return self.judge.judge_chunk

    @classmethod
    def fetch(cls, *args: Any, **kwargs: Any) -> ChunkJob:
        """The job of that name.

        Raises:
            NoSuchJobError: If there is none, or none that can be read: whoever meets it passes on.
            RedisError: If Redis cannot be reached.
        """
        try:
            return cast(ChunkJob, super().fetch(*args, **kwargs))
        except (NoSuchJobError, *REDIS_IS_DOWN):
            raise
        except Exception as error:
            log.warning("job_unreadable", error=type(error).__name__)
            raise NoSuchJobError("it cannot be read") from error

    success_callback = failure_callback = stopped_callback = None
    """Callbacks are functions by name, too."""

    def send_webhooks(self, *_: Any, **__: Any) -> None:
        """No request is made to where a job says."""


def jobs_for(judge: ChunkJudge) -> type[ChunkJob]:
    """The job class of a worker whose jobs ``judge`` does."""
    return cast(type[ChunkJob], type("ChunkJob", (ChunkJob,), {"judge": judge}))


def give_up(job: Job, *_: object) -> None:
    """What to do with a job that is about to have failed for the last time; as RQ calls handlers of exceptions."""
    if isinstance(job, ChunkJob) and job.judge is not None and not job.should_retry:
        job.judge.give_up(job.id)


class _Gap(IntermediateQueue):
    """Jobs that a worker has taken and not begun."""

    def should_be_cleaned_up(self, job_id: str) -> bool:
        """Whether it lies here too long; the library would wait a minute."""
        first_seen = self.get_first_seen(job_id)
        return first_seen is not None and now() - first_seen > timedelta(seconds=_GAP_SECONDS)

    def set_first_seen(self, job_id: str) -> bool:
        """Whether it was not seen here lately; the library would remember for a day, also of another time."""
        key = self.get_first_seen_key(job_id)
        return bool(self.connection.set(key, now().timestamp(), nx=True, ex=_SEEN_SECONDS))

    def remove(self, job_id: str) -> None:
        """It is here no more."""
        super().remove(job_id)
        self.connection.delete(self.get_first_seen_key(job_id))


class ChunkQueue(Queue):
    """The queue of chunks."""

    job_class = ChunkJob

    def __init__(
        self, name: str = keys.QUEUE, connection: RedisClient | None = None, **rest: Any
    ) -> None:
        """The queue of this wire version."""
        super().__init__(name, connection=connection, **rest | {"serializer": JSONSerializer})

    @property
    def intermediate_queue(self) -> IntermediateQueue:
        """Jobs that a worker has taken and not begun."""
        return _Gap(self.key, connection=self.connection)

    def acquire_maintenance_lock(self) -> bool:
        """Whether it is ours to clean up; a holder that dies holds it for seconds, not a quarter of an hour."""
        return bool(self.connection.set(self.registry_cleaning_key, 1, nx=True, ex=_LOCK_SECONDS))


class _Described(ChunkQueue):
    """Jobs are stored; where they stand in the line is for ``admit.lua`` to say."""

    def push_job_id(self, job_id: str, pipeline: Any = None, at_front: bool = False) -> None:
        """Nowhere yet."""


class Recorder:
    """Writes down the commands that would enqueue chunks, for a script to run them."""

    def __init__(self, connection: RedisClient) -> None:
        """Commands for this Redis."""
        self._queue = _Described(connection=connection)
        self._connection = connection

    def commands(self, chunks: Sequence[Chunk]) -> bytes:
        """What stores the jobs and the chunks themselves, as MessagePack."""
        pipeline = self._connection.pipeline(transaction=False)
        enqueue(self._queue, chunks, pipeline)
        encode = self._connection.get_encoder().encode
        written = [[encode(part) for part in args] for args, _ in pipeline.command_stack]
        return cast(bytes, msgpack.packb(written, use_bin_type=False))


def enqueue(
    queue: ChunkQueue, chunks: Sequence[Chunk], pipeline: RedisClient, *, at_front: bool = False
) -> None:
    """Add to ``pipeline`` what stores chunks and enqueues a job for each."""
    for chunk in chunks:
        pipeline.set(keys.chunk(chunk.id), chunk.packed(), ex=CHUNK_SECONDS)
    jobs = [
        ChunkQueue.prepare_data(
            JUDGE_CHUNK,
            args=(WIRE_VERSION, chunk.id),
            job_id=chunk.id,
            timeout=-1,  # the judge bounds each item itself; a signal could not reach its threads
            result_ttl=0,
            failure_ttl=_FAILED_SECONDS,
            description="chunk",
            retry=Retry(max=GIVE_UP_COUNT, enqueue_at_front=True),
            at_front=at_front,
        )
        for chunk in chunks
    ]
    queue.enqueue_many(jobs, pipeline=pipeline)
