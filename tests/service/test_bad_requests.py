"""Whatever is sent, the answer is a clear 4xx that names the place, and the next request is served."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

JSON = {"Content-Type": "application/json"}
STDIO = {"kind": "stdio", "tests": [{"input": "", "expected": "7"}]}


def call_problem(**test: Any) -> dict[str, Any]:
    return {"kind": "call", "entry_point": "f", "tests": [{"args": [], "expected": 1} | test]}


def with_problem(problem: Any) -> dict[str, Any]:
    return {"code": "x", "problem": problem}


BODIES: dict[str, tuple[bytes, int, str]] = {
    "no JSON": (b"{", 400, "malformed-json"),
    "an empty body": (b"", 400, "malformed-json"),
    "invalid UTF-8": (b'{"code": "\xff\xfe"}', 400, "malformed-json"),
    "a byte order mark": (b"\xef\xbb\xbf{}", 400, "malformed-json"),
    "a lone surrogate": (rb'{"code": "\ud800", "problem": {}}', 400, "malformed-json"),
    "100,000 brackets": (b"[" * 100_000, 422, "validation-error"),
    "an integer of 100,000 digits": (b'{"code":' + b"9" * 100_000 + b"}", 400, "malformed-json"),
    "another type": (b"[]", 422, "validation-error"),
    "NaN in limits": (
        json.dumps(with_problem(STDIO) | {"limits": {"cpu_time_seconds": float("nan")}}).encode(),
        422,
        "validation-error",
    ),
    "a number beyond doubles in limits": (
        json.dumps(with_problem(STDIO)).encode()[:-1] + b',"limits":{"memory_bytes":1e400}}',
        422,
        "validation-error",
    ),
}


@pytest.mark.parametrize("name", BODIES)
def test_a_body_that_is_no_submission_is_refused(shared_client: httpx2.Client, name: str) -> None:
    body, status, slug = BODIES[name]
    answer = shared_client.post("/judge", content=body, headers=JSON)
    assert (answer.status_code, answer.json()["type"]) == (status, f"/errors/{slug}")


FIELDS: dict[str, tuple[Any, str]] = {
    "a number for code": ({"code": 3, "problem": STDIO}, "code"),
    "a string for a number": (with_problem(STDIO) | {"deadline_seconds": "9"}, "deadline_seconds"),
    "an unknown field": (with_problem(STDIO) | {"colour": "red"}, "colour"),
    "an unknown language": (with_problem(STDIO) | {"language": "cobol"}, "language"),
    "an impossible entry point": (
        with_problem(call_problem() | {"entry_point": "os.system"}),
        "problem.entry_point",
    ),
    "kept outputs that nothing names": (with_problem(STDIO) | {"keep_outputs": True}, ""),
    "the first k tests of no number": (with_problem(STDIO) | {"reward": "first_k"}, ""),
    "a number of tests for another reward": (with_problem(STDIO) | {"first_k": 1}, ""),
    "no test at all": (with_problem(STDIO) | {"reward": "first_k", "first_k": 0}, "first_k"),
    "a NUL in a name": (with_problem(STDIO) | {"id": "a\0b"}, "id"),
    "a limit on two clocks": (
        with_problem(STDIO) | {"limits": {"cpu_time_seconds": 1, "cpu_time_reference_seconds": 1}},
        "limits",
    ),
    "no tests": (with_problem({"kind": "stdio", "tests": []}), "problem.tests"),
    "a test without expectation": (
        with_problem({"kind": "stdio", "tests": [{"input": "1"}]}),
        "problem.tests[0].expected",
    ),
    "an unknown kind of problem": (
        with_problem({"kind": "telepathy", "tests": []}),
        "problem.kind",
    ),
    "no kind of problem": (with_problem({"tests": []}), "problem.kind"),
    "metadata of many words": (with_problem(STDIO) | {"metadata": {"a": "b" * 20_000}}, "metadata"),
    "metadata that is no number": (with_problem(STDIO) | {"metadata": {"a": math.nan}}, "metadata"),
    "metadata beyond all numbers": (
        with_problem(STDIO) | {"metadata": {"a": [{"b": -math.inf}]}},
        "metadata",
    ),
    "metadata that is no object": (with_problem(STDIO) | {"metadata": [1]}, "metadata"),
    "a value nested too deeply": (
        with_problem(call_problem(expected=json.loads("[" * 152 + "]" * 152))),
        "problem.tests[0].expected",
    ),
    "check(candidate) without a candidate": (
        with_problem({"kind": "asserts", "test_code": "def check(candidate):\n    pass"}),
        "problem",
    ),
    "an unknown tag in an argument": (
        with_problem(call_problem(args=[1, {"$tuples": []}])),
        "problem.tests[0].args[1]",
    ),
    "NaN in an argument": (
        with_problem(call_problem(kwargs={"k": [float("nan")]})),
        "problem.tests[0].kwargs.k",
    ),
    "a malformed $int": (
        with_problem(call_problem(expected={"$int": "1e3"})),
        "problem.tests[0].expected",
    ),
    "an overflowing $complex": (
        with_problem(call_problem(expected={"$complex": [10**400, 0]})),
        "problem.tests[0].expected",
    ),
    "an unhashable key": (
        with_problem(call_problem(args=[{"$dict": [[[1], 2]]}])),
        "problem.tests[0].args[0]",
    ),
}


@pytest.mark.parametrize("name", FIELDS)
def test_a_wrong_field_is_named(shared_client: httpx2.Client, name: str) -> None:
    document, where = FIELDS[name]
    answer = shared_client.post("/judge", content=json.dumps(document), headers=JSON)
    assert answer.status_code == 422
    assert [entry["where"] for entry in answer.json()["errors"]] == [where]


def test_a_batch_names_the_place_within_it(shared_client: httpx2.Client) -> None:
    batch = {"submissions": [with_problem(STDIO), with_problem(call_problem(args=3))]}
    answer = shared_client.post("/judge/batch", json=batch)
    assert answer.json()["errors"][0]["where"] == "submissions[1].problem.tests[0].args"


def test_a_batch_that_names_no_problem_of_its_own_is_refused(shared_client: httpx2.Client) -> None:
    answer = shared_client.post("/judge/batch", json={"submissions": [with_problem("two-sum")]})
    assert answer.status_code == 422
    assert answer.json()["errors"] == [
        {"where": "submissions[0].problem", "what": "no problem is named 'two-sum' in `problems`"}
    ]


def test_a_problem_that_is_not_stored_is_404(shared_client: httpx2.Client) -> None:
    body = {"submissions": [{"code": "x", "problem_id": "sha256:" + "0" * 64}]}
    answer = shared_client.post("/judge/batch", json=body)
    assert (answer.status_code, answer.json()["type"]) == (404, "/errors/unknown-problem")
    assert answer.json()["detail"].startswith("submissions[0].problem_id: ")


@pytest.mark.parametrize("media_type", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_another_content_type_is_415(shared_client: httpx2.Client, media_type: str) -> None:
    answer = shared_client.post("/judge", content=b"{}", headers={"Content-Type": media_type})
    assert (answer.status_code, answer.json()["type"]) == (415, "/errors/unsupported-media-type")


def test_a_compressed_body_is_415(shared_client: httpx2.Client) -> None:
    answer = shared_client.post(
        "/judge", content=b"{}", headers=JSON | {"Content-Encoding": "gzip"}
    )
    assert answer.status_code == 415


def test_an_unknown_path_is_404_in_the_same_form(shared_client: httpx2.Client) -> None:
    answer = shared_client.get("/nowhere")
    assert (answer.status_code, answer.json()["type"]) == (404, "/errors/not-found")


@pytest.mark.parametrize(
    ("path", "right"),
    [
        ("/judge", "POST"),
        (f"/v1/submissions/{'0' * 64}", "DELETE, GET"),
        (f"/problems/sha256:{'0' * 64}", "GET, HEAD"),
    ],
)
def test_a_wrong_method_is_405_and_names_the_right_ones(
    shared_client: httpx2.Client, path: str, right: str
) -> None:
    answer = shared_client.put(path)
    assert (answer.status_code, answer.json()["type"]) == (405, "/errors/method-not-allowed")
    assert answer.headers["allow"] == right


def test_every_error_is_problem_json_with_a_request_id(shared_client: httpx2.Client) -> None:
    for answer in (
        shared_client.get("/nowhere"),
        shared_client.put("/judge"),
        shared_client.post("/judge", content=b"{", headers=JSON),
        shared_client.get("/problems/sha256:zz"),
    ):
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["request_id"] == answer.headers["x-request-id"]


def test_a_declared_size_beyond_the_cap_is_413(shared_client: httpx2.Client) -> None:
    answer = shared_client.post("/judge", content=b" " * (100 << 20), headers=JSON)
    assert (answer.status_code, answer.json()["type"]) == (413, "/errors/body-too-large")


def test_an_undeclared_size_beyond_the_cap_is_413(shared_client: httpx2.Client) -> None:
    def chunks() -> Iterator[bytes]:
        for _ in range(40):
            yield b" " * (1 << 16)

    answer = shared_client.post("/judge", content=chunks(), headers=JSON)
    assert answer.status_code == 413


@pytest.mark.parametrize("name", ["x" * 500_000, "\x1b[31m\u202e" * 200])
def test_hostile_input_is_echoed_shortly_and_escaped(
    shared_client: httpx2.Client, name: str
) -> None:
    answer = shared_client.post("/judge", json=with_problem(STDIO) | {name: 1})
    assert answer.status_code == 422
    assert len(answer.content) < 2_000
    assert "\x1b" not in answer.json()["detail"]


def test_a_thousand_errors_are_counted_and_not_all_listed(shared_client: httpx2.Client) -> None:
    batch = {"submissions": [{"code": 1}] * 1000}
    answer = shared_client.post("/judge/batch", json=batch).json()
    assert len(answer["errors"]) == 20
    assert "(and 999 more)" in answer["detail"]


def test_nul_in_code_is_a_valid_submission(
    shared_client: httpx2.Client, submission: Callable[..., dict[str, Any]]
) -> None:
    assert shared_client.post("/judge", json=submission("a\0b")).status_code == 200


def test_after_a_bad_request_the_next_is_served_on_the_same_connection(
    shared_client: httpx2.Client, submission: Callable[..., dict[str, Any]]
) -> None:
    shared_client.post("/judge", content=b" " * (2 << 20), headers=JSON)
    assert shared_client.post("/judge", json=submission()).json()["verdict"] == "accepted"


WORDS: dict[str, tuple[Any, str]] = {
    "an unknown field": (
        with_problem({"kind": "stdio", "tests": [{"expected": "", "inptu": ""}]}),
        "unknown field; there are: weight, group, input, expected, arguments, id",
    ),
    "an unknown field of a submission": (
        with_problem(STDIO) | {"colour": 1},
        "unknown field; there are: id, language, code, completion, files, file_name, problem_id, limits,",
    ),
    "an empty list": (with_problem({"kind": "stdio", "tests": []}), "at least one test is needed"),
    "an unknown kind": (
        with_problem({"kind": "x"}),
        "unknown kind 'x'; there are: stdio, call, asserts",
    ),
    "a missing field": (with_problem({"kind": "stdio"}), "field required"),
    "both programs": (
        with_problem(STDIO) | {"completion": "x"},
        "give exactly one of `code` and `completion`",
    ),
}


@pytest.mark.parametrize("name", WORDS)
def test_the_words_say_what_would_be_right(shared_client: httpx2.Client, name: str) -> None:
    document, words = WORDS[name]
    answer = shared_client.post("/judge", json=document).json()
    assert answer["errors"][0]["what"].startswith(words)


def test_a_batch_knows_the_fields_of_its_problems(shared_client: httpx2.Client) -> None:
    problem = {"kind": "asserts", "tests": [{"cod": 1}]}
    for document, where in (
        ({"problems": {"p": problem}, "submissions": []}, "problems.p.tests[0].cod"),
        ({"submissions": [with_problem(problem)]}, "submissions[0].problem.tests[0].cod"),
    ):
        found = shared_client.post("/judge/batch", json=document).json()["errors"]
        words = {entry["where"]: entry["what"] for entry in found}
        assert words[where] == "unknown field; there are: weight, group, code, id"


@pytest.mark.parametrize("body", [b"", b" \n"])
def test_an_empty_body_is_called_empty(shared_client: httpx2.Client, body: bytes) -> None:
    answer = shared_client.post("/judge", content=body, headers=JSON)
    assert answer.json()["detail"] == "the body is empty"


@pytest.mark.parametrize(("levels_count", "status"), [(195, 422), (196, 422), (150, 200)])
def test_json_nested_too_deeply_is_json_all_the_same(
    shared_client: httpx2.Client, levels_count: int, status: int
) -> None:
    value = b"[" * levels_count + b"]" * levels_count
    tests = b'[{"args": [' + value + b'], "expected": 1}]'
    problem = b'{"kind": "call", "entry_point": "f", "tests": ' + tests + b"}"
    answer = shared_client.post(
        "/judge", content=b'{"code": "accept", "problem": ' + problem + b"}", headers=JSON
    )
    assert answer.status_code == status
    if status != 200:
        assert "nested" in answer.json()["detail"]


def test_check_of_something_else_needs_no_entry_point(shared_client: httpx2.Client) -> None:
    for test_code in (
        "def check(got, wanted):\n    pass",
        "def check(x):\n    pass",
        "  def check(candidate): 1",
    ):
        problem = {"kind": "asserts", "test_code": test_code}
        assert (
            shared_client.post("/judge", json={"code": "accept", "problem": problem}).status_code
            == 200
        )


def test_head_of_what_is_no_id_is_422(shared_client: httpx2.Client) -> None:
    assert shared_client.head("/problems/sha256:zz").status_code == 422


def test_answers_end_with_a_line_end(
    shared_client: httpx2.Client, submission: Callable[..., dict[str, Any]]
) -> None:
    for answer in (
        shared_client.get("/nowhere"),
        shared_client.get("/version"),
        shared_client.post("/judge", json=submission()),
        shared_client.post("/judge/batch", json={"submissions": [submission()]}),
        shared_client.post("/problems", json=STDIO),
    ):
        assert answer.text.endswith("}\n")
        assert answer.text.count("\n") == 1


def test_an_error_that_is_answered_stands_in_the_table_of_errors(
    serve: Callable[..., Any], submission: Callable[..., dict[str, Any]]
) -> None:
    client, _ = serve(slots_count=1, queue_items_max=1, max_body_bytes=1 << 10)
    documented = (Path(__file__).parents[2] / "docs" / "api.md").read_text()
    answers = [
        client.post("/judge", content=b"{", headers=JSON),
        client.get("/problems/sha256:" + "0" * 64),
        client.post("/judge", content=b" " * 2000, headers=JSON),
        client.post("/judge/batch", json={"submissions": [submission()] * 2}),
        client.post("/judge", content=b"{}"),
        client.post("/judge", json={}),
    ]
    assert [answer.status_code for answer in answers] == [400, 404, 413, 413, 415, 422]
    for answer in answers:
        row = f"\n| {answer.status_code} | `{answer.json()['type']}` |"
        assert row in documented
