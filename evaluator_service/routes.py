"""The paths of judging. Each reads what was sent, asks the executor or the store, and answers."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel
from starlette.responses import Response

from evaluator_service.bodies import held_body
from evaluator_service.errors import CLIENT_CLOSED_REQUEST, UnknownProblem, quoted
from evaluator_service.executor import Executor
from evaluator_service.idempotency import kept, kept_each
from evaluator_service.keyring import KeyRing
from evaluator_service.metrics import Metrics
from evaluator_service.openapi import answers, keyed_body, request_body
from evaluator_service.outputs import Archive
from evaluator_service.problem import ProblemId
from evaluator_service.problem_store import ProblemStore
from evaluator_service.refusals import BatchTooLarge
from evaluator_service.requests import read_batch, read_problem, read_submission
from evaluator_service.schema import Judgement, ProblemReference
from evaluator_service.settings import Settings
from evaluator_service.streaming import (
    BatchStream,
    ClientGone,
    json_batch,
    streamed_type,
    wait_for_all,
)
from evaluator_service.submissions import Submissions
from evaluator_service.tally import Tally
from evaluator_service.work import Work

JSON = "application/json"

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Service:
    """What the routes work with; lives in ``app.state.service``."""

    settings: Settings
    executor: Executor
    submissions: Submissions
    archive: Archive
    store: ProblemStore
    tally: Tally
    metrics: Metrics
    keys: KeyRing


def service_of(request: Request) -> Service:
    """What the application of a request works with."""
    service: Service = request.app.state.service
    return service


def json_line(model: BaseModel, *, exclude_unset: bool = False) -> str:
    """The model as JSON, with a line end for whoever reads it in a terminal."""
    return model.model_dump_json(exclude_unset=exclude_unset) + "\n"


def json_response(model: BaseModel) -> Response:
    """The model as an answer."""
    return Response(json_line(model), media_type=JSON)


# --- judging --------------------------------------------------------------------------------------


async def accepted(request: Request, works: Sequence[Work]) -> list[asyncio.Future[Judgement]]:
    """The answers to come, once all of ``works`` are taken.

    Raises:
        BatchTooLarge: If they are more than a batch may hold.
        Exception: Whatever ``Submissions.submit`` raises.
    """
    service = service_of(request)
    most = service.settings.max_batch_items
    if len(works) > most:
        raise BatchTooLarge(f"{len(works)} submissions at once, but a batch holds {most}")
    return await service.submissions.submit(works, held_body(request))


@router.post(
    "/judge",
    tags=["judging"],
    summary="Judge one submission and wait for the judgement",
    openapi_extra=keyed_body("Submission"),
    responses=answers({200: "Judgement"}, 400, 404, 408, 413, 415, 422, 429, 500, 503),
)
async def judge(request: Request) -> Response:
    """Runs the program against the tests of its problem. A `judge_error` is an answer too, with status 200."""
    service = service_of(request)
    work = await read_submission(request, service.store, service.settings.max_body_bytes)
    futures = await accepted(request, [kept(request, work)])
    try:
        judgements = await wait_for_all(request, futures)
    except ClientGone:
        return Response(status_code=CLIENT_CLOSED_REQUEST)
    return json_response(judgements[0])


@router.post(
    "/judge/batch",
    tags=["judging"],
    summary="Judge many submissions; all are taken or none",
    openapi_extra=keyed_body("BatchRequest"),
    responses=answers(
        {200: "BatchResponse"}, 400, 404, 408, 413, 415, 422, 429, 500, 503, streams=True
    ),
)
async def judge_batch(request: Request) -> Response:
    """Answers in the order of the submissions.

    With `Accept: application/x-ndjson` or `text/event-stream` each judgement is sent the moment it exists, as
    `{"index": i, "judgement": {…}}`; the last line (or event `done`) is `{"done": {"total": n, "verdicts": {…}, "methods": {…}}}`.
    """
    service = service_of(request)
    works = await read_batch(request, service.store, service.settings.max_body_bytes)
    futures = await accepted(request, kept_each(request, works))
    stream_type = streamed_type(request.headers.get("accept", ""))
    if stream_type:
        return BatchStream(futures, stream_type)
    try:
        return json_batch(await wait_for_all(request, futures))
    except ClientGone:
        return Response(status_code=CLIENT_CLOSED_REQUEST)


# --- problems -------------------------------------------------------------------------------------


@router.post(
    "/problems",
    tags=["problems"],
    summary="Store a problem under its content hash",
    status_code=201,
    openapi_extra=request_body("Problem"),
    responses=answers(
        {201: "ProblemReference", 200: "ProblemReference"},
        400,
        408,
        413,
        415,
        422,
        429,
        500,
        location=True,
    ),
)
async def store_problem(request: Request) -> Response:
    """Tests travel once: submissions name the problem by `problem_id` from then on.

    201 if it is new, 200 if it was there. The least used problems are dropped when room is short; a
    submission that names one is answered with 404 `unknown-problem`: store it again.
    """
    service = service_of(request)
    named, size_bytes = await read_problem(request, service.settings.max_body_bytes)
    is_new = await service.store.save(named.id, named.problem, size_bytes)
    reference = ProblemReference(problem_id=named.id)
    headers = {"Location": f"{request.url.path}/{named.id}"}
    return Response(json_line(reference), 201 if is_new else 200, headers, JSON)


StoredProblemId = Annotated[
    ProblemId, Path(description="Content hash of the problem.", examples=["sha256:" + "0" * 64])
]


@router.get(
    "/problems/{problem_id}",
    tags=["problems"],
    summary="A stored problem",
    responses=answers({200: "Problem"}, 404, 422, 500),
)
async def stored_problem(request: Request, problem_id: StoredProblemId) -> Response:
    """The problem as it was sent, fields that were not set left out."""
    store = service_of(request).store
    await store.load([problem_id])
    problem = store.get(problem_id)
    if problem is None:
        raise UnknownProblem(f"{quoted(problem_id)} is not stored here (never, or no more)")
    return Response(json_line(problem, exclude_unset=True), media_type=JSON)


@router.head(
    "/problems/{problem_id}",
    tags=["problems"],
    summary="Whether a problem is stored",
    responses=answers({200: None}, 404, 422, 500),
)
async def has_problem(request: Request, problem_id: StoredProblemId) -> Response:
    """Status 200 or 404, or 422 for what is no id; no body."""
    return await stored_problem(request, problem_id)
