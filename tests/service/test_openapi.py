"""The OpenAPI document: complete, committed, and true under fuzzing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import checks

from evaluator_service.cli import openapi_text
from evaluator_service.openapi import EXAMPLES
from evaluator_service.requests import BATCH, PROBLEM, RESCORING, SUBMISSION

SNAPSHOT = Path(__file__).parents[2] / "docs" / "openapi.json"
OTHER_MEDIA = {"/metrics": "text/plain", "/outputs/{output_id}": "application/octet-stream"}
OPERATIONS = [
    (path, method)
    for path, methods in json.loads(openapi_text())["paths"].items()
    for method in methods
]


def without_version(text: str) -> Any:
    document = json.loads(text)
    document["info"].pop("version")
    return document


def test_the_committed_document_is_the_current_one() -> None:
    assert without_version(SNAPSHOT.read_text()) == without_version(openapi_text()), (
        "the interface changed: review it, then run `microcoder openapi > docs/openapi.json`"
    )


def test_every_path_is_described_once() -> None:
    paths = json.loads(openapi_text())["paths"]
    assert {
        "/judge",
        "/judge/batch",
        "/rescore",
        "/problems",
        "/submissions",
        "/outputs/{output_id}",
    } < set(paths)
    assert not [path for path in paths if path.startswith("/v1")]


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_every_answer_of_an_operation_is_described(path: str, method: str) -> None:
    operation = json.loads(openapi_text())["paths"][path][method]
    assert operation["summary"]
    assert operation["description"]
    for status, answer in operation["responses"].items():
        media = set(answer.get("content", {}))
        if method != "head" and status != "204":
            good = OTHER_MEDIA.get(path, "application/json")
            wanted = good if status < "3" else "application/problem+json"
            assert wanted in media, status


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_an_operation_asks_for_a_key_unless_it_is_a_probe(path: str, method: str) -> None:
    document = json.loads(openapi_text())
    operation = document["paths"][path][method]
    is_probe = path in ("/healthz", "/readyz", "/metrics")
    assert ("401" in operation["responses"]) != is_probe
    schemes = {name for each in operation.get("security", []) for name in each}
    assert schemes == (set() if is_probe else document["components"]["securitySchemes"].keys())


def test_the_examples_are_valid() -> None:
    for name, adapter in (
        ("Submission", SUBMISSION),
        ("BatchRequest", BATCH),
        ("Problem", PROBLEM),
        ("Rescoring", RESCORING),
    ):
        adapter.validate_json(json.dumps(EXAMPLES[name]), strict=True)


fuzzed = schemathesis.openapi.from_dict(json.loads(openapi_text()))
# Thousands of boundary cases, made while tests are collected: half a minute, even for a run of other tests.
fuzzed.config.phases.coverage.enabled = False


@fuzzed.parametrize()
@settings(max_examples=25, suppress_health_check=list(HealthCheck))
def test_generated_requests_find_no_5xx_and_nothing_undocumented(
    shared_client: httpx2.Client, case: Any
) -> None:
    case.call_and_validate(
        base_url=str(shared_client.base_url),
        checks=[
            checks.not_a_server_error,
            checks.status_code_conformance,
            checks.content_type_conformance,
            checks.response_schema_conformance,
        ],
    )
