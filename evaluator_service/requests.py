"""From the bytes of a request to work for the executor.

Owns reading a body within its size, validating it, and finding each submission's problem. Whatever is
wrong with what a client sent ends here, as an ``ApiError`` with a place.
"""

import asyncio
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, NamedTuple

from fastapi import Request
from pydantic import TypeAdapter, ValidationError

from evaluator_service.auth import owner_of
from evaluator_service.complaints import place
from evaluator_service.errors import (
    BodyTooLarge,
    MalformedJson,
    UnknownProblem,
    UnsupportedMediaType,
    ValidationFailed,
    quoted,
    validation_failed,
)
from evaluator_service.fits import comparison_misfits, misfits
from evaluator_service.problem_store import ProblemStore
from evaluator_service.schema import (
    AnyProblem,
    BatchRequest,
    BatchSubmission,
    CallProblem,
    CallTest,
    Problem,
    Rescoring,
    Submission,
    SubmissionBase,
    problem_id,
)
from evaluator_service.values import from_json, to_msgpack
from evaluator_service.work import Work

SMALL_BODY_BYTES = 256 << 10
"""A body up to this size is validated on the event loop (about 1 ms); a larger one in a thread."""

LARGE_BODIES_COUNT = 2
"""How many larger ones are read at a time: reading one of small values takes fifty times its bytes."""

SUBMISSION: TypeAdapter[Submission] = TypeAdapter(Submission)
BATCH: TypeAdapter[BatchRequest] = TypeAdapter(BatchRequest)
RESCORING: TypeAdapter[Rescoring] = TypeAdapter(Rescoring)
PROBLEM: TypeAdapter[AnyProblem] = TypeAdapter(Problem)


@dataclass(frozen=True, slots=True)
class NamedProblem:
    """A problem and its content hash."""

    id: str
    problem: AnyProblem


# --- the body -------------------------------------------------------------------------------------


async def read_json_body(request: Request, max_body_bytes: int) -> bytes:
    """The whole body, refused as soon as it is known to be too large.

    Raises:
        UnsupportedMediaType: If it is not sent as plain JSON.
        BodyTooLarge: If it is larger than ``max_body_bytes``.
    """
    _require_json(request)
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared[:20]) > max_body_bytes:
        raise _too_large(max_body_bytes)
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > max_body_bytes:
            raise _too_large(max_body_bytes)
    return bytes(body)


def _require_json(request: Request) -> None:
    # A browser sends other types, or none, across origins without asking first; this one it must ask for.
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        given = f"not {quoted(media_type)!r}" if media_type else "and none was given"
        raise UnsupportedMediaType(f"Content-Type must be application/json, {given}")
    encoding = request.headers.get("content-encoding", "identity")
    if encoding.lower() != "identity":
        raise UnsupportedMediaType(
            f"Content-Encoding {quoted(encoding)!r} is not read; send plain JSON"
        )


def _too_large(max_body_bytes: int) -> BodyTooLarge:
    return BodyTooLarge(
        f"at most {max_body_bytes} bytes are taken; send smaller batches, and problems once by POST /problems"
    )


async def parsed[T](body: bytes, parse: Callable[[bytes], T]) -> T:
    """Run ``parse`` on the body, in a thread if it is large; few at a time, since each takes much memory."""
    if len(body) <= SMALL_BODY_BYTES:
        return parse(body)
    return await asyncio.get_running_loop().run_in_executor(_reading_threads(), parse, body)


@cache
def _reading_threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(LARGE_BODIES_COUNT, "reading")


# --- what the routes ask for ----------------------------------------------------------------------


async def read_submission(request: Request, store: ProblemStore, max_body_bytes: int) -> Work:
    """The work of ``POST /judge``.

    Raises:
        ApiError: If the body is not a valid submission, or its problem is not stored.
    """
    arrived = time.monotonic()
    body = await read_json_body(request, max_body_bytes)
    sender = _Sender(arrived, owner_of(request))
    submission = await parsed(body, partial(validated, SUBMISSION, Submission))
    await store.load(_stored_ids([submission]))
    return await parsed(body, lambda _: _submission_work(submission, store, sender))


async def read_batch(request: Request, store: ProblemStore, max_body_bytes: int) -> list[Work]:
    """The work of ``POST /judge/batch``, in the order of the submissions.

    Raises:
        ApiError: If anything in the batch is not valid, or a problem is not stored.
    """
    arrived = time.monotonic()
    body = await read_json_body(request, max_body_bytes)
    sender = _Sender(arrived, owner_of(request))
    batch = await parsed(body, partial(validated, BATCH, BatchRequest))
    await store.load(_stored_ids(batch.submissions))
    return await parsed(body, lambda _: _batch_works(batch, store, sender))


async def read_rescoring(
    request: Request, store: ProblemStore, max_body_bytes: int
) -> tuple[Rescoring, NamedProblem]:
    """What ``POST /rescore`` asks for, and the problem of its judgement.

    Raises:
        ApiError: If the body is not a valid rescoring, or its problem is not stored.
    """
    body = await read_json_body(request, max_body_bytes)
    asked = await parsed(body, partial(validated, RESCORING, Rescoring))
    await store.load(_stored_ids([asked]))
    return await parsed(body, lambda _: _rescoring(asked, store))


async def read_problem(request: Request, max_body_bytes: int) -> tuple[NamedProblem, int]:
    """The problem of ``POST /problems`` and the size of its body in bytes.

    Raises:
        ApiError: If the body is not a valid problem.
    """
    body = await read_json_body(request, max_body_bytes)
    return await parsed(body, lambda body: _named(validated(PROBLEM, Problem, body), ())), len(body)


def submission_work(text: bytes, arrived: float) -> Work:
    """The work of a submission that stands alone, outside any service.

    Raises:
        ApiError: If it is not valid, or names a stored problem.
    """
    submission = validated(SUBMISSION, Submission, text)
    if submission.problem is None:
        raise wrong(("problem_id",), "only a service keeps problems; give `problem` inline")
    return _work(submission, _named(submission.problem, ("problem",)), (), _Sender(arrived, None))


def validated[T](adapter: TypeAdapter[T], kind: Any, body: bytes) -> T:
    """The ``kind`` in the body; a string is not taken for a number, nor a number for a string.

    Raises:
        ApiError: Says every place that is wrong.
    """
    if not body or body.isspace():
        raise MalformedJson("the body is empty")
    try:
        return adapter.validate_json(body, strict=True)
    except ValidationError as error:
        raise validation_failed(error, kind) from None


# --- finding the problem --------------------------------------------------------------------------


def _stored_ids(askers: Iterable[Submission | BatchSubmission | Rescoring]) -> set[str]:
    return {asker.problem_id for asker in askers if asker.problem_id is not None}


class _Sender(NamedTuple):
    """When a request came, and who sent it."""

    arrived: float
    owner: str | None


def _submission_work(submission: Submission, store: ProblemStore, sender: _Sender) -> Work:
    if submission.problem is None:
        named = _stored(store, submission.problem_id, ())
    else:
        named = _named(submission.problem, ("problem",))
    return _work(submission, named, (), sender)


def _rescoring(asked: Rescoring, store: ProblemStore) -> tuple[Rescoring, NamedProblem]:
    if asked.problem is None:
        named = _stored(store, asked.problem_id, ())
    else:
        named = _named(asked.problem, ("problem",))
    if asked.comparison is not None:
        _refuse(comparison_misfits(asked.comparison, named.problem), ())
    return asked, named


def _batch_works(batch: BatchRequest, store: ProblemStore, sender: _Sender) -> list[Work]:
    named = {name: _named(problem, ("problems", name)) for name, problem in batch.problems.items()}
    found = _problems_of(batch.submissions, named, store)
    return [
        _work(submission, problem, ("submissions", index), sender)
        for index, (submission, problem) in enumerate(zip(batch.submissions, found, strict=True))
    ]


def _work(
    submission: SubmissionBase, named: NamedProblem, where: tuple[int | str, ...], sender: _Sender
) -> Work:
    """A submission and its problem together, once they are known to fit."""
    _refuse(misfits(submission, named.problem), where)
    return Work(submission, named.problem, named.id, sender.arrived, where, sender.owner)


def _refuse(misfits: Iterable[tuple[tuple[str, ...], str]], where: tuple[int | str, ...]) -> None:
    for field, why in misfits:
        raise wrong((*where, *field), why)


def _problems_of(
    submissions: Sequence[BatchSubmission], named: dict[str, NamedProblem], store: ProblemStore
) -> Iterator[NamedProblem]:
    for index, submission in enumerate(submissions):
        where = ("submissions", index)
        if submission.problem is None:
            yield _stored(store, submission.problem_id, where)
        elif isinstance(submission.problem, str):
            yield _by_name(named, submission.problem, (*where, "problem"))
        else:
            yield _named(submission.problem, (*where, "problem"))


def _by_name(
    named: dict[str, NamedProblem], name: str, where: tuple[int | str, ...]
) -> NamedProblem:
    if name in named:
        return named[name]
    raise wrong(where, f"no problem is named {name[:50]!r} in `problems`")


def _stored(store: ProblemStore, wanted: str | None, where: tuple[int | str, ...]) -> NamedProblem:
    problem = store.get(wanted or "")
    if problem is None:
        raise UnknownProblem(
            f"{place((*where, 'problem_id'))}: {wanted} is not stored here (never, or no more); "
            "send it with POST /problems, then again"
        )
    return NamedProblem(wanted or "", problem)


def _named(problem: AnyProblem, where: tuple[int | str, ...]) -> NamedProblem:
    if isinstance(problem, CallProblem):
        _check_values(problem, where)
    return NamedProblem(problem_id(problem), problem)


def _check_values(problem: CallProblem, where: tuple[int | str, ...]) -> None:
    """Read every typed value once, so that none fails only when a program runs."""
    for index, test in enumerate(problem.tests):
        for name, value in _values_of(test):
            try:
                json.dumps(value, allow_nan=False)
                to_msgpack(from_json(value))
            except (ValueError, ArithmeticError, RecursionError) as error:
                raise wrong((*where, "tests", index, *name), _complaint(error)) from None


def wrong(where: tuple[int | str, ...], what: str) -> ValidationFailed:
    """The answer to a body that is wrong at this place."""
    spot, words = quoted(place(where)), quoted(what)
    return ValidationFailed(f"{spot}: {words}", errors=[{"where": spot, "what": words}])


def _values_of(test: CallTest) -> Iterator[tuple[tuple[int | str, ...], Any]]:
    for index, value in enumerate(test.args):
        yield ("args", index), value
    for key, value in test.kwargs.items():
        yield ("kwargs", key), value
    yield ("expected",), test.expected


def _complaint(error: Exception) -> str:
    if "not JSON compliant" in str(error):
        return 'NaN and Infinity are no JSON; write {"$float": "nan"} or {"$float": "inf"}'
    return str(error)
