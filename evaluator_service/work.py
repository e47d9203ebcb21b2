"""Work: one submission with its problem at hand, on its way to a judgement."""

from __future__ import annotations

import itertools
import uuid
from dataclasses import dataclass, field

from evaluator_service.schema import AnyProblem, SubmissionBase
from sandbox.pollable_event import PollableEvent

_PROCESS = uuid.uuid4().hex
_NUMBERS = itertools.count()


def _new_key() -> str:
    return f"{_PROCESS}-{next(_NUMBERS):x}"


@dataclass(frozen=True, slots=True)
class Work:
    """One submission with its problem at hand, ready to be judged.

    Attributes:
        submission: What was sent; its ``problem`` field is not looked at any more.
        problem: The problem, resolved.
        problem_id: Content hash of the problem.
        arrived: ``time.monotonic()`` when the request arrived, in seconds.
        where: The place of the submission in the request, if it is not the request itself.
        owner: Name of the API key it came with, if any.
        kept_as: The name under which its judgement is kept for whoever asks later; None: for nobody.
        key: A name of its own that no other work has.
        withdrawn: Set once nobody waits for the answer: judging stops wherever it is, and its slot is free.
    """

    submission: SubmissionBase
    problem: AnyProblem
    problem_id: str
    arrived: float
    where: tuple[int | str, ...] = ()
    owner: str | None = None
    kept_as: str | None = None
    key: str = field(default_factory=_new_key)
    withdrawn: PollableEvent = field(default_factory=PollableEvent)
