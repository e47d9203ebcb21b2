"""A program talks with the problem's interactor; who fails, and who left first, decides."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from evaluator_service.asserts import TESTER_LIMITS
from evaluator_service.schema import Judgement
from evaluator_service.verdicts import Verdict

pytestmark = pytest.mark.nsjail

Judged = Callable[..., Judgement]

KATTIS = """
import sys
secret = int(open(sys.argv[1]).read())
print("ready", flush=True)
for guess in range(10):
    line = sys.stdin.readline()
    if not line:
        sys.exit(43)
    if int(line) == secret:
        print("correct", flush=True)
        sys.exit(42)
    print("higher" if int(line) < secret else "lower", flush=True)
print("over", flush=True)
sys.exit(43)
"""

TESTLIB = """
#include <fstream>
#include <iostream>
int main(int, char **files) {
    std::ifstream input(files[1]);
    std::ofstream output(files[2]);
    int secret, guess, count = 0;
    input >> secret;
    std::cout << "ready" << std::endl;
    while (count++ < 10 && std::cin >> guess) {
        if (guess == secret) {
            std::cout << "correct" << std::endl;
            output << count << std::endl;
            return 0;
        }
        std::cout << (guess < secret ? "higher" : "lower") << std::endl;
    }
    std::cout << "over" << std::endl;
    std::cerr << "wrong answer never found" << std::endl;
    return 1;
}
"""

INTERACTORS: dict[str, dict[str, Any]] = {
    "kattis": {"protocol": "kattis", "code": KATTIS},
    "testlib": {"protocol": "testlib", "language": "cpp", "code": TESTLIB},
}

BISECTS = """
input()
low, high = 1, 100
while True:
    middle = (low + high) // 2
    print(middle, flush=True)
    answer = input()
    if answer == "correct":
        break
    low, high = (middle + 1, high) if answer == "higher" else (low, middle - 1)
"""

BISECTS_IN_CPP = """
#include <bits/stdc++.h>
int main() {
    std::string answer;
    std::cin >> answer;
    for (int low = 1, high = 100;;) {
        int middle = (low + high) / 2;
        std::cout << middle << std::endl;
        std::cin >> answer;
        if (answer == "correct") return 0;
        if (answer == "higher") low = middle + 1; else high = middle - 1;
    }
}
"""

COUNTS_UP = "input()\nfor guess in range(1, 101):\n    print(guess, flush=True)\n    if input() == 'over': break"


def guessing(interactor: dict[str, Any], *secrets: int, **more: Any) -> dict[str, Any]:
    tests = [{"input": f"{secret}\n"} for secret in secrets or (37,)]
    return {"kind": "interactive", "tests": tests, "interactor": interactor, **more}


each_protocol = pytest.mark.parametrize("protocol", INTERACTORS)
each_language = pytest.mark.parametrize(
    ("language", "code"), [("python", BISECTS), ("cpp", BISECTS_IN_CPP)], ids=["python", "cpp"]
)


@each_protocol
@each_language
def test_a_program_that_finds_every_secret_is_accepted(
    judged: Judged, protocol: str, language: str, code: str
) -> None:
    problem = guessing(INTERACTORS[protocol], 1, 37, 100)
    judgement = judged(code, problem, language=language)
    assert judgement.verdict is Verdict.ACCEPTED, judgement
    assert judgement.methods == {"interactor": 3}


@each_protocol
def test_a_program_that_the_interactor_rejects_is_a_wrong_answer(
    judged: Judged, protocol: str
) -> None:
    judgement = judged(COUNTS_UP, guessing(INTERACTORS[protocol], 37))
    assert judgement.verdict is Verdict.WRONG_ANSWER


def test_a_full_report_has_the_talk_in_order(judged: Judged) -> None:
    judgement = judged(BISECTS, guessing(INTERACTORS["kattis"], 25))
    talk = [(said.by, said.text) for said in judgement.tests[0].transcript or []]
    assert talk == [
        ("interactor", "ready\n"),
        ("program", "50\n"),
        ("interactor", "lower\n"),
        ("program", "25\n"),
        ("interactor", "correct\n"),
    ]
    brief = judged(BISECTS, guessing(INTERACTORS["kattis"], 25), report="tests")
    assert brief.tests[0].transcript is None


@pytest.mark.parametrize(
    ("code", "verdict"),
    [
        pytest.param("input()\nprint('50')\ninput()\ninput()", "time_limit_exceeded", id="waits"),
        pytest.param("import time\ntime.sleep(60)", "time_limit_exceeded", id="sleeps"),
        pytest.param("input()\nwhile True: pass", "time_limit_exceeded", id="computes"),
        pytest.param("input()", "wrong_answer", id="leaves early"),
        pytest.param("input()\n1/0", "runtime_error", id="crashes"),
        pytest.param("import os\nos.close(1)\nos._exit(3)", "runtime_error", id="exits with 3"),
        pytest.param("x = bytearray(1 << 30)", "memory_limit_exceeded", id="takes memory"),
        pytest.param("import os\nos.kill(os.getpid(), 11)", "runtime_error", id="is killed"),
        pytest.param(
            "for _ in range(10): print(1000)\nwhile True: pass", "time_limit_exceeded", id="unheard"
        ),
        pytest.param(
            "for _ in range(10): print(1000, flush=True)\nwhile True: pass",
            "wrong_answer",
            id="rejected, then computes",
        ),
        pytest.param(
            "for _ in range(10): print(1000, flush=True)\nimport time\ntime.sleep(60)",
            "wrong_answer",
            id="rejected, then sleeps",
        ),
        pytest.param(BISECTS + "1/0", "runtime_error", id="accepted, then crashes"),
        pytest.param(
            BISECTS + "while True: pass", "time_limit_exceeded", id="accepted, then computes"
        ),
        pytest.param(
            BISECTS + "import os\nos.close(1)\nwhile True: pass",
            "time_limit_exceeded",
            id="accepted, then computes, mute",
        ),
        pytest.param(
            BISECTS + "import os, time\nos.close(1)\ntime.sleep(1)\nos.abort()",
            "runtime_error",
            id="accepted, then crashes late, mute",
        ),
        pytest.param(BISECTS + "print('and so on')", "accepted", id="accepted, then talks on"),
    ],
)
def test_each_way_to_fail_has_its_verdict(judged: Judged, code: str, verdict: str) -> None:
    limits = {"cpu_time_seconds": 0.5, "memory_bytes": 256 << 20}
    judgement = judged(code, guessing(INTERACTORS["kattis"], limits=limits))
    assert judgement.verdict == verdict, judgement


LISTENS_TO_ALL = "import sys\nfor line in sys.stdin: pass\nsys.exit(42)"
NEVER_LISTENS = "import time\ntime.sleep(100)"


def test_a_flood_that_the_interactor_takes_in_is_too_much_output(judged: Judged) -> None:
    interactor = {"protocol": "kattis", "code": LISTENS_TO_ALL}
    limits = {"output_bytes": 1 << 20, "cpu_time_seconds": 3}
    flood = "while True: print('x' * 1000)"
    judgement = judged(flood, guessing(interactor, limits=limits))
    assert judgement.verdict is Verdict.OUTPUT_LIMIT_EXCEEDED
    within = judged("print('x' * 1000)", guessing(interactor, limits=limits))
    assert within.verdict is Verdict.ACCEPTED


def test_a_transcript_is_bounded_and_says_so(judged: Judged) -> None:
    interactor = {"protocol": "kattis", "code": LISTENS_TO_ALL}
    judgement = judged("print('x' * 1_000_000)", guessing(interactor))
    (test,) = judgement.tests
    assert test.truncated
    assert sum(len(said.text) for said in test.transcript or []) <= 8192


def test_a_flood_that_nobody_takes_in_runs_out_of_time(judged: Judged) -> None:
    interactor = {"protocol": "kattis", "code": NEVER_LISTENS}
    limits = {"output_bytes": 1 << 24, "cpu_time_seconds": 0.5}
    judgement = judged("while True: print('x' * 1000)", guessing(interactor, limits=limits))
    assert judgement.verdict is Verdict.TIME_LIMIT_EXCEEDED


@pytest.mark.parametrize(
    "code",
    ["1/0", "import os\nos.abort()", "import sys\nsys.exit(0)", "print('hello')"],
    ids=["raises", "is killed", "unknown status", "says nothing"],
)
def test_an_interactor_that_fails_is_a_judge_error(judged: Judged, code: str) -> None:
    interactor = {"protocol": "kattis", "code": code}
    judgement = judged("import sys\nsys.stdin.read()", guessing(interactor))
    assert judgement.verdict is Verdict.JUDGE_ERROR
    assert judgement.error is not None
    assert judgement.error.kind == "bad_problem"


@pytest.mark.parametrize("stumble", ["1/0", "x = bytearray(1 << 40)", "x = b'x' * (3 << 30)"])
def test_an_interactor_that_stumbles_over_a_dead_program_excuses_nobody(
    judged: Judged, stumble: str
) -> None:
    stumbles = f"import sys\nprint('go', flush=True)\nsys.stdin.readline()\n{stumble}"
    interactor = {"protocol": "kattis", "code": stumbles}
    assert judged("input()\n1/0", guessing(interactor)).verdict is Verdict.RUNTIME_ERROR


@pytest.mark.parametrize(
    "fails", ["while True: pass", "x = b'x' * (3 << 30)", "import os\nos.kill(os.getppid(), 9)"]
)
@pytest.mark.parametrize("waits", ["input()\ninput()", "input()\nimport sys\nsys.stdin.read()"])
def test_an_interactor_that_fails_under_a_program_that_waits_is_to_blame(
    judged: Judged, monkeypatch: pytest.MonkeyPatch, fails: str, waits: str
) -> None:
    limits = dataclasses.replace(TESTER_LIMITS, cpu_time_seconds=0.5)
    monkeypatch.setattr("evaluator_service.checking.TESTER_LIMITS", limits)
    interactor = {"protocol": "kattis", "code": f"print('go', flush=True)\n{fails}"}
    assert judged(waits, guessing(interactor)).verdict is Verdict.JUDGE_ERROR


def test_a_share_is_for_programs_that_end_properly(judged: Judged) -> None:
    shares = "import sys\nsys.stderr.write('points ' + sys.stdin.readline())\nsys.exit(7)"
    problem = guessing({"protocol": "testlib", "code": shares}, limits={"cpu_time_seconds": 0.5})
    for share, verdict in (("1", "accepted"), ("0.5", "wrong_answer")):
        assert judged(f"print({share})", problem).verdict == verdict
        on_and_on = f"print({share}, flush=True)\nwhile True: pass"
        assert judged(on_and_on, problem).verdict is Verdict.TIME_LIMIT_EXCEEDED


def test_a_limit_on_what_a_program_says_is_none_on_its_interactor(judged: Judged) -> None:
    echoes = "import sys\ntext = sys.stdin.read()\nopen(sys.argv[2], 'w').write(text)\nsys.exit(0)"
    checker = {"protocol": "function", "code": "def check(i, e, got): return len(got) == 1000"}
    interactor = {"protocol": "testlib", "code": echoes + "#" * 2000}
    problem = guessing(interactor, checker=checker, limits={"output_bytes": 1000})
    assert judged("print('x' * 999)", problem).verdict is Verdict.ACCEPTED
    assert judged("print('x' * 1000)", problem).verdict is Verdict.OUTPUT_LIMIT_EXCEEDED


def test_what_a_testlib_interactor_wrote_is_checked(judged: Judged) -> None:
    code = "def check(input, expected, got):\n    return int(got) <= 3, f'{got.strip()} guesses'"
    checker = {"protocol": "function", "code": code}
    problem = guessing(INTERACTORS["testlib"], 50, 1, checker=checker)
    judgement = judged(BISECTS, problem, stop="never")
    assert [test.verdict for test in judgement.tests] == [
        Verdict.ACCEPTED,
        Verdict.WRONG_ANSWER,
    ]


def test_a_thousand_rounds_cost_a_program_no_patience(judged: Judged) -> None:
    echoes = "import sys\nfor n in range(3000):\n    print(n, flush=True)\n    if int(sys.stdin.readline()) != n: sys.exit(43)\nsys.exit(42)"
    interactor = {"protocol": "kattis", "code": echoes}
    code = "for _ in range(3000):\n    print(input(), flush=True)"
    limits = {"cpu_time_seconds": 2}
    assert judged(code, guessing(interactor, limits=limits)).verdict is Verdict.ACCEPTED


def test_no_secret_of_the_interactor_reaches_the_program(judged: Judged) -> None:
    looks = """
import os
found = []
for place in ("/tmp", "/dev/shm"):
    found += os.listdir(place)
for number in range(3, 1024):
    try:
        found.append(os.readlink(f"/proc/self/fd/{number}"))
    except OSError:
        pass
    try:
        os.fstat(number)
        found.append(number)
    except OSError:
        pass
input()
print(1 if found else 37, flush=True)
input()
"""
    assert judged(looks, guessing(INTERACTORS["kattis"], 37)).verdict is Verdict.ACCEPTED


def test_tests_go_on_after_one_that_had_to_be_ended(judged: Judged) -> None:
    stubborn = BISECTS.replace("    low, high", "    while answer == 'lower': pass\n    low, high")
    problem = guessing(INTERACTORS["kattis"], 37, 50, limits={"cpu_time_seconds": 0.5})
    judgement = judged(stubborn, problem, stop="never")
    assert [test.verdict for test in judgement.tests] == [
        Verdict.TIME_LIMIT_EXCEEDED,
        Verdict.ACCEPTED,
    ]


def test_each_test_adds_its_own_arguments(judged: Judged) -> None:
    code = "import sys\nsys.exit(42 if sys.argv[4:] == [input()] else 43)"
    problem = guessing({"protocol": "kattis", "code": code})
    problem["tests"] = [{"input": "", "arguments": ["a"]}, {"input": "", "arguments": ["b"]}]
    judgement = judged("print('a')", problem, stop="never")
    assert [test.verdict for test in judgement.tests] == [
        Verdict.ACCEPTED,
        Verdict.WRONG_ANSWER,
    ]
