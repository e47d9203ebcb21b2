"""The frame around every request: its id, its line in the log, and the last resort when code fails.

A client may name a request by ``X-Request-ID``; the answer always carries one. The id is bound to the
context, so every event logged on behalf of the request carries it too.
"""

import re
import time
import uuid
from collections.abc import MutableMapping
from typing import Any

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from evaluator_service.boundaries import note
from evaluator_service.errors import InternalError, problem_response, quoted

REQUEST_ID_PATTERN = re.compile(r"[A-Za-z0-9._:/+=@-]{1,128}")
_PROBED = ("/healthz", "/readyz", "/metrics")
PROBES = frozenset({*_PROBED, *(f"/v1{path}" for path in _PROBED)})
"""Asked for by machines all day: their lines are for debugging."""

log = structlog.get_logger(__name__)


class RequestFrame:
    """ASGI middleware: request id, access log, and problem+json for what nobody caught."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap ``app``."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = request_id_of(scope)
        # A pipelined request begins in the context of the one before it: nothing of that is this one's.
        structlog.contextvars.clear_contextvars()
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            await self._framed(scope, receive, send, request_id)

    async def _framed(self, scope: Scope, receive: Receive, send: Send, request_id: str) -> None:
        started = time.monotonic()
        status = 0

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (b"x-request-id", request_id.encode())]
            await send(message)

        try:
            await self._app(scope, receive, send_with_id)
        except Exception as error:
            note("http")
            log.exception("request_failed", path=quoted(scope["path"]))
            if status:  # the answer has begun: all that is left is to break the connection
                raise
            detail = f"{type(error).__name__}; the log has more under this request id"
            await problem_response(InternalError(detail))(scope, receive, send_with_id)
        finally:
            _log_access(scope, status, time.monotonic() - started)


def request_id_of(scope: MutableMapping[str, Any]) -> str:
    """The client's ``X-Request-ID`` if it is fit to log and echo, else a new one."""
    for name, value in scope["headers"]:
        if name == b"x-request-id" and REQUEST_ID_PATTERN.fullmatch(
            given := value.decode("latin-1")
        ):
            return str(given)
    return uuid.uuid4().hex


def _log_access(scope: Scope, status: int, elapsed_seconds: float) -> None:
    report = log.debug if scope["path"] in PROBES else log.info
    report(
        "request",
        method=scope["method"],
        path=quoted(scope["path"]),
        status=status,
        elapsed_seconds=round(elapsed_seconds, 6),
    )
