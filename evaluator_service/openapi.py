"""The OpenAPI document. Routes read raw bodies for speed; here is what makes the document complete anyway."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import JsonSchemaMode

from evaluator_service.middleware import PROBES
from evaluator_service.schema import (
    BatchRequest,
    BatchResponse,
    Judgement,
    Problem,
    ProblemDetails,
    ProblemReference,
    Rescored,
    Rescoring,
    Submission,
    SubmissionState,
)

WIRE_MODELS: tuple[type[BaseModel], ...] = (
    Submission,
    BatchRequest,
    Judgement,
    BatchResponse,
    SubmissionState,
    Rescoring,
    Rescored,
    ProblemReference,
    ProblemDetails,
)
REFERENCE = "#/components/schemas/{model}"

_REQUEST_ID = {
    "X-Request-ID": {
        "description": "Name of the request, in every log line about it; yours, if you sent one "
        "of 1 to 128 letters, digits and `._:/+=@-`.",
        "schema": {"type": "string"},
    }
}
_WWW_AUTHENTICATE = {
    "WWW-Authenticate": {"description": "How to send a key.", "schema": {"type": "string"}}
}
_RETRY_AFTER = {
    "Retry-After": {"description": "When to come back, in seconds.", "schema": {"type": "integer"}}
}
_LOCATION = {"Location": {"description": "Path of what was taken.", "schema": {"type": "string"}}}

_IDEMPOTENCY_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "A name of yours for this request, 1 to 128 visible characters, in double quotes or bare. What is "
    "sent again with the same key is not judged again, and goes on when the client goes away. Each item of a batch "
    "has a key of its own, which is this one, a slash and its place.",
    "schema": {
        "type": "string",
        "pattern": r'^("([!#-\[\]-~]|\\["\\])+"|[!#-\[\]-~]+)$',
        "maxLength": 258,
    },
    "example": '"step-12/rollouts-0"',
}

_STDIO_PROBLEM = {"kind": "stdio", "tests": [{"input": "3 4\n", "expected": "7\n"}]}
_CALL_PROBLEM = {"kind": "call", "entry_point": "add", "tests": [{"args": [3, 4], "expected": 7}]}
_PROGRAM = "print(sum(map(int, input().split())))"
_JUDGEMENT = {
    "verdict": "accepted",
    "reward": 1.0,
    "passed": 1,
    "total": 1,
    "tests": [{"index": 0, "verdict": "accepted", "output": "sha256:" + "0" * 64}],
    "extraction": {"method": "code", "complete": True},
    "limits": {
        "cpu_time_seconds": 4.0,
        "wall_time_seconds": 30.0,
        "memory_bytes": 1 << 30,
        "output_bytes": 16 << 20,
        "processes_count": 64,
        "compile_time_seconds": 30.0,
    },
    "comparison": {"profile": "flexible"},
    "isolation": {"level": "nsjail+cgroup", "mode": "strict"},
    "timing": {
        "queue_seconds": 0.001,
        "compile_seconds": 0.002,
        "run_seconds": 0.015,
        "compare_seconds": 0.0001,
        "total_seconds": 0.02,
    },
}
EXAMPLES: dict[str, Any] = {
    "Submission": {"id": "rollout-3", "code": _PROGRAM, "problem": _STDIO_PROBLEM},
    "BatchRequest": {
        "problems": {"add": _CALL_PROBLEM},
        "submissions": [
            {"id": "right", "code": "def add(a, b):\n    return a + b", "problem": "add"},
            {"id": "wrong", "code": "def add(a, b):\n    return a - b", "problem": "add"},
        ],
    },
    "Problem": _STDIO_PROBLEM,
    "Rescoring": {
        "problem": _STDIO_PROBLEM,
        "judgement": _JUDGEMENT,
        "comparison": {"profile": "strict"},
        "ladder": True,
    },
}
"""A request that works, by the name of its schema."""


def request_body(name: str) -> dict[str, Any]:
    """The ``requestBody`` of an operation that takes the schema ``name``."""
    media = {"schema": _reference(name), "example": EXAMPLES[name]}
    return {"requestBody": {"required": True, "content": {"application/json": media}}}


def keyed_body(name: str) -> dict[str, Any]:
    """The same of an operation that honours ``Idempotency-Key``."""
    return request_body(name) | {"parameters": [_IDEMPOTENCY_KEY]}


def answers(
    good: Mapping[int, str | None],
    *bad: int,
    streams: bool = False,
    location: bool = False,
    media_type: str = "",
) -> dict[int | str, dict[str, Any]]:
    """The ``responses`` of an operation: good ones by status and schema, and the statuses of errors."""
    found: dict[int | str, dict[str, Any]] = {}
    for status, name in good.items():
        headers = _REQUEST_ID | (_LOCATION if location else {})
        found[status] = {"description": HTTPStatus(status).phrase, "headers": headers}
        if name:
            found[status]["content"] = {"application/json": {"schema": _reference(name)}}
        if streams:
            found[status]["content"] |= _STREAMS
        if media_type:
            found[status]["content"] = {
                media_type: {"schema": {"type": "string"} | _FORMATS[media_type]}
            }
    for status in bad:
        headers = _REQUEST_ID | _HEADERS_OF.get(status, {})
        content = {"application/problem+json": {"schema": _reference("ProblemDetails")}}
        found[status] = {
            "description": HTTPStatus(status).phrase,
            "headers": headers,
            "content": content,
        }
    return found


_HEADERS_OF: dict[int, dict[str, Any]] = {
    401: _WWW_AUTHENTICATE,
    429: _RETRY_AFTER,
    503: _RETRY_AFTER,
}
OCTETS = "application/octet-stream"
_FORMATS = {"text/plain": {}, OCTETS: {"format": "binary"}}
_STREAMS = {
    "application/x-ndjson": {
        "schema": {"type": "string", "description": "One JSON object a line."},
        "example": '{"index": 1, "judgement": {}}\n{"done": {"total": 1, "verdicts": {"accepted": 1}, "methods": {"exact": 1}}}\n',
    },
    "text/event-stream": {
        "schema": {"type": "string", "description": "Events `judgement`, then one `done`."},
        "example": 'event: judgement\ndata: {"index": 1, "judgement": {}}\n\n',
    },
}


def _reference(name: str) -> dict[str, str]:
    return {"$ref": REFERENCE.format(model=name)}


def document(app: FastAPI, extra_models: tuple[type[BaseModel], ...]) -> dict[str, Any]:
    """The OpenAPI document of ``app``, with the schemas that its routes name."""
    found = get_openapi(
        title=app.title, version=app.version, description=app.description, routes=app.routes
    )
    found["servers"] = [{"url": "/"}, {"url": "/v1", "description": "The same, with its version."}]
    components = found.setdefault("components", {}).setdefault("schemas", {})
    components.clear()  # what the framework derives from path parameters alone; nothing refers to it
    components.update(_schemas(extra_models))
    _ask_for_keys(found)
    _drop_empty_bodies(found)
    return found


def _schemas(extra_models: tuple[type[BaseModel], ...]) -> dict[str, Any]:
    named: dict[str, Any] = {model.__name__: model for model in (*WIRE_MODELS, *extra_models)}
    named["Problem"] = Problem
    inputs: list[tuple[str, JsonSchemaMode, TypeAdapter[Any]]] = [
        (name, "validation", TypeAdapter(kind)) for name, kind in named.items()
    ]
    tops, shared = TypeAdapter.json_schemas(inputs, ref_template=REFERENCE)
    schemas: dict[str, Any] = shared["$defs"]
    schemas["Problem"] = tops["Problem", "validation"]
    return dict(sorted(schemas.items()))


def _ask_for_keys(found: dict[str, Any]) -> None:
    """What is no probe asks for a key, where the service has any."""
    found["components"]["securitySchemes"] = {
        "key": {
            "type": "http",
            "scheme": "bearer",
            "description": "An API key of the service. One that has no keys asks for none.",
        }
    }
    for path in found["paths"].keys() - PROBES:
        for operation in found["paths"][path].values():
            operation["security"] = [{"key": []}, {}]
            operation["responses"] |= {"401": answers({}, 401)[401]}


def _drop_empty_bodies(found: dict[str, Any]) -> None:
    """A HEAD request is answered without a body, whatever the framework assumes."""
    for path in found["paths"].values():
        for response in path.get("head", {}).get("responses", {}).values():
            response.pop("content", None)
