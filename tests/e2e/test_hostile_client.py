"""Hostile and unlucky clients of the real service: clear answers, right verdicts, slots that come free."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2
import psutil
import pytest

from evaluator_service import local_service

pytestmark = pytest.mark.nsjail

ECHO = "def f(x): return x"
STDIO = {"kind": "stdio", "tests": [{"input": "3 4\n", "expected": "7\n"}]}
ADD = "print(sum(map(int, input().split())))"
GROUPS = Path("/sys/fs/cgroup")


def call(*tests: dict[str, Any], entry_point: str = "f", **fields: Any) -> dict[str, Any]:
    default = {"args": [1], "expected": 1}
    return {"kind": "call", "entry_point": entry_point, "tests": list(tests) or [default], **fields}


def asserts(test_code: str, **fields: Any) -> dict[str, Any]:
    return {"kind": "asserts", "entry_point": "f", "test_code": test_code, **fields}


def judged(client: httpx2.Client, code: str, problem: Any, **fields: Any) -> dict[str, Any]:
    body = {"code": code, "problem": problem, "report": "full", **fields}
    answer = client.post("/judge", json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


# --- verdicts -------------------------------------------------------------------------------------


def test_a_name_that_the_judge_lends_is_no_definition(client: httpx2.Client) -> None:
    problem = call({"args": [4, 6], "expected": 2}, entry_point="gcd")
    assert judged(client, "pass", problem)["verdict"] == "runtime_error"
    assert judged(client, "from math import gcd", problem)["verdict"] == "accepted"


def test_a_method_is_found_although_the_judge_lends_its_name(client: httpx2.Client) -> None:
    problem = call({"args": [[[2], [1]]], "expected": [1, 2]}, entry_point="merge")
    code = "class Solution:\n def merge(self, rows): return [*merge(*map(sorted, rows))]"
    assert judged(client, code, problem)["verdict"] == "accepted"


@pytest.mark.parametrize(("code", "verdict"), [(ECHO, "accepted"), ("f = str", "wrong_answer")])
def test_a_prelude_that_defines_the_entry_point_is_not_what_is_tested(
    client: httpx2.Client, code: str, verdict: str
) -> None:
    test_code = "def test_f():\n    for i in range(3):\n        assert f(i) == i"
    for stub in ("def f(x): raise NotImplementedError", ECHO):
        problem = asserts(test_code, prelude=stub)
        assert judged(client, code, problem)["verdict"] == verdict


def test_a_long_program_cannot_make_the_problem_seem_at_fault(client: httpx2.Client) -> None:
    prelude = "\n".join(f"def helper_{n}(a, b): return a + b * {n}" for n in range(3000))
    limits = {"memory_bytes": 24 << 20}
    code = "print(7)\n#" + "\U0001f600" * 990_000
    fields = {"problem": STDIO | {"prelude": prelude}, "limits": limits}
    assert judged(client, ADD, **fields)["verdict"] == "accepted"
    completion = {"completion": f"```python\n{code}{'\U0001f600' * 2_900_000}\n```", **fields}
    judgement = client.post("/judge", json=completion).json()
    assert (judgement["verdict"], judgement["reward"]) == ("compile_error", 0.0)


@pytest.mark.parametrize("function", ["async def test_f():", "async def check(candidate):"])
def test_test_code_that_would_run_nothing_is_a_bad_problem(
    client: httpx2.Client, function: str
) -> None:
    judgement = judged(client, ECHO, asserts(f"{function}\n    assert f(1) == 2"))
    assert judgement["error"]["kind"] == "bad_problem"


@pytest.mark.parametrize("act", ["os.write(3, b'garbage')", "os.write(3, bytes([0x92, 99, 0xA0]))"])
def test_test_code_that_garbles_its_report_gives_nobody_an_excuse(
    client: httpx2.Client, act: str
) -> None:
    problem = asserts(f"import os\ndef check(candidate):\n    {act}\n    assert candidate(1) == 1")
    assert judged(client, ECHO, problem)["verdict"] == "runtime_error"


def test_a_returned_value_beyond_the_output_limit_is_output(client: httpx2.Client) -> None:
    limits = {"output_bytes": 1000}
    judgement = judged(client, "def f(x): return 'x' * 1010", call(), limits=limits)
    assert judgement["verdict"] == "output_limit_exceeded"


def test_a_tiny_wall_time_is_a_tests_and_not_its_compilers(client: httpx2.Client) -> None:
    sleeper = "import time\ntime.sleep(5)\n" + ADD
    judgement = judged(client, sleeper, STDIO, limits={"wall_time_seconds": 5e-324})
    assert judgement["verdict"] == "time_limit_exceeded"


def test_a_set_of_sets_can_be_an_argument(client: httpx2.Client) -> None:
    value = {"$set": [{"$set": [1]}, {"$set": [2, 3]}]}
    assert judged(client, ECHO, call({"args": [value], "expected": value}))["reward"] == 1.0


def test_the_largest_weights_still_make_a_reward(client: httpx2.Client) -> None:
    tests = [{"input": text, "expected": text, "weight": 1e308} for text in ("1", "2")]
    problem = {"kind": "stdio", "tests": tests}
    assert judged(client, "print(input())", problem, reward="weighted")["reward"] == 1.0
    assert judged(client, "print(1)", problem, reward="weighted")["reward"] == 0.5


# --- slots ----------------------------------------------------------------------------------------

ENDLESS = {
    "code": "import time\ntime.sleep(0.2)",
    "problem": {"kind": "stdio", "tests": [{"expected": "7"}] * 1000},
    "stop": "never",
}
"""Would hold a slot for minutes."""


def test_a_passed_deadline_frees_the_slot_before_the_last_test(client: httpx2.Client) -> None:
    for _ in range(os.cpu_count() or 1):
        judgement = client.post("/judge", json=ENDLESS | {"deadline_seconds": 0.1}).json()
        assert judgement["error"]["kind"] == "deadline"
    assert judged(client, ADD, STDIO, deadline_seconds=60)["verdict"] == "accepted"


def test_a_client_that_left_frees_the_slot_before_the_last_test(client: httpx2.Client) -> None:
    for _ in range(os.cpu_count() or 1):
        with pytest.raises(httpx2.ReadTimeout):
            client.post("/judge", json=ENDLESS, timeout=0.3)
    assert judged(client, ADD, STDIO, deadline_seconds=60)["verdict"] == "accepted"


# --- bytes ----------------------------------------------------------------------------------------


def answer_to(client: httpx2.Client, request: bytes) -> bytes:
    with socket.create_connection((client.base_url.host, client.base_url.port), 30) as connection:
        connection.sendall(request)
        return connection.makefile("rb").read()


@pytest.mark.parametrize(
    "head",
    [
        b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
        b"Content-Length: 3\r\nContent-Length: 4\r\n",
        b"Content-Length: -1\r\n",
        b"Transfer-Encoding: chunked, identity\r\n",
        b"X-Folded: a\r\n b\r\n",
        b"X-Blank : a\r\n",
        b"X-Nul: \0\r\n",
    ],
)
def test_an_ambiguous_request_is_refused_in_the_usual_form(
    client: httpx2.Client, head: bytes
) -> None:
    answer = answer_to(client, b"POST /judge HTTP/1.1\r\nHost: x\r\n" + head + b"\r\n")
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert json.loads(answer.rpartition(b"\r\n")[2])["type"] == "/errors/bad-http"


# --- the end --------------------------------------------------------------------------------------


SPREADING = """
import os
for _ in range(4):
    if os.fork() == 0:
        os.setsid()
while True:
    pass
"""


def _groups_of(pids: set[int]) -> list[Path]:
    return [path for pid in pids for path in GROUPS.glob(f"*/microcoder/NSJAIL.{pid}")]


def _processes_of_a_service_killed_at_work() -> list[psutil.Process]:
    environment = os.environ | {"MICROCODER_PORT": "0"}
    command = [sys.executable, "-m", "evaluator_service"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as service:
        try:
            assert service.stdout is not None
            url = service.stdout.readline().decode().rpartition(" ")[2].strip()
            with httpx2.Client(base_url=url, timeout=60, trust_env=False) as client:
                assert judged(client, ADD, STDIO)["verdict"] == "accepted"
                with pytest.raises(httpx2.ReadTimeout):
                    client.post("/judge", json={"code": SPREADING, "problem": STDIO}, timeout=0.3)
            return psutil.Process(service.pid).children(recursive=True)
        finally:
            service.kill()


def test_a_killed_service_leaves_no_process_and_its_successor_no_group() -> None:
    """Whatever a hostile program was doing: the jail ends with the service."""
    jailed = _processes_of_a_service_killed_at_work()
    assert len(jailed) > 4
    _, alive = psutil.wait_procs(jailed, timeout=20)
    assert alive == []
    with local_service.running_service():
        assert _groups_of({process.pid for process in jailed}) == []
