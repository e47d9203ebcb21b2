"""Judging again what the audit log says was judged: under the same terms, in the same order, by the same lot.

Whether it came out the same can be said only where the same versions judge.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum
from itertools import batched
from typing import Any, NamedTuple, Protocol

from pydantic import TypeAdapter, ValidationError

from evaluator_service.audit import AuditFolder
from evaluator_service.audit_record import AuditRecord, Marks, Terms, Versions
from evaluator_service.case import Case, encoded
from evaluator_service.extraction import Extracted, program_of
from evaluator_service.schema import AnyProblem, Judgement, Problem, SubmissionBase
from evaluator_service.verdicts import Penalties
from evaluator_service.work import Work
from sandbox.toolchains import Found

_PROBLEM: TypeAdapter[Problem] = TypeAdapter(Problem)
_AHEAD_PER_THREAD_COUNT = 16
_SHOWN_TESTS_COUNT = 3


class Status(StrEnum):
    """What a replay says of a line."""

    SAME = "same"
    DIFFERS = "differs"
    OTHER_VERSIONS = "other_versions"
    """It came out the same, which says nothing: other versions judged."""
    LOST = "lost"
    """The line, its program or its problem cannot be read."""
    SKIPPED = "skipped"
    """There was no mark, by a fault of the judge's own that may have passed."""


class Replayed(NamedTuple):
    """A line of the log, judged again.

    Attributes:
        where: The place of the line.
        status: What there is to say of it.
        why: In words.
        record: What the line says; None if it cannot be read.
        now: What came of it this time; None if nothing was judged.
    """

    where: str
    status: Status
    why: tuple[str, ...] = ()
    record: AuditRecord | None = None
    now: Marks | None = None


class JudgesCases(Protocol):
    """What judges again; a judge that has started does."""

    def judge_case(self, case: Case, extracted: Extracted) -> Judgement:
        """Judge a submission of which everything is settled; blocks."""

    def languages(self) -> Found:
        """The toolchains that are here."""


class LostError(Exception):
    """Something that a line names is not there any more, or is damaged."""


def replay(
    folder: AuditFolder, judge: JudgesCases, packages: Mapping[str, str], threads_count: int
) -> Iterator[Replayed]:
    """Judge every line of a log again, as many at a time as there are slots; in the order of the lines.

    Args:
        folder: Where the log lies.
        judge: Judges again.
        packages: Versions of the distributions that programs may import here.
        threads_count: Slots of the judge.

    Raises:
        OSError: If a file of the log cannot be read.
    """

    def again(place: tuple[str, bytes]) -> Replayed:
        return _replayed(*place, folder, judge, packages)

    with ThreadPoolExecutor(threads_count) as threads:
        for places in batched(folder.lines(), threads_count * _AHEAD_PER_THREAD_COUNT):
            yield from threads.map(again, places)


def _replayed(
    where: str, line: bytes, folder: AuditFolder, judge: JudgesCases, packages: Mapping[str, str]
) -> Replayed:
    try:
        record = AuditRecord.model_validate_json(line)
    except ValidationError as error:
        why = f"this is no line of an audit log: {error.errors()[0]['msg']}"
        return Replayed(where, Status.LOST, (why,))
    if record.outcome.retryable:
        why = f"it got no mark ({record.outcome.error})"
        return Replayed(where, Status.SKIPPED, (why,), record)
    try:
        case = case_of(record, folder)
    except LostError as error:
        return Replayed(where, Status.LOST, (str(error),), record)
    judgement = judge.judge_case(case, program_of(case.submission))
    level = judgement.isolation.level
    here = Versions.here(case.submission, case.problem, judge.languages(), packages, level)
    now = Marks.of(judgement, judgement.tests)
    return _told(where, record, now, here)


def case_of(record: AuditRecord, folder: AuditFolder) -> Case:
    """What was judged, settled as it was then.

    Raises:
        LostError: If its program or its problem cannot be read.
    """
    terms = record.terms
    submission = _submission(record, folder)
    content = folder.problems.get(record.problem_id)
    problem: AnyProblem = _kept(content, "problem", _PROBLEM.validate_json)
    return Case(
        work=Work(submission, problem, record.problem_id, time.monotonic(), owner=record.owner),
        code=encoded(program_of(submission).code or ""),
        limits=terms.limits,
        policy=terms.comparison,
        stops_at_failure=terms.stops_at_failure,
        reruns_near_limit=terms.reruns_near_limit,
        penalties=Penalties(terms.no_code_reward, terms.compile_error_reward),
        first_test=record.drawn.first_test,
        seed=bytes.fromhex(record.drawn.lot),
    )


def _submission(record: AuditRecord, folder: AuditFolder) -> SubmissionBase:
    def read(content: bytes) -> SubmissionBase:
        program = json.loads(content)
        return SubmissionBase.model_validate(
            {**program, **_asked(record.terms), "id": record.submission_id}
        )

    return _kept(folder.programs.get(record.program), "program", read)


def _asked(terms: Terms) -> dict[str, Any]:
    return {
        "isolation_mode": terms.isolation_mode,
        "reward": terms.reward,
        "first_k": terms.first_k,
        "report": "tests",
    }


def _kept[T](content: bytes | None, what: str, read: Callable[[bytes], T]) -> T:
    if content is None:
        raise LostError(f"its {what} is not in the folder, or damaged")
    try:
        return read(content)
    except ValueError as error:
        raise LostError(f"its {what} cannot be read by this version: {error}") from error


# --- then and now ---------------------------------------------------------------------------------


def _told(where: str, record: AuditRecord, now: Marks, here: Versions) -> Replayed:
    others = tuple(_changes(record.versions.model_dump(), here.model_dump()))
    different = tuple(differences(record.outcome, now))
    same = Status.OTHER_VERSIONS if others else Status.SAME
    status = Status.DIFFERS if different else same
    return Replayed(where, status, different + others, record, now)


def _changes(then: Mapping[str, Any], now: Mapping[str, Any], about: str = "") -> Iterator[str]:
    for name in sorted({*then, *now}):
        before, after = then.get(name), now.get(name)
        if isinstance(before, dict) and isinstance(after, dict):
            yield from _changes(before, after, f"{name} ")
        elif before != after:
            yield f"{about}{name} {before or 'none'}, now {after or 'none'}"


def differences(then: Marks, now: Marks) -> Iterator[str]:
    """In what two judgements of one submission are not the same, in words."""
    for name in ("verdict", "reward", "passed", "error"):
        before, after = getattr(then, name), getattr(now, name)
        if before != after:
            yield f"{name} {before}, now {after}"
    tests = [*zip(then.verdicts, then.methods, strict=True)]
    tests_now = [*zip(now.verdicts, now.methods, strict=True)]
    if len(tests) != len(tests_now):
        yield f"{len(tests)} tests, now {len(tests_now)}"
        return
    changed = [index for index, test in enumerate(tests) if test != tests_now[index]]
    for index in changed[:_SHOWN_TESTS_COUNT]:
        yield f"test {index} {_outline(tests[index])}, now {_outline(tests_now[index])}"
    if len(changed) > _SHOWN_TESTS_COUNT:
        yield f"{len(changed) - _SHOWN_TESTS_COUNT} more tests"
    if changed and (then.near_limit or now.near_limit):
        yield "a limit was near"


def _outline(test: tuple[str, str | None]) -> str:
    verdict, method = test
    return f"{verdict} ({method})" if method else verdict
