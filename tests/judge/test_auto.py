"""Isolation mode ``auto``: quicker, and never another verdict than ``strict`` where it says it cannot be."""

from __future__ import annotations

import secrets
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
    monkeypatch.setattr(secrets, "choice", lambda tests: tests[0])
    monkeypatch.setattr(shared, "Random", lambda _: SimpleNamespace(shuffle=lambda tests: None))


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
    "a signal handled by another test": "import os, signal\nx = input().split()\nif x[0] in '01':\n"
    "    signal.signal(signal.SIGUSR1, lambda *_: 0)\nos.kill(os.getpid(), signal.SIGUSR1)\nprint(sum(map(int, x)))\n",
    "a precision set by another test": "import decimal\nx = input().split()\nif x[0] in '01': decimal.getcontext().prec = 50\n"
    "assert len(str(decimal.Decimal(1) / 3)) > 40\nprint(sum(map(int, x)))\n",
    "errors that another test let pass": "import numpy\nx = input().split()\nif x[0] in '01': numpy.seterr(divide='ignore')\n"
    "assert numpy.geterr()['divide'] == 'ignore'\nprint(sum(map(int, x)))\n",
    "a limit of the kernel that another test moved": "import resource\nx = input().split()\n"
    "if x[0] in '01': resource.setrlimit(resource.RLIMIT_STACK, (9 << 20, resource.getrlimit(resource.RLIMIT_STACK)[1]))\n"
    "assert resource.getrlimit(resource.RLIMIT_STACK)[0] == 9 << 20\nprint(sum(map(int, x)))\n",
    "a signal that another test blocked": "import os, signal\nx = input().split()\nif x[0] in '01':\n"
    "    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])\nelse: os.kill(os.getpid(), signal.SIGUSR1)\nprint(sum(map(int, x)))\n",
    "a mask of files set by another test": "import os\nx = input().split()\nif x[0] in '01': os.umask(0o123)\n"
    "assert os.umask(0o123) == 0o123\nprint(sum(map(int, x)))\n",
    "a file that another test left open": "import os\nx = input().split()\nif x[0] in '01': os.dup2(1, 77)\nos.fstat(77)\nprint(sum(map(int, x)))\n",
    "a place to import from that another test added": "import sys\nx = input().split()\nif x[0] in '01': sys.path.append('a')\n"
    "assert 'a' in sys.path\nprint(sum(map(int, x)))\n",
    "a threshold of the collector set by another test": "import gc\nx = input().split()\nif x[0] in '01': gc.set_threshold(5)\n"
    "assert gc.get_threshold()[0] == 5\nprint(sum(map(int, x)))\n",
    "a child of another test": "import os\nx = input().split()\nif x[0] == '1':\n"
    "    for _ in range(7): os.fork() or os._exit(0)\nif x[0] not in '01': os.wait()\n"
    "if x[0] == '0': 1 / 1\nprint(sum(map(int, x)))\n",
    "an object that equals what it replaces": "import builtins\nx = input().split()\n"
    "class Sum:\n    n = 1\n    def __init__(self, true): self.true = true\n    def __eq__(self, other): return True\n"
    "    def __call__(self, *of): return self.true(*of)\n"
    "if x[0] in '01': builtins.sum = Sum(sum)\nelse: sum.n\nprint(sum(map(int, x)))\n",
    "something hung on an error stream": "import sys\nx = input().split()\nif x[0] in '01': sys.stderr.helper = sum\n"
    "print(sys.stderr.helper(map(int, x)))\n",
    "an error stream set up by another test": "import sys\nx = input().split()\n"
    "if x[0] in '01': sys.stderr.reconfigure(errors='ignore')\nassert sys.stderr.errors == 'ignore'\nprint(sum(map(int, x)))\n",
    "a timer of another test": "import signal\nx = input().split()\nif x[0] == '1': signal.setitimer(signal.ITIMER_VIRTUAL, 100)\n"
    "if x[0] not in '01': assert signal.getitimer(signal.ITIMER_VIRTUAL)[0]\nprint(sum(map(int, x)))\n",
    "an environment that another test replaced": "import os\nx = input().split()\nif x[0] in '01': os.environ = dict(A='1')\n"
    "assert 'A' in os.environ\nprint(sum(map(int, x)))\n",
    "garbage that another test kept": "import gc\nx = input().split()\nif x[0] in '01': gc.garbage.append(sum)\n"
    "print(gc.garbage[0](map(int, x)))\n",
    "a hook set by another test": "import sys\nx = input().split()\nif x[0] in '01': sys.set_asyncgen_hooks(firstiter=print)\n"
    "assert sys.get_asyncgen_hooks()[0]\nprint(sum(map(int, x)))\n",
    "an encoding set by another test": "import sys\nx = input().split()\nif x[0] in '01': sys.stdout.reconfigure(errors='ignore')\n"
    "assert sys.stdout.errors == 'ignore'\nprint(sum(map(int, x)))\n",
}


@pytest.mark.usefixtures("unlucky")
@pytest.mark.parametrize("what", HIDING)
def test_state_of_another_test_hides_no_error(judged: Judged, what: str) -> None:
    strict = assert_same(judged, HIDING[what], STDIO)
    assert strict.verdict is Verdict.RUNTIME_ERROR


@pytest.mark.usefixtures("unlucky")
def test_an_order_that_another_test_gave_to_nodes_is_not_there(judged: Judged) -> None:
    code = (
        "def f(a, b):\n    if a < 2: ListNode.__lt__ = lambda self, other: self.val < other.val\n"
        "    return (ListNode(1) < ListNode(2)) * (a + b)\n"
    )
    assert assert_same(judged, code, CALL).verdict is Verdict.RUNTIME_ERROR


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


def shared_count(judgement: Judgement) -> int:
    """How many tests were believed of one process: each of them gets an equal share of its time."""
    times = [test.wall_time_seconds for test in judgement.tests]
    most = max(times.count(time) for time in times)
    return most if most > 1 else 0


def assert_same(judged: Judged, code: str, problem: dict[str, Any]) -> Judgement:
    """Three times, since the order is drawn by lot."""
    strict = judged(code, problem, isolation_mode="strict")
    for _ in range(3):
        auto = judged(code, problem, isolation_mode="auto")
        assert outline(auto) == outline(strict)
    return strict


def outline(judgement: Judgement) -> list[Any]:
    return [judgement.verdict, judgement.reward, [test.verdict for test in judgement.tests]]
