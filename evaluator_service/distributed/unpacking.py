"""From an item back to the work that it was made of, on the machine that judges it."""

from __future__ import annotations

import time
from typing import Any

from evaluator_service.distributed.chunks import Item
from evaluator_service.schema import AnyProblem, StdioProblem, StdioTest, SubmissionBase
from evaluator_service.work import Work

_NO_PROBLEM = StdioProblem(kind="stdio", tests=[StdioTest(input="", expected="")])


def work_of(item: Item, program: dict[str, Any], problem: AnyProblem) -> Work:
    """The work, with its program and its problem.

    Raises:
        ValidationError: If it is no submission as we know them.
    """
    return _work(item, SubmissionBase.model_validate(item.submission | program), problem)


def bare_work_of(item: Item) -> Work:
    """The work as far as an answer needs it that says why it cannot be judged."""
    return _work(item, SubmissionBase(id=item.submission.get("id"), code=""), _NO_PROBLEM)


def _work(item: Item, submission: SubmissionBase, problem: AnyProblem) -> Work:
    return Work(
        submission=submission,
        problem=problem,
        problem_id=item.problem_id,
        arrived=time.monotonic() - max(0.0, time.time() - item.arrived_at),
        owner=item.owner,
        kept_as=item.kept_as,
    )
