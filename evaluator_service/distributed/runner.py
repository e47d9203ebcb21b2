"""Chunks in the slots of a worker: each item is judged and answered the moment it is done.

An item that takes long holds back nobody: what stands behind it in its chunk goes back to the queue's head. An
item that nobody waits for is passed over, or stopped. When work on a chunk was cut short before, because a
worker died, its items are taken one by one with a note of each; one that was at work, with nothing beside it,
when two workers died is the program's fault, if a program known to be good gets through.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass, field

import structlog
from pydantic import ValidationError

from evaluator_service import WIRE_VERSION
from evaluator_service.distributed import keys
from evaluator_service.distributed.alone import Alone
from evaluator_service.distributed.chunks import Chunk, Item, unpacked
from evaluator_service.distributed.courier import Courier, Delivery
from evaluator_service.distributed.jobs import CHUNK_SECONDS, ChunkQueue, enqueue
from evaluator_service.distributed.link import RedisClient, RedisError, report
from evaluator_service.distributed.problems import Problems
from evaluator_service.distributed.roster import SILENCE_SECONDS
from evaluator_service.distributed.unpacking import bare_work_of, work_of
from evaluator_service.fault import fault_judgement
from evaluator_service.judging import JudgeLike, judged, too_late
from evaluator_service.reuse import is_named_for, judged_by
from evaluator_service.schema import AnyProblem, JudgeFault, Judgement
from evaluator_service.settings import Settings
from evaluator_service.work import Work

log = structlog.get_logger(__name__)


class WrongWireError(Exception):
    """A chunk that was made by another version."""


TICK_SECONDS = 0.5
"""How often ``tick`` is called."""
HOLDUP_SECONDS = 1.0
"""An item at work for longer does not keep the others of its chunk waiting."""
WAY_BACK_SHARE = 0.05
"""Of a deadline: an answer that is ready in its last moment is too late at the client, and its run was in vain."""
DEATHS_COUNT = 2
"""Workers that an item must have broken to be blamed for it."""


@dataclass(slots=True, eq=False)
class _Course:
    """A chunk on its way through a slot.

    Attributes:
        chunk: The chunk.
        rest: Its items that are still wanted and not begun.
        is_careful: Whether work on it was cut short before.
        current: The item at work.
        work: The same, as it is judged.
        began_at: When that began, ``time.monotonic()``.
        arrivals: Done one by one as Redis has the answers.
        failure: Why Redis did not take back what was at work, when time was up.
    """

    chunk: Chunk
    rest: deque[Item]
    is_careful: bool
    lock: threading.Lock = field(default_factory=threading.Lock)
    current: Item | None = None
    work: Work | None = None
    began_at: float = 0.0
    arrivals: list[Future[None]] = field(default_factory=list)
    failure: RedisError | None = None

    def take(self) -> Item | None:
        """Begin with the next item; None if there is none."""
        with self.lock:
            self.work = None
            self.current = self.rest.popleft() if self.rest else None
            self.began_at = time.monotonic()
            return self.current

    def take_rest(self) -> list[Item]:
        """All that is not begun; nothing of it is begun here any more."""
        with self.lock:
            rest = list(self.rest)
            self.rest.clear()
            return rest

    def wait_for_arrivals(self) -> None:
        """Return once Redis has all answers so far.

        Raises:
            RedisError: If one of them was given up.
        """
        for arrival in self.arrivals:
            arrival.result()

    def keys(self) -> list[str]:
        """Of all that is not answered."""
        with self.lock:
            current = [self.current.key] if self.current is not None else []
            return current + [item.key for item in self.rest]


class Runner:
    """Judges chunks, in as many threads as there are slots."""

    def __init__(
        self, connection: RedisClient, judge: JudgeLike, settings: Settings, courier: Courier
    ) -> None:
        """Hand answers to ``courier``."""
        self._connection = connection
        self._judge = judge
        self._settings = settings
        self._courier = courier
        self._queue = ChunkQueue(connection=connection)
        self._problems = Problems(connection, settings.max_problems_bytes)
        self._courses: set[_Course] = set()
        self._alone = Alone()
        self._judged_by = ""
        self.is_stopping = False

    @property
    def running_count(self) -> int:
        """Items at work."""
        return sum(course.current is not None for course in list(self._courses))

    def judge_chunk(self, wire_version: int, chunk_id: str) -> None:
        """Judge what is wanted of a chunk; blocks until Redis has the answers, or others have the rest.

        Raises:
            WrongWireError: If it was made by another version.
            RedisError: If Redis cannot be reached; the job is done again then.
        """
        if wire_version != WIRE_VERSION:
            raise WrongWireError(
                f"chunk of wire version {wire_version}, and this is {WIRE_VERSION}"
            )
        course = self._open(chunk_id)
        if course is not None:
            self._courses.add(course)
            try:
                self._follow(course)
            finally:
                self._courses.discard(course)
                structlog.contextvars.clear_contextvars()
        self._connection.delete(keys.chunk(chunk_id), keys.starts(chunk_id))

    def give_up(self, chunk_id: str) -> None:
        """Answer what is wanted of a chunk that was tried as often as it may be: a fault of ours.

        Raises:
            RedisError: If Redis cannot be reached.
        """
        course = self._open(chunk_id)
        if course is None:
            return
        message = "it was begun again and again, and no worker came to its end; send it again"
        for item in course.take_rest():
            self._fail(course, item, message)

    def _follow(self, course: _Course) -> None:
        problems = self._problems.of({item.problem_id for item in course.rest})
        while (item := course.take()) is not None:
            if self.is_stopping:
                self._hand_back(course, with_current=True)
                break
            problem = problems.get(item.problem_id)
            if problem is None:
                self._fail(course, item, "its problem is not in Redis any more; send it again")
            else:
                self._attend(course, item, problem)
        course.wait_for_arrivals()
        if course.failure is not None:
            raise course.failure

    def _open(self, chunk_id: str) -> _Course | None:
        """A chunk with those of its items that somebody waits for; None if there is no such chunk."""
        content = self._connection.get(keys.chunk(chunk_id))
        if content is None:
            return None
        chunk = unpacked(content)
        with self._connection.pipeline() as pipeline:
            pipeline.hincrby(keys.starts(chunk_id), "chunk", 1)
            pipeline.expire(keys.starts(chunk_id), CHUNK_SECONDS)
            pipeline.hgetall(keys.starts(chunk_id))
            pipeline.zmscore(keys.PENDING, [item.key for item in chunk.items])
            pipeline.zscore(keys.APIS, chunk.api_id)
            starts_count, _, notes, pending, api_seen_at = pipeline.execute()
        chunk = chunk.after(notes)
        is_careful = starts_count > 1 or any(item.deaths_count for item in chunk.items)
        wanted = [i for i, since in zip(chunk.items, pending, strict=True) if since is not None]
        if api_seen_at is None or time.time() - api_seen_at > SILENCE_SECONDS:
            wanted = self._kept_alone(wanted)
        return _Course(chunk, deque(wanted), is_careful)

    def _kept_alone(self, items: list[Item]) -> list[Item]:
        """Those that matter without the API process that sent them, which is gone; the others are not pending any more.

        If it was only frozen it will find them missing, and send them again.
        """
        orphans = [item.key for item in items if item.kept_as is None]
        if orphans:
            self._connection.zrem(keys.PENDING, *orphans)
        return [item for item in items if item.kept_as is not None]

    # --- one item ---------------------------------------------------------------------------------

    def _attend(self, course: _Course, item: Item, problem: AnyProblem) -> None:
        try:
            work = work_of(item, course.chunk.programs[item.program], problem)
        except ValidationError as error:
            fields = [wrong["loc"] for wrong in error.errors(include_input=False)]
            log.error("item_unreadable", problem_id=item.problem_id, fields=fields)
            self._fail(course, item, "another release sent it; run the same everywhere")
            return
        course.work = work
        structlog.contextvars.bind_contextvars(
            request_id=item.request_id, submission_id=work.submission.id
        )
        judgement, seconds = self._judged(course, item, work)
        if not work.withdrawn.is_set():  # else nobody waits, or others have it now
            self._answer(course, item, judgement, seconds)

    def _judged(self, course: _Course, item: Item, work: Work) -> tuple[Judgement, float]:
        if item.deaths_count >= DEATHS_COUNT:
            log.error("item_broke_workers", problem_id=item.problem_id, count=item.deaths_count)
            return self._judge.condemned(work), 0.0
        with self._alone.alone() if item.deaths_count else self._alone.together():
            if item.deadline_at is not None:
                left_seconds = item.deadline_at - time.time() - _way_back_seconds(work)
                fault = too_late(work, left_seconds, item.expected_seconds)
                if fault is not None:
                    return fault_judgement(work, self._settings, fault), 0.0
            if course.is_careful:
                self._note(course, item)
            return judged(self._judge, work, self._settings)

    def _note(self, course: _Course, item: Item) -> None:
        """Whoever finds this finds that we died at this item, and that all before it were answered."""
        course.wait_for_arrivals()
        self._connection.hincrby(keys.starts(course.chunk.id), item.key, 1)

    def _fail(self, course: _Course, item: Item, message: str) -> None:
        """Answer that it cannot be judged here; sending it again may help."""
        fault = JudgeFault(kind="internal", message=message, retryable=True)
        work = bare_work_of(item)
        self._answer(course, item, fault_judgement(work, self._settings, fault), 0.0)

    def judged_by(self) -> str:
        """A name for our version, settings and tools; all of them stay as they are."""
        if not self._judged_by:
            found = self._judge.languages().toolchains
            versions = {name: toolchain.version for name, toolchain in found.items()}
            self._judged_by = judged_by(self._settings, versions)
        return self._judged_by

    def _answer(self, course: _Course, item: Item, judgement: Judgement, seconds: float) -> None:
        if item.identity is not None and not is_named_for(item.identity, self.judged_by()):
            item = item._replace(identity=None)  # others were there when it was named
        arrival: Future[None] = Future()
        course.arrivals.append(arrival)
        api_id, is_last = course.chunk.api_id, not course.rest
        self._courier.send(Delivery(item, api_id, judgement, seconds, is_last, arrival))

    # --- what happens meanwhile -------------------------------------------------------------------

    def tick(self) -> None:
        """Stop what nobody waits for, and hand back what would wait too long. Call it now and then.

        Raises:
            RedisError: If Redis cannot be reached.
        """
        for course in list(self._courses):
            held_up = time.monotonic() - course.began_at > HOLDUP_SECONDS or self.is_stopping
            if course.current is not None and held_up and course.rest:
                self._hand_back(course)
            self._drop_unwanted(course)

    def _drop_unwanted(self, course: _Course) -> None:
        item_keys = course.keys()
        if not item_keys:
            return
        pending = self._connection.zmscore(keys.PENDING, item_keys)
        gone = {key for key, since in zip(item_keys, pending, strict=True) if since is None}
        with course.lock:
            kept = [item for item in course.rest if item.key not in gone]
            course.rest.clear()
            course.rest.extend(kept)
            if course.current is not None and course.current.key in gone and course.work:
                course.work.withdrawn.set()

    def _hand_back(self, course: _Course, *, with_current: bool = False) -> None:
        """Have others judge what is not begun here, and perhaps what is, before anything else that waits.

        Nothing of it is begun here meanwhile; if Redis fails, all of it stays here.

        Raises:
            RedisError: If Redis cannot be reached.
        """
        with course.lock:
            at_work = [course.current] if with_current and course.current is not None else []
            items = [*at_work, *course.rest]
            if items:
                with self._connection.pipeline() as pipeline:
                    enqueue(self._queue, [course.chunk.part(items)], pipeline, at_front=True)
                    pipeline.execute()
            course.rest.clear()

    def hand_over(self) -> None:
        """Hand back also what is at work, and stop it: there is no time left for it here."""
        self.is_stopping = True
        for course in list(self._courses):
            try:
                self._hand_back(course, with_current=True)
            except RedisError as error:  # the job fails, or its lease runs out
                report("not_handed_over", error)
                course.failure = error
            if course.work is not None:
                course.work.withdrawn.set()


def _way_back_seconds(work: Work) -> float:
    """What to leave of a deadline for the answer's way; a queue that is too long is full of work that is nearly late."""
    return WAY_BACK_SHARE * (work.submission.deadline_seconds or 0.0)
