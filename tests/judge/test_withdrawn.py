"""Work that nobody waits for any more stops wherever it is, and leaves its slot as good as before."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from evaluator_service.judge import Judge
from evaluator_service.refusals import WithdrawnError
from evaluator_service.schema import Submission, problem_id
from evaluator_service.settings import Settings
from evaluator_service.verdicts import Verdict
from evaluator_service.work import Work
from sandbox.accounting import activity_of_tests
from sandbox.figures import JailEnd

pytestmark = pytest.mark.nsjail

BUSY_SECONDS = 0.4
"""CPU time by which nothing but what loops can be at work."""
WAIT_SECONDS = 60
LOOP = "while True: pass\n"
ECHO = "print(input())\n"
TESTS = [{"input": f"{number}\n", "expected": str(number)} for number in range(4)]
CALLS = [{"args": [number], "expected": number} for number in range(4)]
STDIO: dict[str, Any] = {"kind": "stdio", "tests": TESTS}
CALL: dict[str, Any] = {"kind": "call", "entry_point": "f", "tests": CALLS}
LATER = "import sys\nsys.runs = getattr(sys, 'runs', 0) + 1\nwhile sys.runs > 1: pass\n" + ECHO
BOMB = next(
    (Path(__file__).parents[1] / "cases" / "compiler_template_bomb").glob("*.cpp")
).read_text()


def paired(test_code: str) -> dict[str, Any]:
    return {"kind": "asserts", "entry_point": "f", "test_code": test_code}


def checked(check: str) -> dict[str, Any]:
    return STDIO | {"checker": {"protocol": "function", "code": check}}


def talking(interactor: str) -> dict[str, Any]:
    tests = [{"input": "1\n"}]
    program = {"protocol": "kattis", "code": interactor}
    return {"kind": "interactive", "tests": tests, "interactor": program}


LOOPING: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "a test": (LOOP, STDIO, {}),
    "a call": (f"def f(x):\n    {LOOP}", CALL, {}),
    "the chosen test": (LOOP, STDIO, {"isolation_mode": "auto"}),
    "tests that share a process": (LATER, STDIO, {"isolation_mode": "auto"}),
    "a program that is tested": (
        f"def f(x):\n    {LOOP}",
        paired("def check(f):\n    assert sum(f(n) for n in range(3)) == 3\n"),
        {},
    ),
    "test code": (
        "def f(x): return x",
        paired(f"def check(f):\n    assert f(1) == 1\n    {LOOP}"),
        {},
    ),
    "test code beside the program": (
        "class C: pass\nf = C",
        paired(f"import sys\nassert sys.modules and isinstance(f(), C)\n{LOOP}"),
        {},
    ),
    "a checker": (ECHO, checked(f"def check(given, expected, got):\n    {LOOP}"), {}),
    "a checker before its function is called": (ECHO, checked(LOOP), {}),
    "a checker that is being compiled": (
        ECHO,
        STDIO | {"checker": {"protocol": "testlib", "language": "cpp", "code": BOMB}},
        {},
    ),
    "a program that talks": (LOOP, talking("input()"), {}),
    "an interactor": ("input()", talking(LOOP), {}),
    "a prelude": (ECHO, STDIO | {"prelude": LOOP}, {}),
    "a compiler": (BOMB, STDIO, {"language": "cpp"}),
}


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    judge = Judge(Settings(slots_count=1, packages=()))
    judge.start()
    yield judge
    judge.close()


def work(code: str, problem: dict[str, Any], **more: Any) -> Work:
    limits = {"cpu_time_seconds": 60.0, "compile_time_seconds": 60.0, "wall_time_seconds": 60.0}
    fields = {"code": code, "problem": problem, "limits": limits, **more}
    submission = Submission.model_validate(fields)
    assert submission.problem is not None
    name = problem_id(submission.problem)
    return Work(submission, submission.problem, name, time.monotonic())


def wait_until_busy(judge: Judge, over: threading.Event) -> None:
    (slot,) = judge._pool._slots
    end_at = time.monotonic() + WAIT_SECONDS
    while not any(
        activity_of_tests(jail.pid).running_seconds > BUSY_SECONDS for jail in slot.jails()
    ):
        assert not over.is_set(), "it ended by itself"
        assert time.monotonic() < end_at, "nothing runs"
        time.sleep(0.01)


@pytest.mark.parametrize("what", LOOPING)
def test_what_loops_stops_when_it_is_withdrawn(judge: Judge, what: str) -> None:
    code, problem, more = LOOPING[what]
    looping, over = work(code, problem, **more), threading.Event()
    with ThreadPoolExecutor(1) as thread:
        answer = thread.submit(judge.judge, looping)
        answer.add_done_callback(lambda _: over.set())
        wait_until_busy(judge, over)
        looping.withdrawn.set()
        with pytest.raises(WithdrawnError):
            answer.result(WAIT_SECONDS)

    assert judge.figures().free_slots_count == 1
    assert judge.judge(work(ECHO, STDIO)).verdict is Verdict.ACCEPTED
    assert judge.figures().ended_jails_count[JailEnd.DIED] == 0


def test_work_that_is_withdrawn_before_it_begins_opens_no_session(judge: Judge) -> None:
    before_count = judge.figures().sessions_count
    unwanted = work(ECHO, STDIO)
    unwanted.withdrawn.set()
    with pytest.raises(WithdrawnError):
        judge.judge(unwanted)
    assert judge.figures().sessions_count == before_count


def test_work_that_is_withdrawn_stops_waiting_for_a_slot(judge: Judge) -> None:
    unwanted = work(ECHO, STDIO)
    with ThreadPoolExecutor(1) as thread, judge._pool.borrow():
        answer = thread.submit(judge.judge, unwanted)
        unwanted.withdrawn.set()
        with pytest.raises(WithdrawnError):
            answer.result(WAIT_SECONDS)
