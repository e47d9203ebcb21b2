"""Errors of the HTTP interface: one class a kind, each an RFC 9457 answer.

::

    ApiError
    ├── MalformedJson          400  the body is no JSON
    ├── Unauthorized           401  no key of this service was sent
    ├── UnknownProblem         404  no stored problem has this id
    ├── UnknownOutput          404  no kept output has this id
    ├── UnknownSubmission      404  no submission of yours has this id
    ├── BodyTooSlow            408  the body did not arrive in time
    ├── BodyTooLarge           413  more bytes than the service takes
    ├── TooManySubmissions     413  more submissions than are ever taken
    ├── UnsupportedMediaType   415  the body is not sent as plain JSON
    ├── ValidationFailed       422  JSON, but not what is asked for
    ├── IdempotencyKeyReused   422  the key was sent with another submission
    ├── QueueIsFull            429  come back later
    ├── QuotaExceeded          429  the same, for this client alone
    ├── InternalError          500  our fault
    └── NotReady               503  nothing would be judged now

What a client sent is quoted shortly and escaped: an answer neither grows with hostile input nor fails to
encode because of it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.routing import Match

from evaluator_service.complaints import (
    MAX_JSON_LEVELS_COUNT,
    Complaint,
    complaints,
    place,
)
from evaluator_service.refusals import (
    BatchTooLarge,
    EngineDownError,
    KeyReused,
    LanguageMissing,
    QueueFull,
    QuotaFull,
    ShuttingDown,
)
from evaluator_service.schema import ProblemDetails

PROBLEM_MEDIA_TYPE = "application/problem+json"
CLIENT_CLOSED_REQUEST = 499
"""Status in our log of a request whose client went away; nobody receives it."""
MAX_QUOTED_CHARACTERS = 200
MAX_LISTED_ERRORS_COUNT = 20


class ApiError(Exception):
    """An answer other than 2xx. Subclasses fix the status, the type and the title."""

    status: ClassVar[int]
    slug: ClassVar[str]
    title: ClassVar[str]

    def __init__(
        self,
        detail: str,
        *,
        errors: Sequence[Mapping[str, str]] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Say what was wrong and what to do; ``errors`` lists places as ``{"where", "what"}``."""
        super().__init__(detail)
        self.detail = detail
        self.errors = errors
        self.headers = dict(headers or {})


class MalformedJson(ApiError):
    """The body is no JSON in UTF-8."""

    status, slug, title = 400, "malformed-json", "The body is not JSON"


class Unauthorized(ApiError):
    """No API key of this service was sent; `WWW-Authenticate` says how."""

    status, slug, title = 401, "unauthorized", "An API key is needed"


class UnknownProblem(ApiError):
    """No stored problem has this id."""

    status, slug, title = 404, "unknown-problem", "The problem is not stored here"


class UnknownOutput(ApiError):
    """No kept output has this id."""

    status, slug, title = 404, "unknown-output", "The output is not kept here"


class UnknownSubmission(ApiError):
    """No submission of yours has this id: never, no more, or withdrawn."""

    status, slug, title = 404, "unknown-submission", "The submission is not known here"


class BodyTooSlow(ApiError):
    """The body did not arrive in time."""

    status, slug, title = 408, "body-too-slow", "The body did not arrive in time"


class BodyTooLarge(ApiError):
    """More bytes than ``MICROCODER_MAX_BODY_BYTES``."""

    status, slug, title = 413, "body-too-large", "The body is too large"


class TooManySubmissions(ApiError):
    """More submissions at once than a batch, the queue or the client's quota may ever hold."""

    status, slug, title = 413, "too-many-submissions", "The batch is too large"


class UnsupportedMediaType(ApiError):
    """The body is not sent as plain JSON."""

    status, slug, title = 415, "unsupported-media-type", "The body must be sent as application/json"


class ValidationFailed(ApiError):
    """JSON, but not what is asked for."""

    status, slug, title = 422, "validation-error", "The request is not valid"


class IdempotencyKeyReused(ApiError):
    """The `Idempotency-Key` was sent before, with another submission."""

    status, slug, title = 422, "idempotency-key-reused", "The key belongs to another submission"


class QueueIsFull(ApiError):
    """No room now; ``Retry-After`` says when to come back."""

    status, slug, title = 429, "queue-full", "The queue is full"


class QuotaExceeded(ApiError):
    """As many submissions of this API key are unanswered as may be; ``Retry-After`` says when to come back."""

    status, slug, title = 429, "quota-exceeded", "The quota of this key is used up"


class InternalError(ApiError):
    """Our own fault."""

    status, slug, title = 500, "internal-error", "The service failed"


class NotReady(ApiError):
    """Starting, shutting down, full, or without jails that hold; `detail` says which."""

    status, slug, title = 503, "not-ready", "The service takes no work now"


METHOD_NOT_ALLOWED = 405

_PLAIN_HTTP = {
    404: ("not-found", "There is nothing at this path"),
    METHOD_NOT_ALLOWED: ("method-not-allowed", "This path does not know the method"),
}


def problem_response(error: ApiError) -> Response:
    """The error as ``application/problem+json``."""
    return _response(
        error.status,
        error.slug,
        error.title,
        error.detail,
        errors=error.errors,
        headers=error.headers,
    )


def _response(
    status: int,
    slug: str,
    title: str,
    detail: str,
    *,
    errors: Sequence[Mapping[str, str]] = (),
    headers: Mapping[str, str] | None = None,
) -> Response:
    details = ProblemDetails(
        type=f"/errors/{slug}",
        title=title,
        status=status,
        detail=detail,
        request_id=structlog.contextvars.get_contextvars().get("request_id", ""),
        errors=[dict(entry) for entry in errors],
    )
    content = details.model_dump_json() + "\n"
    return Response(content, status, dict(headers or {}), PROBLEM_MEDIA_TYPE)


def quoted(text: str) -> str:
    """Text of a client, safe to show: unprintable characters escaped, at most 200 characters."""
    head = text[:MAX_QUOTED_CHARACTERS]
    escaped = "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape", "surrogatepass").decode()
        for sign in head
    )
    return escaped if len(escaped) == len(text) else escaped[: MAX_QUOTED_CHARACTERS - 1] + "…"


def validation_failed(error: ValidationError, kind: Any) -> ApiError:
    """What pydantic found in a body for ``kind``: no JSON at all (400), or the places that are wrong (422)."""
    found = error.errors(include_url=False, include_input=False)
    if found[0]["type"] == "json_invalid":
        return _unreadable(found[0]["ctx"]["error"])
    return _listed(complaints(found, kind))


def _unreadable(why: str) -> ApiError:
    if why.startswith("recursion limit exceeded"):
        return ValidationFailed(
            f"nested too deeply: at most {MAX_JSON_LEVELS_COUNT} brackets and braces may be open at a time"
        )
    return MalformedJson(quoted(f"not JSON: {why}"))


def _listed(found: Sequence[Complaint]) -> ValidationFailed:
    errors = [
        {"where": quoted(place(complaint.where)), "what": quoted(complaint.what)}
        for complaint in found[:MAX_LISTED_ERRORS_COUNT]
    ]
    first = f"{errors[0]['where']}: {errors[0]['what']}".removeprefix(": ")
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return ValidationFailed(first + more, errors=errors)


# --- the handlers ---------------------------------------------------------------------------------


def install_handlers(app: FastAPI) -> None:
    """Make every error of ``app`` an ``application/problem+json`` answer."""
    for kind, handler in _HANDLERS.items():
        app.add_exception_handler(kind, handler)


async def _api_error(_: Request, error: Any) -> Response:
    return problem_response(error)


async def _request_validation(_: Request, error: Any) -> Response:
    return problem_response(_listed(complaints(error.errors(), None)))


async def _http_error(request: Request, error: Any) -> Response:
    slug, title = _PLAIN_HTTP.get(error.status_code, ("http-error", "The request failed"))
    detail = f"{quoted(request.method)} {quoted(request.url.path)}: {title.lower()}; see /docs"
    headers = error.headers
    if error.status_code == METHOD_NOT_ALLOWED:
        headers = {
            "Allow": _methods_of(request)
        }  # the framework names those of the first route alone
    return _response(error.status_code, slug, title, detail, headers=headers)


def _methods_of(request: Request) -> str:
    """The methods that the path of a request knows."""
    routes, scope = request.app.routes, dict(request.scope)
    known = [
        method
        for method in ("DELETE", "GET", "HEAD", "POST")
        if any(route.matches(scope | {"method": method})[0] is Match.FULL for route in routes)
    ]
    return ", ".join(known)


async def _queue_full(_: Request, error: Any) -> Response:
    return problem_response(_come_back(QueueIsFull, error))


async def _quota_full(_: Request, error: Any) -> Response:
    return problem_response(_come_back(QuotaExceeded, error))


def _come_back(kind: type[ApiError], error: QueueFull | QuotaFull) -> ApiError:
    headers = {"Retry-After": str(error.retry_after_seconds)}
    return kind(f"{error}; nothing of this request was taken", headers=headers)


async def _batch_too_large(_: Request, error: Any) -> Response:
    return problem_response(TooManySubmissions(f"{error}; send smaller batches"))


async def _language_missing(_: Request, error: Any) -> Response:
    return problem_response(_listed([Complaint(error.where, str(error))]))


async def _key_reused(_: Request, error: Any) -> Response:
    spot = f"{place(error.where)}: " if error.where else ""
    return problem_response(
        IdempotencyKeyReused(f"{spot}{error}; what is not the same needs a new Idempotency-Key")
    )


async def _client_gone(_: Request, __: Any) -> Response:
    """The client hung up within its body: nobody reads this, but the log says it."""
    return Response(status_code=CLIENT_CLOSED_REQUEST)


async def _not_now(_: Request, error: Any) -> Response:
    return problem_response(NotReady(f"{error}; send it again", headers={"Retry-After": "1"}))


_HANDLERS: dict[type[Exception], Any] = {
    ApiError: _api_error,
    ClientDisconnect: _client_gone,
    RequestValidationError: _request_validation,
    HTTPException: _http_error,
    QueueFull: _queue_full,
    QuotaFull: _quota_full,
    BatchTooLarge: _batch_too_large,
    LanguageMissing: _language_missing,
    KeyReused: _key_reused,
    ShuttingDown: _not_now,
    EngineDownError: _not_now,
}
