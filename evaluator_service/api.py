"""The HTTP application: routes at the root and under ``/v1``, errors, the life of the executor."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI

from evaluator_service import __version__, operations, rescore_routes, routes, submission_routes
from evaluator_service.auth import Authentication
from evaluator_service.backend import distributed, embedded
from evaluator_service.bodies import BoundedBodies
from evaluator_service.errors import install_handlers
from evaluator_service.executor import Executor
from evaluator_service.judging import JudgeLike
from evaluator_service.keyring import KeyRing
from evaluator_service.metrics import Metrics
from evaluator_service.middleware import RequestFrame
from evaluator_service.openapi import document
from evaluator_service.quotas import Quotas
from evaluator_service.routes import Service
from evaluator_service.settings import Settings
from evaluator_service.stats import Stats
from evaluator_service.submissions import Submissions
from evaluator_service.tally import Tally

DESCRIPTION = (
    "Runs untrusted programs against tests in jails and answers with a verdict and a reward.\n\n"
    "Every answer other than 2xx is `application/problem+json` (RFC 9457)."
)


def create_app(settings: Settings, judge: JudgeLike | None) -> FastAPI:
    """The application around ``judge``, which is started and closed with it; None: around the workers.

    Raises:
        SettingsError: If the file of API keys cannot be used.
    """
    tally = Tally()
    backend = distributed(settings) if judge is None else embedded(settings, judge)
    executor = Executor(backend.engine, settings, tally.observe)
    keys = KeyRing(settings)
    submissions = Submissions(
        executor,
        Quotas(keys.quota_of),
        backend.results,
        engine_keeps=backend.engine.outlives_us,
    )
    app = FastAPI(
        title="microcoder",
        version=__version__,
        description=DESCRIPTION,
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=lambda route: route.name,
        lifespan=_lifespan,
    )
    metrics = Metrics(executor, tally)
    app.state.service = Service(
        settings, executor, submissions, backend.archive, backend.problems, tally, metrics, keys
    )
    for router in (
        routes.router,
        submission_routes.router,
        rescore_routes.router,
        operations.router,
    ):
        app.include_router(router)
        app.include_router(router, prefix="/v1", include_in_schema=False)
    app.add_middleware(BoundedBodies, max_bytes=settings.max_bodies_bytes)
    app.add_middleware(Authentication, keys=keys)
    app.add_middleware(RequestFrame)
    install_handlers(app)
    _document(app)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    service: Service = app.state.service
    await service.executor.start()
    try:
        yield
        await service.executor.drain(service.settings.drain_seconds)
    finally:
        await service.executor.close()


def _document(app: FastAPI) -> None:
    made: dict[str, Any] = {}

    def openapi() -> dict[str, Any]:
        if not made:
            made.update(document(app, (operations.Health, operations.Version, Stats)))
        return made

    app.openapi = openapi  # type: ignore[method-assign]  # the framework's documented way to extend it
