"""What an executor needs of an engine: the part that queues runs and has them judged, here or elsewhere."""

from __future__ import annotations

import contextvars
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from evaluator_service.schema import Judgement
from evaluator_service.work import Work
from sandbox.figures import PoolFigures
from sandbox.speed import Speed


@dataclass(slots=True, eq=False)
class Run:
    """One judging, for one submission or for several that ask for the same.

    Attributes:
        work: What is judged; the first submission that asked for it.
        identity: What names everything that decides its judgement; None if it is not to be reused.
        expected_seconds: How long judging took of late for this problem; 0 if nothing is known.
        deadline_at: ``time.monotonic()`` beyond which nobody waits, in seconds; None if somebody always does.
        context: The logging context of the request.
    """

    work: Work
    identity: str | None = None
    expected_seconds: float = 0.0
    deadline_at: float | None = None
    context: contextvars.Context = field(default_factory=contextvars.copy_context)


class Languages(NamedTuple):
    """The languages that programs may be written in, with the version of each, and why others may not."""

    versions: Mapping[str, str]
    missing: Mapping[str, str]


class WorkerFigures(NamedTuple):
    """A process elsewhere that judges, as it last said of itself.

    Attributes:
        name: Its own name.
        slots_count: Submissions that it runs at a time.
        running_count: Submissions that it runs now.
        level: The walls around them.
        obstacle: Why it would judge nothing now, if it would not.
        seen_seconds: How long ago it said so.
    """

    name: str
    slots_count: int
    running_count: int
    level: str
    obstacle: str | None
    seen_seconds: float


@dataclass(frozen=True, slots=True)
class Figures:
    """How an engine stands at one moment.

    Attributes:
        waiting_count: Submissions that no slot has taken yet.
        running_count: Submissions taken and not answered yet.
        oldest_wait_seconds: How long ago the oldest of those that wait arrived; 0 if none waits.
        pool: Slots and jails, if they are in this process.
        workers: Those that judge, if they are in other processes.
    """

    waiting_count: int
    running_count: int
    oldest_wait_seconds: float
    pool: PoolFigures | None
    workers: tuple[WorkerFigures, ...] | None = None


type Answered = Callable[[Run, Judgement, float], None]
"""Is given every run that was admitted and not withdrawn, with its judgement and the seconds it took."""


type Withdraw = Callable[[str], None]
"""Is given the key of work that was withdrawn, but not in this process."""


class NoRoomError(Exception):
    """So many runs more than the queue has room for; none of them was taken."""

    def __init__(self, excess_count: int) -> None:
        super().__init__(f"the queue has no room for {excess_count} more")
        self.excess_count = excess_count


class Engine(Protocol):
    """Queues runs and has them judged. All calls are made on the event loop."""

    outlives_us: bool
    """Whether work that is kept under a name goes on without this process."""

    async def start(self, answered: Answered, withdraw: Withdraw) -> None:
        """Become ready; tell of every answer, and of what was withdrawn elsewhere, on the event loop."""

    async def admit(self, runs: Sequence[Run]) -> None:
        """Take all of ``runs`` or none.

        Raises:
            NoRoomError: If there is no room now.
            EngineDownError: If the queue cannot be reached.
        """

    def withdraw(self, run: Run) -> None:
        """Nobody waits for this any more: it need not run, or not go on."""

    async def recall(self, identities: Collection[str]) -> Mapping[str, Judgement]:
        """Judgements of earlier runs that may be given again, by identity."""

    def languages(self) -> Languages:
        """The languages that programs may be written in."""

    def judged_by(self) -> str:
        """A name for all that decides a judgement beside the submission: versions, settings, tools."""

    def speed(self) -> Speed | None:
        """How fast the machine is that judges, once that is known."""

    def slots_count(self) -> int:
        """Submissions that are run at a time."""

    def obstacle(self) -> str | None:
        """Why new work would not be judged now; None if it would be."""

    def figures(self) -> Figures:
        """How queue and jails stand."""

    async def close(self) -> None:
        """Stop."""
