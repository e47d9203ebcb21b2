"""Ways to grade a program, from unsafe to isolated; all but ours are written for comparison only.

They run the bench's own harmless programs and nothing else: none of the unsafe ones protects anything.
"""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import partial
from multiprocessing.managers import ListProxy
from pathlib import Path
from types import CodeType
from typing import Any
from unittest import mock

from evaluator_service.bench.workloads import Workload
from evaluator_service.judge import Judge
from evaluator_service.schema import Submission, problem_id
from evaluator_service.settings import Settings
from evaluator_service.verdicts import Verdict
from evaluator_service.work import Work
from sandbox.binary import find_nsjail
from sandbox.staging import Stage, prepare
from sandbox.toolchains import SITE_PATH

Grader = Callable[[Workload], None]
"""Grades one submission; raises AssertionError if it is not found right."""


def in_process(workload: Workload) -> None:
    """``exec`` in this very process: the floor of everything, and no isolation at all."""
    code = compile(workload.code, "solution.py", "exec")
    for given, expected in zip(workload.inputs, workload.expected, strict=True):
        if workload.kind == "call":
            space: dict[str, object] = {}
            exec(code, space)  # noqa: S102 - the bench's own program
            add = space["add"]
            assert callable(add)
            assert f"{add(*map(int, given.split()))}\n" == expected
            continue
        written = io.StringIO()
        stdin, sys.stdin = sys.stdin, io.StringIO(given)
        try:
            with contextlib.redirect_stdout(written):
                exec(code, {"__name__": "__main__"})  # noqa: S102 - the bench's own program
        finally:
            sys.stdin = stdin
        assert written.getvalue() == expected


def forked_in_process(workload: Workload) -> None:
    """One bare fork a submission, all tests in it: what an unsafe grader can reach at best."""
    pid = os.fork()
    if pid == 0:
        try:
            in_process(workload)
            os._exit(0)
        finally:
            os._exit(1)
    _, status = os.waitpid(pid, 0)
    assert status == 0


def livecodebench_style(workload: Workload) -> None:
    """A Manager and a Process a submission, tests in it under an alarm, results by a managed list.

    Like the original (``testing_util.py`` of LiveCodeBench) it imports much of the standard library before
    each program, and feeds a script by patching ``open`` and all ways to read standard input for each test, which
    is where most of its time goes when there are many.
    """
    with multiprocessing.get_context("fork").Manager() as manager:
        results = manager.list()
        process = multiprocessing.get_context("fork").Process(
            target=_under_alarm, args=(workload, results)
        )
        process.start()
        process.join(timeout=60)
        assert list(results) == [True]


_ORIGINAL_IMPORTS = "\n".join(
    f"from {module} import *"
    for module in (
        "string re datetime collections heapq bisect copy math random statistics itertools functools "
        "operator io sys json builtins typing"
    ).split()
)
"""What the original puts before every program."""


def _under_alarm(workload: Workload, results: ListProxy[bool]) -> None:
    exec(_ORIGINAL_IMPORTS, {})  # noqa: S102 - the bench's own
    code = compile(workload.code, "solution.py", "exec")
    grade = _patched_call if workload.kind == "call" else _patched_script
    for given, expected in zip(workload.inputs, workload.expected, strict=True):
        signal.alarm(6)
        grade(code, given, expected)
        signal.alarm(0)
    results.append(True)


def _patched_script(code: CodeType, given: str, expected: str) -> None:
    lines = iter(given.split("\n"))
    written = io.StringIO()
    with (
        mock.patch("builtins.open", mock.mock_open(read_data=given)),
        mock.patch("sys.stdin", io.StringIO(given)),
        mock.patch("sys.stdin.readline", partial(next, lines)),
        mock.patch("sys.stdin.readlines", partial(given.split, "\n")),
        mock.patch("sys.stdin.read", partial(str, given)),
        contextlib.redirect_stdout(written),
    ):
        exec(code, {"__name__": "__main__"})  # noqa: S102 - the bench's own program
    pairs = zip(written.getvalue().split(), expected.split(), strict=True)
    assert all(Decimal(got) == Decimal(wanted) for got, wanted in pairs)


def _patched_call(code: CodeType, given: str, expected: str) -> None:
    space: dict[str, Any] = {}
    exec(code, space)  # noqa: S102 - the bench's own program
    assert space["add"](*map(int, given.split())) == int(expected)


def python_per_test(workload: Workload) -> None:
    """A bare interpreter a test, without isolation."""
    command = [sys.executable, *_flags(workload), "-c", _script(workload)]
    for given, expected in zip(workload.inputs, workload.expected, strict=True):
        _run(command, given, expected)


def _flags(workload: Workload) -> list[str]:
    return ["-I"] if "numpy" in workload.code else ["-I", "-S"]


def _script(workload: Workload) -> str:
    if workload.kind == "call":
        return workload.code + "print(add(*map(int, input().split())))\n"
    return workload.code


def _run(command: list[str], given: str, expected: str) -> None:
    ended = subprocess.run(  # noqa: S603 - the bench's own program
        command, input=given, capture_output=True, text=True, check=True
    )
    assert ended.stdout == expected


class NsjailPerTest:
    """A fresh nsjail and interpreter a test, as judges with isolation usually do it."""

    def __init__(self, stage: Stage, nsjail: Path) -> None:
        binds = [part for source, target in stage.binds for part in ("-R", f"{source}:{target}")]
        self._command = [
            str(nsjail), "-Mo", "-Q", "--disable_proc", "--iface_no_lo", "-t", "0",
            "--user", "65534:100900:1", "--group", "65534:100900:1",
            "--rlimit_as", "4096", "--rlimit_fsize", "64", "--rlimit_nofile", "256",
            "-m", "none:/tmp:tmpfs:size=67108864", *binds, "-R", "/dev/null", "-R", "/dev/urandom",
            "-E", f"LD_LIBRARY_PATH={stage.library_path}", "-E", f"PYTHONPATH={SITE_PATH}",
            "-E", "OPENBLAS_NUM_THREADS=1", "--", stage.python, "-s", "-S", "-P", "-B",
        ]  # fmt: skip

    def __call__(self, workload: Workload) -> None:
        """Grade one submission."""
        command = [*self._command, "-c", _script(workload)]
        for given, expected in zip(workload.inputs, workload.expected, strict=True):
            _run(command, given, expected)


class Ours:
    """The judge itself, in this process, without HTTP."""

    def __init__(self, judge: Judge, isolation_mode: str) -> None:
        self._judge = judge
        self._isolation_mode = isolation_mode

    def __call__(self, workload: Workload) -> None:
        """Grade one submission."""
        submission = Submission.model_validate(
            {
                "code": workload.code,
                "problem": _problem(workload),
                "isolation_mode": self._isolation_mode,
            }
        )
        assert submission.problem is not None
        work = Work(
            submission, submission.problem, problem_id(submission.problem), time.monotonic()
        )
        judgement = self._judge.judge(work)
        assert judgement.verdict is Verdict.ACCEPTED, judgement


def _problem(workload: Workload) -> dict[str, object]:
    pairs = list(zip(workload.inputs, workload.expected, strict=True))
    if workload.kind == "stdio":
        return {"kind": "stdio", "tests": [{"input": a, "expected": b} for a, b in pairs]}
    tests = [{"args": [int(n) for n in a.split()], "expected": int(b)} for a, b in pairs]
    return {"kind": "call", "entry_point": "add", "tests": tests}


@contextlib.contextmanager
def all_graders(settings: Settings) -> Iterator[dict[str, Grader]]:
    """Every grader by its name in tables, ready; as root, which mapping the ids needs.

    Raises:
        SandboxUnavailableError: If no jail can be started.
    """
    judge = Judge(settings)
    judge.start()
    try:
        stage = prepare(settings.state_directory, settings.packages)
        yield {
            "in_process": in_process,
            "forked_in_process": forked_in_process,
            "livecodebench_style": livecodebench_style,
            "python_per_test": python_per_test,
            "nsjail_per_test": NsjailPerTest(stage, find_nsjail(settings.nsjail_path)),
            "ours_strict": Ours(judge, "strict"),
            "ours_auto": Ours(judge, "auto"),
        }
    finally:
        judge.close()
