"""Isolation mode ``auto``: quicker, and never another verdict than ``strict`` where it says it cannot be."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from evaluator_service import shared
from evaluator_service.schema import Judgement
from evaluator_service.verdicts import Verdict

Judged = Callable[..., Judgement]

pytestmark = pytest.mark.nsjail

SUMS = [{"input": f"{n} 1\n", "expected": f"{n + 1}\n"} for n in range(8)]
STDIO = {"kind": "stdio", "tests": SUMS, "limits": {"cpu_time_seconds": 0.5, "processes_count": 8}}
CALL = {
    "kind": "call",
    "entry_point": "f",
    "tests": [{"args": [n, 1], "expected": n + 1} for n in range(8)],
    "limits": {"cpu_time_seconds": 0.5},
}
RIGHT = "print(sum(map(int, input().split())))\n"


@pytest.fixture
def unlucky(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lot falls so that it helps those who count on it: the first test alone, the others in order."""
    lot = SimpleNamespace(
        choice=lambda tests: tests[0],
        SystemRandom=lambda: SimpleNamespace(shuffle=lambda tests: None),
    )
    monkeypatch.setattr(shared, "secrets", lot)


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
}


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_program_is_believed(judged: Judged, name: str) -> None:
    judgement = judged(HONEST[name], STDIO, isolation_mode="auto")

    assert judgement.verdict is Verdict.ACCEPTED
    assert judgement.isolation.mode == "auto"


def test_an_honest_function_is_believed(judged: Judged) -> None:
    judgement = judged(
        "def f(a, b):\n    print('hello')\n    return a + b\n", CALL, isolation_mode="auto"
    )

    assert judgement.verdict is Verdict.ACCEPTED
    assert judgement.isolation.mode == "auto"


COUNTING = {
    "in builtins": "import builtins\nn = builtins.n = getattr(builtins, 'n', 0) + 1\n",
    "in sys": "import sys\nn = sys.n = getattr(sys, 'n', 0) + 1\n",
    "in a file": "import os\nn = len(os.listdir('/tmp')) + 1\nopen(f'/tmp/{n}', 'w').close()\n",
    "in shared memory": "import os\nn = len(os.listdir('/dev/shm')) + 1\nopen(f'/dev/shm/{n}', 'w').close()\n",
    "in the environment": "import os\nn = int(os.environ.get('N', 0)) + 1\nos.environ['N'] = str(n)\n",
    "in the environment of children": "import os\nn = int(os.getenv('N', 0)) + 1\nos.putenv('N', str(n))\n",
    "in the directory": "import os\nn = 1 + (os.getcwd() == '/')\nos.chdir('/')\n",
    "in threads": "import threading, time\nn = threading.active_count()\n"
    "threading.Thread(target=time.sleep, args=(9,), daemon=True).start()\n",
    "in the recursion limit": "import sys\nn = sys.getrecursionlimit() - 999\nsys.setrecursionlimit(n + 1000)\n",
    "in the random numbers": "import random\nn = 1 + (round(random.random(), 4) != 0.8444)\n",
    "in the garbage collector": "import gc\nn = 2 - gc.isenabled()\ngc.disable()\n",
}


@pytest.mark.usefixtures("unlucky")
@pytest.mark.parametrize("place", COUNTING)
def test_counting_tests_gains_nothing(judged: Judged, place: str) -> None:
    known = "x = input().split()\nright = n > 1 or x[0] in '01'\n"
    code = COUNTING[place] + known + "print(sum(map(int, x)) if right else 'wrong')\n"
    assert assert_same(judged, code, STDIO).verdict is Verdict.WRONG_ANSWER


HIDING = {
    "a name left by another test": "x = input().split()\nif x[0] in '01':\n    import builtins\n    builtins.helper = sum\n"
    "print(helper(map(int, x)))\n",
    "a name left in main": "import sys\nx = input().split()\nif x[0] in '01':\n    sys.modules['__main__'].helper = sum\n"
    "print(helper(map(int, x)))\n",
    "a limit raised by another test": "import sys\nx = input().split()\nif x[0] in '01':\n    sys.setrecursionlimit(9999)\n"
    "def g(n): return n and g(n - 1) + 1\nprint(g(5000) - 5000 + sum(map(int, x)))\n",
    "digits allowed by another test": "import sys\nx = input().split()\nif x[0] in '01':\n"
    "    sys.set_int_max_str_digits(0)\nstr(10 ** 5000)\nprint(sum(map(int, x)))\n",
}


@pytest.mark.usefixtures("unlucky")
@pytest.mark.parametrize("what", HIDING)
def test_state_of_another_test_hides_no_error(judged: Judged, what: str) -> None:
    strict = assert_same(judged, HIDING[what], STDIO)
    assert strict.verdict is Verdict.RUNTIME_ERROR


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
    "claim", ["b''", "b'\\x90'", "b'\\xdd\\xff\\xff\\xff\\xff'", "b'\\x98' + b'\\xc4\\x022\\n' * 8"]
)
def test_a_forged_answer_of_the_shared_process_gains_nothing(judged: Judged, claim: str) -> None:
    code = (
        f"import os\nx = input().split()\nif x[0] == '7':\n    print('no')\nelse:\n    print(sum(map(int, x)))\n"
        f"try:\n    os.write(3, {claim})\n    os._exit(0)\nexcept OSError:\n    pass\n"
    )
    assert_same(judged, code, STDIO)


def test_two_tests_are_judged_strictly(judged: Judged) -> None:
    judgement = judged(RIGHT, {**STDIO, "tests": SUMS[:2]}, isolation_mode="auto")

    assert judgement.verdict is Verdict.ACCEPTED
    assert judgement.isolation.mode == "strict"


def assert_same(judged: Judged, code: str, problem: dict[str, Any]) -> Judgement:
    """Three times, since the order is drawn by lot."""
    strict = judged(code, problem, isolation_mode="strict")
    for _ in range(3):
        auto = judged(code, problem, isolation_mode="auto")
        assert outline(auto) == outline(strict)
    return strict


def outline(judgement: Judgement) -> list[Any]:
    return [judgement.verdict, judgement.reward, [test.verdict for test in judgement.tests]]
