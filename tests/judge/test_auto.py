"""Isolation mode ``auto``: quicker, and never another verdict than ``strict`` where it says it cannot be."""

from __future__ import annotations

import pytest

from evaluator_service.verdicts import Verdict
from tests.judge.auto_helpers import CALL, RIGHT, STDIO, SUMS, Judged, assert_same, shared_count

pytestmark = pytest.mark.nsjail

HONEST = {
    "reads a line": RIGHT,
    "reads all": "import sys\nprint(sum(map(int, sys.stdin.read().split())))\n",
    "reads bytes": "import sys\nsys.stdout.buffer.write(b'%d' % sum(map(int, sys.stdin.buffer.read().split())))\n",
    "reads the descriptor": "import os\nos.write(1, b'%d' % sum(map(int, os.read(0, 99).split())))\n",
    "opens the descriptor": "print(sum(map(int, open(0).read().split())))\n",
    "leaves input unread": "import sys\nprint(sum(map(int, next(iter(sys.stdin)).split())))\n",
    "exits with zero": RIGHT + "import sys\nsys.exit(0)\n",
    "replaces its input": "import io, sys\nsys.stdin = io.StringIO(sys.stdin.read())\n" + RIGHT,
    "replaces its output": "import sys\nsys.stdout = open(1, 'w')\n" + RIGHT,
    "recurses": "import sys\nsys.setrecursionlimit(9999)\n"
    "def g(n): return n and g(n - 1) + 1\nprint(g(5000) - 5000 + sum(map(int, input().split())))\n",
    "draws": "import random\nx = random.random()\nprint(sum(map(int, input().split())))\n",
    "writes to stderr": "import sys\nsys.stderr.write('a word')\n" + RIGHT,
    "says when it is main": "if __name__ == '__main__':\n    " + RIGHT,
    "calls exit, which closes its input": RIGHT + "exit()\n",
    "leaves input half read in a buffer": "import sys\nprint(sum(map(int, sys.stdin.buffer.read(3).split())))\n",
    "takes its input apart": "import io, sys\nprint(sum(map(int, io.BufferedReader(sys.stdin.detach()).read().split())))\n",
    "leaves its output open": "out = open(1, 'w')\ndef main(): out.write(str(sum(map(int, input().split()))))\nmain()\n",
    "replaces its errors": "import sys\nsys.stderr = open(2, 'w')\n" + RIGHT,
    "does not wait for its thread": "import threading\nthreading.Thread(target=lambda: print(sum(map(int, input().split())))).start()\n",
}


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_program_is_believed(judged: Judged, name: str) -> None:
    judgement = judged(HONEST[name], STDIO, isolation_mode="auto")

    assert judgement.verdict is Verdict.ACCEPTED
    assert shared_count(judgement) == len(SUMS) - 1


def test_an_honest_function_is_believed(judged: Judged) -> None:
    judgement = judged(
        "def f(a, b):\n    print('hello')\n    return a + b\n", CALL, isolation_mode="auto"
    )

    assert judgement.verdict is Verdict.ACCEPTED
    assert shared_count(judgement) == len(SUMS) - 1


def test_streams_are_those_of_a_process_of_its_own(judged: Judged) -> None:
    look = "print([[getattr(s, n) for n in NAMES] + [s.buffer.name, s.fileno()] for s in (sys.stdin, sys.stdout, sys.stderr)])"
    code = (
        "import sys\nNAMES = 'name mode encoding errors newlines line_buffering write_through closed'.split()\n"
        + look
    )
    shown = judged(code, STDIO, isolation_mode="strict").tests[0].stdout_head
    tests = [{"input": test["input"], "expected": shown} for test in SUMS]

    judgement = judged(code, {**STDIO, "tests": tests}, isolation_mode="auto")

    assert judgement.verdict is Verdict.ACCEPTED
    assert shared_count(judgement) == len(SUMS) - 1


@pytest.mark.usefixtures("unlucky")
def test_a_function_that_returns_in_two_processes_is_judged_strictly(judged: Judged) -> None:
    code = (
        "import os\ndef f(a, b):\n    if a == 5 and (child := os.fork()): os.waitpid(child, 0)\n"
        "    return a + b\n"
    )
    assert assert_same(judged, code, CALL).verdict is Verdict.RUNTIME_ERROR


def test_a_process_that_a_strict_run_contradicts_is_believed_in_nothing(judged: Judged) -> None:
    code = (
        "import os\nx = input().split()\ntry: wrong = os.fstat(250) and x[0] in '56'\nexcept OSError: wrong = False\n"
        "print('no' if wrong else sum(map(int, x)))\n"
    )

    judgement = judged(code, STDIO, isolation_mode="auto")

    assert judgement.verdict is Verdict.ACCEPTED
    assert judgement.isolation.mode == "strict"


WRONG = {
    "on the first test": RIGHT.replace("print(", "print(1 - 1 and ")
    + "1 / int(open(0).read() or 1)\n",
    "by one input": "x = input().split()\nprint('no' if x[0] == '5' else sum(map(int, x)))\n",
    "by an exit code": RIGHT + "import sys\nsys.exit(3)\n",
    "by an exit code on one input": "import sys\nx = input().split()\nprint(sum(map(int, x)))\nsys.exit(x[0] == '5')\n",
    "by leaving at once": RIGHT + "import os\nos._exit(0)\n",
    "by an exception": RIGHT + "raise ValueError\n",
    "by an exception on one input": "x = input().split()\nprint(sum(map(int, x)))\n1 / (int(x[0]) - 5)\n",
    "at exit": "import atexit\natexit.register(print, 'more')\n" + RIGHT,
    "at exit on one input": "import atexit\nx = input().split()\nprint(sum(map(int, x)))\n"
    "if x[0] == '5': atexit.register(print, 'more')\n",
    "in a late thread": "import threading, time\n"
    + RIGHT
    + "threading.Thread(target=lambda: (time.sleep(0.1), print('more'))).start()\n",
    "by sleeping": RIGHT + "import time\ntime.sleep(100)\n",
    "by sleeping on one input": "import time\nx = input().split()\nprint(sum(map(int, x)))\ntime.sleep(100 * (x[0] == '5'))\n",
    "by burning": RIGHT + "while True: pass\n",
    "by burning on one input": "x = input().split()\nprint(sum(map(int, x)))\nwhile x[0] == '5': pass\n",
    "by burning in children": "import os\n"
    + RIGHT
    + "import sys; sys.stdout.flush()\nif os.fork() == 0:\n"
    "    while True: pass\nos.wait()\n",
    "by closing its output": RIGHT
    + "import os, sys\nsys.stdout.flush()\nos.close(1)\nprint('x', flush=True)\n",
    "by a signal": RIGHT + "import os\nos.kill(os.getpid(), 9)\n",
    "by an alarm on one input": "import signal, time\nx = input().split()\nif x[0] == '5': signal.alarm(1)\n"
    "print(sum(map(int, x)))\ntime.sleep(9 * (x[0] == '5'))\n",
}


@pytest.mark.parametrize("how", WRONG)
def test_a_wrong_program_gets_the_verdict_of_strict(judged: Judged, how: str) -> None:
    strict = assert_same(judged, WRONG[how], STDIO)
    assert strict.verdict is not Verdict.ACCEPTED


def test_a_program_whose_tests_take_more_than_one_limit_together_is_judged_strictly(
    judged: Judged,
) -> None:
    code = (
        RIGHT
        + "import time\nend = time.process_time() + 0.2\nwhile time.process_time() < end: pass\n"
    )

    judgement = judged(code, STDIO, isolation_mode="auto")

    assert judgement.verdict is Verdict.ACCEPTED
    assert judgement.isolation.mode == "strict"


def test_output_that_no_test_wrote_is_not_believed(judged: Judged) -> None:
    code = (
        "import os\nfor fd in range(4, 256):\n    try: os.write(fd, b'9')\n    except OSError: pass\n"
        + RIGHT
    )
    assert_same(judged, code, STDIO)


@pytest.mark.parametrize(
    "claim",
    ["b''", "b'\\x90'", "b'\\xdd\\xff\\xff\\xff\\xff'", "b'\\xc4\\x022\\n' * 7", "b'\\x97' * 99"],
)
def test_a_forged_answer_of_the_shared_process_gains_nothing(judged: Judged, claim: str) -> None:
    code = (
        f"import os\nx = input().split()\nif x[0] == '7':\n    print('no')\nelse:\n    print(sum(map(int, x)))\n"
        f"try:\n    os.write(3, {claim})\n    os._exit(0)\nexcept OSError:\n    pass\n"
    )
    assert_same(judged, code, STDIO)


@pytest.mark.usefixtures("unlucky")
def test_the_chosen_test_sees_no_other_input_before_its_output_counts(judged: Judged) -> None:
    code = (
        "import socket\nx = input().split()\nfiles = []\n"
        "try:\n    session = socket.socket(fileno=1023)\n    session.send(b'P')\n"
        "    files = socket.recv_fds(session, 9, 9)[1]\nexcept OSError: pass\n"
        "print(sum(map(int, x)) if files else 'no')\n"
    )
    assert assert_same(judged, code, STDIO).verdict is Verdict.WRONG_ANSWER


@pytest.mark.parametrize("mode", ["strict", "auto"])
def test_what_is_left_after_a_good_end_does_not_count(judged: Judged, mode: str) -> None:
    code = (
        "import signal, time\nend = time.process_time() + 0.1\nwhile time.process_time() < end: pass\n"
        + RIGHT
        + "print(' ' * 5_000_000)\nsignal.setitimer(signal.ITIMER_REAL, 0.02)\n"
    )
    assert judged(code, STDIO, isolation_mode=mode).verdict is Verdict.ACCEPTED


def test_a_process_may_open_as_many_files_as_in_strict(judged: Judged) -> None:
    code = RIGHT + "files = [open('/dev/null') for _ in range(253)]\n"
    assert assert_same(judged, code, STDIO).verdict is Verdict.ACCEPTED


@pytest.mark.parametrize("mode", ["strict", "auto"])
def test_every_test_that_decides_is_met_at_the_same_depth(judged: Judged, mode: str) -> None:
    code = "import sys\nframe, depth = sys._getframe(), 0\nwhile frame: frame, depth = frame.f_back, depth + 1\nprint(depth)"
    tests = [{"input": "", "expected": ""}] * 4
    depth = judged(code, {**STDIO, "tests": tests}, isolation_mode="strict").tests[0].stdout_head
    tests = [{"input": "", "expected": str(depth)}] * 4

    assert judged(code, {**STDIO, "tests": tests}, isolation_mode=mode).verdict is Verdict.ACCEPTED


def test_a_program_that_shrinks_its_output_breaks_no_jail(judged: Judged) -> None:
    code = RIGHT + (
        "import os, sys\nsys.stdout.flush()\nfor _ in range(4):\n    if os.fork() == 0:\n"
        "        while True: os.ftruncate(2, 2048); os.ftruncate(2, 0)\n"
    )
    for _ in range(10):
        assert judged(code, STDIO, isolation_mode="auto").verdict is Verdict.ACCEPTED


def test_long_outputs_are_believed_too(judged: Judged) -> None:
    tests = [{"input": f"{n}\n", "expected": f"{n}" * 100_000} for n in range(8)]

    judgement = judged("print(input() * 100_000)", {**STDIO, "tests": tests}, isolation_mode="auto")

    assert judgement.verdict is Verdict.ACCEPTED
    assert shared_count(judgement) == len(SUMS) - 1


def test_a_program_too_long_to_run_where_it_was_compiled_is_believed_too(judged: Judged) -> None:
    judgement = judged(RIGHT + "#" * 70_000, STDIO, isolation_mode="auto")

    assert judgement.verdict is Verdict.ACCEPTED
    assert shared_count(judgement) == len(SUMS) - 1


def test_a_program_that_closes_every_descriptor_is_judged_strictly(judged: Judged) -> None:
    code = RIGHT + "import os, sys\nsys.stdout.flush()\nos.closerange(0, 256)\n"
    assert assert_same(judged, code, STDIO).verdict is Verdict.ACCEPTED


def test_the_memory_of_the_chosen_test_is_known(judged: Judged) -> None:
    judgement = judged(RIGHT, STDIO, isolation_mode="auto")

    assert all(test.memory_bytes for test in judgement.tests)


def test_two_tests_are_judged_strictly(judged: Judged) -> None:
    judgement = judged(RIGHT, {**STDIO, "tests": SUMS[:2]}, isolation_mode="auto")

    assert judgement.verdict is Verdict.ACCEPTED
    assert judgement.isolation.mode == "strict"
