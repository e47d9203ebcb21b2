"""What does not fit a problem, or is not here, is refused before anything runs."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

STDIO: dict[str, Any] = {"kind": "stdio", "tests": [{"input": "", "expected": ""}]}
CALL: dict[str, Any] = {"kind": "call", "entry_point": "f", "tests": [{"expected": 1}]}
CHECKER: dict[str, Any] = {"protocol": "function", "code": "def check(*_): return True"}
INTERACTOR: dict[str, Any] = {"protocol": "kattis", "code": "pass"}
CHECKED = {**STDIO, "checker": CHECKER}
INTERACTIVE: dict[str, Any] = {"kind": "interactive", "tests": [{}], "interactor": INTERACTOR}
FLEXIBLE = {"profile": "flexible"}

REFUSED: dict[str, tuple[dict[str, Any], str, str]] = {
    "a language that is not here": (
        {"problem": STDIO, "language": "go"},
        "language",
        "'go' is not available here: no go on the PATH",
    ),
    "a checker's language that is not here": (
        {"problem": {**STDIO, "checker": {**INTERACTOR, "language": "go"}}},
        "problem.checker.language",
        "'go' is not available here",
    ),
    "an interactor's language that is not here": (
        {"problem": {**INTERACTIVE, "interactor": {**INTERACTOR, "language": "go"}}},
        "problem.interactor.language",
        "'go' is not available here",
    ),
    "calls in another language": (
        {"problem": CALL, "language": "cpp"},
        "language",
        "problems of kind 'call' are judged in 'python' alone, not 'cpp'",
    ),
    "calls of several files": (
        {"problem": CALL, "files": {"a.py": ""}},
        "files",
        "problems of kind 'call' take one file",
    ),
    "a comparison where a checker decides": (
        {"problem": CHECKED, "comparison": FLEXIBLE},
        "comparison",
        "the problem's checker decides",
    ),
    "a comparison where an interactor decides": (
        {"problem": INTERACTIVE, "comparison": FLEXIBLE},
        "comparison",
        "the problem's interactor decides",
    ),
    "a problem with both": (
        {"problem": {**CHECKED, "comparison": FLEXIBLE}},
        "problem",
        "`checker` decides",
    ),
    "an interactive problem with a comparison": (
        {"problem": {**INTERACTIVE, "comparison": FLEXIBLE}},
        "problem",
        "",
    ),
    "a checker after a Kattis interactor": (
        {"problem": {**INTERACTIVE, "checker": CHECKER}},
        "problem",
        "`checker` goes with an interactor of protocol 'testlib' alone",
    ),
    "a file above its folder": ({"problem": STDIO, "files": {"../a": ""}}, "files", ""),
    "a file below a dot": ({"problem": STDIO, "files": {"a/./b": ""}}, "files", ""),
    "a file that looks like an option": ({"problem": STDIO, "files": {"-o": ""}}, "files", ""),
    "a file with a blank": ({"problem": STDIO, "files": {"a b": ""}}, "files", ""),
    "a file twice": (
        {"problem": STDIO, "files": {"a.py": ""}, "file_name": "a.py"},
        "",
        "`file_name` names `code`",
    ),
    "arguments for nobody": (
        {"problem": {**STDIO, "tests": [{"input": "", "expected": "", "arguments": ["a"]}]}},
        "problem",
        "`arguments` of tests are for a checker that takes some",
    ),
    "a function in another language": (
        {"problem": {**STDIO, "checker": {**CHECKER, "language": "pypy3"}}},
        "problem.checker",
        "protocol 'function' is one file of Python",
    ),
    "a second main file": (
        {"problem": STDIO, "files": {"solution.py": ""}},
        "files",
        "'solution.py' is the name of the file that `code` is",
    ),
    "a file that is a folder as well": (
        {"problem": STDIO, "files": {"a": "", "a/b": ""}},
        "files",
        "'a' is both a file and the folder of another",
    ),
    "two clocks": (
        {
            "problem": STDIO,
            "limits": {"cpu_time_seconds": 1, "cpu_time_reference_seconds": 1},
        },
        "limits",
        "give `cpu_time_seconds` or `cpu_time_reference_seconds`",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_refused_with_its_place(
    shared_client: httpx2.Client, name: str
) -> None:
    fields, where, words = REFUSED[name]
    answer = shared_client.post("/judge", json={"code": "accept", **fields})
    assert answer.status_code == 422, answer.text
    (error, *_) = answer.json()["errors"]
    assert error["where"].startswith(where)
    assert words in error["what"]


def test_in_a_batch_the_place_names_the_submission(shared_client: httpx2.Client) -> None:
    good = {"code": "accept", "problem": STDIO}
    body = {"submissions": [good, {**good, "language": "go"}]}
    answer = shared_client.post("/judge/batch", json=body)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["where"] == "submissions[1].language"


def test_the_languages_that_are_here_are_named(shared_client: httpx2.Client) -> None:
    assert set(shared_client.get("/version").json()["languages"]) == {"python"}
