"""The paths of submissions that nobody has to wait for: sent now, asked for later."""

import asyncio
import uuid
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from evaluator_service.auth import owner_of
from evaluator_service.errors import CLIENT_CLOSED_REQUEST, UnknownSubmission
from evaluator_service.idempotency import kept_under, key_of, name_of, submission_id
from evaluator_service.openapi import answers, keyed_body
from evaluator_service.requests import read_submission
from evaluator_service.routes import JSON, accepted, json_line, json_response, service_of
from evaluator_service.schema import Judgement, SubmissionState
from evaluator_service.streaming import ClientGone, wait_for_all
from evaluator_service.wire import SUBMISSION_ID_PATTERN

MAX_WAIT_SECONDS = 60.0

router = APIRouter()

SubmissionId = Annotated[
    str,
    Path(
        alias="submission_id",
        pattern=SUBMISSION_ID_PATTERN,
        description="The `id` of the answer to POST /submissions.",
        examples=["0" * 64],
    ),
]
WaitSeconds = Annotated[
    float,
    Query(
        ge=0,
        le=MAX_WAIT_SECONDS,
        description="How long to wait for the judgement if there is none yet, in seconds.",
        examples=[30.0],
    ),
]


@router.post(
    "/submissions",
    tags=["submissions"],
    summary="Have one submission judged, and ask for the judgement later",
    status_code=202,
    openapi_extra=keyed_body("Submission"),
    responses=answers(
        {202: "SubmissionState"}, 400, 404, 408, 413, 415, 422, 429, 500, 503, location=True
    ),
)
async def submit(request: Request) -> Response:
    """Answers at once; `Location` is where to ask. The work goes on when the client goes away.

    The same again with the same `Idempotency-Key` is the same submission. Without a key, each is a new one.
    """
    service = service_of(request)
    key = key_of(request) or uuid.uuid4().hex
    work = await read_submission(request, service.store, service.settings.max_body_bytes)
    (answer,) = await accepted(request, [kept_under(work, key)])
    known = submission_id(work.owner, key)
    state = _state(known, answer.result() if answer.done() else None)
    answer.cancel()  # nobody waits for it here; the work goes on
    headers = {"Location": f"{request.url.path}/{known}"}
    return Response(json_line(state), 202, headers, JSON)


@router.get(
    "/submissions/{submission_id}",
    tags=["submissions"],
    summary="How a submission stands, and its judgement once there is one",
    responses=answers({200: "SubmissionState"}, 404, 422, 500, 503),
)
async def submitted(
    request: Request, known: SubmissionId, wait_seconds: WaitSeconds = 0.0
) -> Response:
    """With `wait_seconds` it answers the moment the judgement exists, or after that time as things stand then."""
    waiting = service_of(request).submissions.wait(name_of(owner_of(request), known), wait_seconds)
    try:
        (kept,) = await wait_for_all(request, [asyncio.ensure_future(waiting)])
    except ClientGone:
        return Response(status_code=CLIENT_CLOSED_REQUEST)
    if kept is None:
        raise _unknown(known)
    return json_response(_state(known, kept.judgement))


@router.delete(
    "/submissions/{submission_id}",
    tags=["submissions"],
    summary="Withdraw a submission, or forget its judgement",
    status_code=204,
    responses=answers({204: None}, 404, 422, 500, 503),
)
async def withdraw(request: Request, known: SubmissionId) -> Response:
    """What waits is not begun, what runs is stopped, what is done is forgotten. Then nothing has this id."""
    if not await service_of(request).submissions.forget(name_of(owner_of(request), known)):
        raise _unknown(known)
    return Response(status_code=204)


def _state(known: str, judgement: Judgement | None) -> SubmissionState:
    status = "pending" if judgement is None else "done"
    return SubmissionState(id=known, status=status, judgement=judgement)


def _unknown(known: str) -> UnknownSubmission:
    return UnknownSubmission(f"{known} is no submission of yours: never, no more, or withdrawn")
