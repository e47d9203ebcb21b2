"""The paths of operations: whether the service lives, would judge, and how it stands."""

import platform
from typing import Literal

from fastapi import APIRouter, Request
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4
from pydantic import Field
from starlette.responses import PlainTextResponse, Response

from evaluator_service import WIRE_VERSION, __version__
from evaluator_service.errors import NotReady
from evaluator_service.openapi import answers
from evaluator_service.routes import json_response, service_of
from evaluator_service.stats import stats_of
from evaluator_service.wire import Wire

router = APIRouter()


class Health(Wire):
    """The process answers."""

    status: Literal["ok"] = Field(description="Always `ok`.", examples=["ok"])


class Version(Wire):
    """What runs here."""

    version: str = Field(description="Version of the service.", examples=["0.1.0"])
    wire_version: int = Field(description="Version of the format inside the service.", examples=[1])
    python: str = Field(description="Version of the Python it runs on.", examples=["3.12.1"])
    languages: dict[str, str] = Field(
        description="The languages that programs may be written in, with the version of each.",
        examples=[{"python": "Python 3.12.1"}],
    )


@router.get(
    "/healthz",
    tags=["operations"],
    summary="Whether the process lives",
    responses=answers({200: "Health"}, 500),
)
async def healthz() -> Response:
    """Says nothing of the judge; restart the process when this does not answer."""
    return json_response(Health(status="ok"))


@router.get(
    "/readyz",
    tags=["operations"],
    summary="Whether a submission sent now would be judged",
    responses=answers({200: "Health"}, 500, 503),
)
async def readyz(request: Request) -> Response:
    """503 while starting, shutting down or full, and until the sandbox has passed its self-check.

    `detail` says which it is. A self-check that failed stays so: mend what it names, and start the service anew.
    """
    obstacle = service_of(request).executor.obstacle()
    if obstacle is not None:
        raise NotReady(obstacle, headers={"Retry-After": "1"})
    return json_response(Health(status="ok"))


@router.get(
    "/version",
    tags=["operations"],
    summary="What runs here",
    responses=answers({200: "Version"}, 500),
)
async def version(request: Request) -> Response:
    """Versions of the service, its inner format, its Python, and its languages."""
    about = Version(
        version=__version__,
        wire_version=WIRE_VERSION,
        python=platform.python_version(),
        languages=dict(service_of(request).executor.languages().versions),
    )
    return json_response(about)


@router.get(
    "/stats",
    tags=["operations"],
    summary="How queue, slots and jails stand",
    responses=answers({200: "Stats"}, 500),
)
async def stats(request: Request) -> Response:
    """Figures as JSON, for people and scripts. All counts are of this process, since its start."""
    service = service_of(request)
    return json_response(stats_of(service.executor, service.tally))


@router.get(
    "/metrics",
    tags=["operations"],
    summary="The same for Prometheus",
    response_class=PlainTextResponse,
    responses=answers({200: None}, 500, media_type="text/plain"),
)
async def metrics(request: Request) -> Response:
    """Prometheus's text format."""
    text = service_of(request).metrics.text()
    return Response(text, media_type=CONTENT_TYPE_PLAIN_0_0_4)
