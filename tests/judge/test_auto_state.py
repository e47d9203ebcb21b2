"""Isolation mode ``auto``: what one test leaves behind helps no other."""

from __future__ import annotations

import pytest

from evaluator_service.verdicts import Verdict
from tests.judge.auto_helpers import CALL, STDIO, Judged, assert_same

pytestmark = [pytest.mark.nsjail, pytest.mark.usefixtures("unlucky")]


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
    "in random numbers by a hidden name": "r = __import__('ran' + 'dom')\nn = 1 + (round(r.random(), 4) != 0.8444)\n",
    "in the garbage collector": "import gc\nn = 2 - gc.isenabled()\ngc.disable()\n",
}


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


@pytest.mark.parametrize("what", HIDING)
def test_state_of_another_test_hides_no_error(judged: Judged, what: str) -> None:
    strict = assert_same(judged, HIDING[what], STDIO)
    assert strict.verdict is Verdict.RUNTIME_ERROR


def test_an_order_that_another_test_gave_to_nodes_is_not_there(judged: Judged) -> None:
    code = (
        "def f(a, b):\n    if a < 2: ListNode.__lt__ = lambda self, other: self.val < other.val\n"
        "    return (ListNode(1) < ListNode(2)) * (a + b)\n"
    )
    assert assert_same(judged, code, CALL).verdict is Verdict.RUNTIME_ERROR
