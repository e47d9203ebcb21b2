"""The paths of recorded outputs: what was kept, and another policy over it."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from evaluator_service.errors import CLIENT_CLOSED_REQUEST, UnknownOutput, quoted
from evaluator_service.openapi import OCTETS, answers, request_body
from evaluator_service.refusals import WithdrawnError
from evaluator_service.requests import NamedProblem, read_rescoring, wrong
from evaluator_service.rescore import MisfitError, rescore
from evaluator_service.routes import JSON, Service, json_line, service_of
from evaluator_service.schema import Rescoring
from evaluator_service.settings import penalties
from evaluator_service.streaming import ClientGone, wait_for_all
from evaluator_service.wire import ContentHash

RESCORINGS_COUNT = 2
"""How many judgements are looked at anew at a time; comparing takes CPU time of this process."""

router = APIRouter()


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(RESCORINGS_COUNT, "rescoring")


@router.post(
    "/rescore",
    tags=["judging"],
    summary="Compare the kept outputs of a judgement by another policy",
    openapi_extra=request_body("Rescoring"),
    responses=answers({200: "Rescored"}, 400, 404, 408, 413, 415, 422, 429, 500),
)
async def rescore_judgement(request: Request) -> Response:
    """Nothing runs again. What cannot be known is a `judge_error`, with status 200, and never a guess.

    Its `kind` is `incomplete` where a test that now counts was skipped, and `outputs_gone` where an output is not kept
    any more. `ladder` says what each profile would have said.
    """
    service = service_of(request)
    asked, named = await read_rescoring(request, service.store, service.settings.max_body_bytes)
    withdrawn = threading.Event()
    future = asyncio.get_running_loop().run_in_executor(
        _threads(), _rescored, service, asked, named, withdrawn
    )
    future.add_done_callback(lambda _: withdrawn.set())
    try:
        (content,) = await wait_for_all(request, [future])
    except ClientGone:
        return Response(status_code=CLIENT_CLOSED_REQUEST)
    return Response(content, media_type=JSON)


def _rescored(
    service: Service, asked: Rescoring, named: NamedProblem, withdrawn: threading.Event
) -> str:
    def go_on() -> None:
        if withdrawn.is_set():
            raise WithdrawnError

    try:
        answer = rescore(
            asked, named.problem, named.id, service.archive, penalties(service.settings), go_on
        )
    except MisfitError as error:
        raise wrong(("judgement", *error.where), error.what) from None
    return json_line(answer)


OutputId = Annotated[
    ContentHash, Path(description="Content hash of the output.", examples=["sha256:" + "0" * 64])
]


@router.get(
    "/outputs/{output_id}",
    tags=["judging"],
    summary="A kept output",
    responses=answers({200: None}, 404, 422, 500, media_type=OCTETS),
)
async def kept_output(request: Request, output_id: OutputId) -> Response:
    """The bytes that were compared: standard output, or a returned value as it came out of the jail (MessagePack)."""
    # in a thread: they may be on a disk, or on another machine
    output = await asyncio.to_thread(service_of(request).archive.outputs.get, output_id)
    if output is None:
        raise UnknownOutput(f"{quoted(output_id)} is not kept here (never, or no more)")
    # a program wrote this: no browser is to make anything of it
    headers = {"X-Content-Type-Options": "nosniff", "Content-Disposition": "attachment"}
    return Response(output, headers=headers, media_type=OCTETS)
