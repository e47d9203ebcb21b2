"""What holds when parts of a jail are killed, after many submissions, and outside any jail."""

from __future__ import annotations

import os
import re
import secrets
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from evaluator_service.judge import Judge
from evaluator_service.schema import Judgement, Submission, problem_id
from evaluator_service.settings import Settings
from evaluator_service.verdicts import Verdict
from evaluator_service.work import Work
from sandbox import cgroup
from sandbox.inside.guard import REFUSAL_EXIT_CODE
from sandbox.staging import default_state_directory

pytestmark = pytest.mark.nsjail

REPOSITORY = Path(__file__).parents[2]
SLOW = "import time\nwords = input().split()\ntime.sleep(0.5)\nprint(sum(map(int, words)))\n"
SUM = {"kind": "stdio", "tests": [{"input": "20 22\n", "expected": "42\n"}]}


@pytest.fixture
def judge() -> Iterator[Judge]:
    """One slot with one jail, warm and proved."""
    judge = Judge(Settings(slots_count=1, packages=()))
    judge.start()
    assert judged(judge, "print(42)", SUM).verdict is Verdict.ACCEPTED
    yield judge
    judge.close()


def judged(judge: Judge, code: str, problem: dict[str, Any]) -> Judgement:
    submission = Submission.model_validate({"code": code, "problem": problem, "report": "full"})
    resolved = submission.problem
    assert resolved is not None
    return judge.judge(Work(submission, resolved, problem_id(resolved), time.monotonic()))


def nsjails() -> list[psutil.Process]:
    return [child for child in psutil.Process().children() if "nsjail" in child.name()]


def family(nsjail: psutil.Process) -> list[psutil.Process]:
    """nsjail, zygote, session, test: as far as they are there now."""
    line = [nsjail]
    try:
        while children := line[-1].children():
            line.append(children[0])
    except psutil.NoSuchProcess:  # the last session was on its way out
        line.pop()
    return line


def when_a_test_runs(
    act: Callable[[list[psutil.Process]], None], *, times_count: int = 1
) -> threading.Thread:
    """In the background: wait for a test's process, then act on its family."""

    def watch() -> None:
        seen: set[int] = set()
        deadline = time.monotonic() + 30
        while len(seen) < times_count and time.monotonic() < deadline:
            for jail in nsjails():
                try:
                    line = family(jail)
                    if len(line) == 4 and jail.pid not in seen and _sleeps(line[3]):
                        seen.add(jail.pid)
                        act(line)
                except (psutil.NoSuchProcess, FileNotFoundError):
                    continue  # it ended while we looked

    watcher = threading.Thread(target=watch)
    watcher.start()
    return watcher


def _sleeps(test: psutil.Process) -> bool:
    """The program has come to its sleep, where one may see that."""
    where = Path(f"/proc/{test.pid}/wchan").read_text()
    return "nanosleep" in where or (where == "0" and test.status() == psutil.STATUS_SLEEPING)


@pytest.mark.parametrize("part", [0, 1, 2], ids=["nsjail", "zygote", "session"])
def test_a_submission_whose_jail_is_killed_once_is_judged_again(judge: Judge, part: int) -> None:
    watcher = when_a_test_runs(lambda line: line[part].kill())

    judgement = judged(judge, SLOW, SUM)
    watcher.join()

    assert judgement.verdict is Verdict.ACCEPTED
    assert len(nsjails()) == 1


def test_a_submission_under_which_every_jail_dies_is_a_runtime_error(judge: Judge) -> None:
    watcher = when_a_test_runs(lambda line: line[2].kill(), times_count=2)

    judgement = judged(judge, SLOW, SUM)
    watcher.join()

    assert judgement.verdict is Verdict.RUNTIME_ERROR
    assert judgement.reward == 0.0
    assert judged(judge, SLOW, SUM).verdict is Verdict.ACCEPTED


def test_a_jail_that_dies_between_submissions_costs_nobody_anything(judge: Judge) -> None:
    assert judged(judge, SLOW, SUM).verdict is Verdict.ACCEPTED
    for part in (1, 0):
        family(nsjails()[0])[part].kill()
        assert judged(judge, SLOW, SUM).verdict is Verdict.ACCEPTED


MIXED = (
    ("print(sum(map(int, input().split())))", "accepted"),
    ("print(41)", "wrong_answer"),
    ("1 / 0", "runtime_error"),
    ("def", "compile_error"),
    ("while True: pass", "time_limit_exceeded"),
    ("x = bytearray(1 << 40)", "memory_limit_exceeded"),
    ("import os\nwhile True: os.write(1, b'x' * 65536)", "output_limit_exceeded"),
    ("import os\nwhile True: open(f'/tmp/{os.getpid()}', 'w'); os.fork()", None),
    ("import ctypes\nctypes.string_at(0)", "runtime_error"),
    ("import os\nos.setsid() if os.fork() else 0\nprint(sum(map(int, input().split())))", None),
)
MIXED_LIMITS = {
    "cpu_time_seconds": 0.05,
    "memory_bytes": 128 << 20,
    "output_bytes": 1 << 17,
    "processes_count": 8,
}


def test_after_two_hundred_submissions_nothing_is_left_behind(judge: Judge) -> None:
    tests = {"kind": "asserts", "tests": ["def test():\n    assert f(1) == 1\ntest()"]}
    judged(judge, "def f(x): return x", tests)  # starts the tester's jail
    deserted, before = deserted_control_groups(), traces()

    for turn in range(200):
        code, verdict = MIXED[turn % len(MIXED)]
        judgement = judged(judge, code, {**SUM, "limits": MIXED_LIMITS})
        assert judgement.error is None
        assert judgement.verdict == verdict or verdict is None
        if turn % 20 == 0:
            assert judged(judge, "def f(x): return x", tests).verdict is Verdict.ACCEPTED

    assert traces() == before
    assert soon(lambda: deserted_control_groups() <= deserted)


def test_a_closed_judge_leaves_nothing_behind() -> None:
    before = deserted_control_groups()
    judge = Judge(Settings(slots_count=2))
    judge.start()
    judged(judge, MIXED[0][0], SUM)

    judge.close()

    assert not nsjails()
    assert soon(lambda: deserted_control_groups() <= before)


def traces() -> tuple[int, int, set[str]]:
    """What the judge has: descriptors, processes (nsjails and zygotes), files."""
    assert soon(lambda: all(len(family(jail)) == 2 for jail in nsjails())), "a session stays"
    processes = psutil.Process().children(recursive=True)
    files = {path.name for path in default_state_directory().iterdir()}
    return len(os.listdir("/proc/self/fd")), len(processes), files


def deserted_control_groups() -> set[Path]:
    """Groups of jails in which nobody lives; other judges of this machine have some for a moment."""
    groups = cgroup.ROOT.glob(f"**/{cgroup.PARENT}/NSJAIL.*/cgroup.procs")
    return {path.parent for path in groups if not _text_of(path)}


def _text_of(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return "it was removed while we looked"


def soon(holds: Callable[[], bool]) -> bool:
    """Whether something comes true within seconds."""
    deadline = time.monotonic() + 20
    while not holds():
        if time.monotonic() > deadline:
            return False
    return True


HARMLESS = (
    "import os; from inside import kernel, reaping, scratch; "
    "os.kill = kernel.mount_scratch = kernel.unmount = lambda *_: os._exit(5)"
)
"""Should the guard ever fail, the test fails too, and not the machine."""


@pytest.mark.parametrize(
    "start",
    [
        ["-m", "inside"],
        ["-c", f"{HARMLESS}; reaping.kill_everything()"],
        ["-c", f"{HARMLESS}; scratch.Scratch(1 << 20)"],
        ["-c", "from inside.guard import prove_jailed; prove_jailed()"],
    ],
    ids=["as a whole", "killing", "mounting", "asked"],
)
def test_the_code_of_the_jail_refuses_to_run_outside_of_one(start: list[str]) -> None:
    with tempfile.NamedTemporaryFile(dir="/tmp") as marker:
        environment = {**os.environ, "PYTHONPATH": str(REPOSITORY / "sandbox")}

        ended = subprocess.run(
            [sys.executable, *start], env=environment, capture_output=True, timeout=60, check=False
        )

        assert ended.returncode == REFUSAL_EXIT_CODE
        assert b"refusing" in ended.stderr
        assert Path(marker.name).exists()


@pytest.mark.parametrize("kind", ["stdio", "call", "asserts"])
def test_no_expected_output_is_in_any_process_of_the_programs_jail(judge: Judge, kind: str) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root may look into all processes of a jail")
    given, expected = secrets.token_hex(16), secrets.token_hex(16)
    problems: dict[str, dict[str, Any]] = {
        "stdio": {"tests": [{"input": given, "expected": expected}]},
        "call": {"entry_point": "f", "tests": [{"args": [given], "expected": expected}]},
        "asserts": {"tests": [f"assert f({given!r}) == {expected!r}"]},
    }
    code = "import time\ndef f(x):\n    time.sleep(1)\n    return x\n"
    memories: list[bytes] = []
    watcher = when_a_test_runs(
        lambda line: memories.extend(readable_to(process) for process in line[1:])
    )

    code += "f(input())\n" if kind == "stdio" else ""
    judgement = judged(judge, code, {"kind": kind, **problems[kind]})
    watcher.join()

    assert judgement.verdict is Verdict.WRONG_ANSWER
    assert any(given.encode() in memory for memory in memories), "the search itself finds things"
    assert not any(expected.encode() in memory for memory in memories)


def readable_to(process: psutil.Process) -> bytes:
    """All memory of a process, and all files that it has open."""
    parts = []
    with open(f"/proc/{process.pid}/mem", "rb", buffering=0) as memory:
        for line in Path(f"/proc/{process.pid}/maps").read_text().splitlines():
            start, end, rights = re.match(r"(\w+)-(\w+) (\S+)", line).groups()  # type: ignore[union-attr]
            if "w" not in rights:
                continue
            memory.seek(int(start, 16))
            try:
                parts.append(memory.read(min(int(end, 16) - int(start, 16), 64 << 20)) or b"")
            except (OSError, ValueError):
                continue
    links = Path(f"/proc/{process.pid}/fd").iterdir()
    parts += [link.read_bytes() for link in links if "memfd:" in os.readlink(link)]
    return b"".join(parts)
