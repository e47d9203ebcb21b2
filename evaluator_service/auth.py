"""Who sends a request: every path but the probes asks for ``Authorization: Bearer KEY``, where there are keys.

A request without a right key is answered before a byte of its body is read, and before anything is said of its path.
"""

import re
from collections.abc import Iterable
from typing import Any

import structlog
from fastapi import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from evaluator_service.errors import Unauthorized, problem_response
from evaluator_service.keyring import KeyRing
from evaluator_service.keys import KEY_FORM
from evaluator_service.middleware import PROBES

_BEARER = re.compile(rb"(?i:bearer) +(" + KEY_FORM.pattern + rb")[ \t]*")
_REALM = 'Bearer realm="microcoder"'
_POLICY_VIOLATION = 1008
"""Code of a WebSocket that is closed because of who opens it (RFC 6455, section 7.4.1)."""


class Authentication:
    """ASGI middleware: lets in whoever has a key, and notes whose it is."""

    def __init__(self, app: ASGIApp, keys: KeyRing) -> None:
        """Wrap ``app``; ``keys`` open it."""
        self._app = app
        self._keys = keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or refuse it."""
        if scope["type"] == "lifespan" or self._keys.is_open or _is_probe(scope):
            await self._app(scope, receive, send)
        elif scope["type"] != "http":
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
        else:
            await self._authenticated(scope, receive, send)

    async def _authenticated(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            owner = self._owner(scope["headers"])
        except Unauthorized as error:
            await problem_response(error)(scope, receive, send)
            return
        scope.setdefault("state", {})["owner"] = owner
        # To the end of the request's task, so that the line of the access log has it, too.
        structlog.contextvars.bind_contextvars(api_key=owner)
        await self._app(scope, receive, send)

    def _owner(self, headers: Iterable[tuple[bytes, bytes]]) -> str:
        presented = bearer_key(headers)
        if presented is None:
            raise Unauthorized(
                "send one header `Authorization: Bearer KEY`, with a key of this service",
                headers={"WWW-Authenticate": _REALM},
            )
        key = self._keys.find(presented)
        if key is None:
            raise Unauthorized(
                "the key in `Authorization` is none of this service's, or no more",
                headers={"WWW-Authenticate": f'{_REALM}, error="invalid_token"'},
            )
        return key.name


def _is_probe(scope: Scope) -> bool:
    # The very string that the routes are found by: what is no probe to them is none here.
    return scope["type"] == "http" and scope["path"] in PROBES


def bearer_key(headers: Iterable[tuple[bytes, bytes]]) -> bytes | None:
    """What may be a key in the one ``Authorization`` header; None if there is none, or more than one of them."""
    given = [value for name, value in headers if name.lower() == b"authorization"]
    found = _BEARER.fullmatch(given[0]) if len(given) == 1 else None
    return found[1] if found else None


def owner_of(request: Request) -> str | None:
    """Name of the key that the request was sent with; None where no key is asked for."""
    state: dict[str, Any] = request.scope.get("state", {})
    return state.get("owner")
