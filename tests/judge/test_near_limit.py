"""A result says when it was close, and a close time-out may be tried once more."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from typing import Any

import pytest

from evaluator_service import running
from evaluator_service.case import Case, Trial, open_case
from evaluator_service.extraction import program_of
from evaluator_service.near_limit import any_near_limit, is_near_limit
from evaluator_service.prepare import PreparedProblems
from evaluator_service.reuse import is_reusable
from evaluator_service.schema import (
    EffectiveLimits,
    Judgement,
    StdioProblem,
    Submission,
    TestResult,
)
from evaluator_service.settings import Settings
from evaluator_service.strict import Numbered
from evaluator_service.verdicts import Verdict
from evaluator_service.work import Work
from sandbox.model import Compiled, Outcome, Reason

Judged = Callable[..., Judgement]

LIMITS = EffectiveLimits(
    cpu_time_seconds=1.0,
    wall_time_seconds=30.0,
    memory_bytes=100 << 20,
    output_bytes=1 << 20,
    processes_count=1,
    compile_time_seconds=1.0,
)


@pytest.mark.parametrize(
    ("reason", "cpu_time_seconds", "peak_mebibytes", "near"),
    [
        (Reason.BY_ITSELF, 0.1, 12, False),
        (Reason.BY_ITSELF, 0.89, 12, False),
        (Reason.BY_ITSELF, 0.91, 12, True),
        (Reason.BY_ITSELF, 1.09, 12, True),
        (Reason.CPU_LIMIT, 1.101, 12, False),
        (Reason.CPU_LIMIT, 3.0, 12, False),
        (Reason.IDLE, 0.0, 12, True),
        (Reason.WALL_LIMIT, 0.0, 12, True),
        (Reason.BY_ITSELF, 0.1, 94, False),
        (Reason.BY_ITSELF, 0.1, 96, True),
    ],
)
def test_what_is_near_a_limit(
    reason: Reason, cpu_time_seconds: float, peak_mebibytes: int, near: bool
) -> None:
    peak_bytes = peak_mebibytes << 20
    outcome = Outcome(
        reason, 0, None, cpu_time_seconds, 2.0, peak_bytes, False, b"", b"", False, b""
    )
    assert is_near_limit(outcome, LIMITS) is near


def test_memory_that_the_kernel_refused_to_all_together_was_near() -> None:
    outcome = Outcome(Reason.BY_ITSELF, None, 9, 0.1, 0.1, 12 << 20, True, b"", b"", False, b"")
    assert is_near_limit(outcome, LIMITS)


SPIN = "import time\nwhile time.process_time() < {}: pass\nprint(1)"


@pytest.mark.nsjail
@pytest.mark.parametrize(
    ("code", "verdict", "near"),
    [
        (SPIN.format(0.2), "accepted", False),
        (SPIN.format(0.46), "accepted", True),
        (SPIN.format(0.515), "time_limit_exceeded", True),
        (SPIN.format(9), "time_limit_exceeded", False),
        ("import time\ntime.sleep(9)", "time_limit_exceeded", True),
        ("bytearray(1 << 40)", "memory_limit_exceeded", False),
        ("x = b'x' * (60 << 20)\nprint(1)", "accepted", True),
    ],
)
def test_a_program_that_was_stopped_is_told_from_one_that_was_close(
    judged: Judged, code: str, verdict: str, near: bool
) -> None:
    limits = {"cpu_time_seconds": 0.5, "memory_bytes": 64 << 20}
    problem = {"kind": "stdio", "tests": [{"expected": "1"}], "limits": limits}
    (result,) = judged(code, problem).tests
    assert (result.verdict.value, result.near_limit, result.rerun) == (verdict, near, False)


# --- the judgement --------------------------------------------------------------------------------


@pytest.mark.nsjail
@pytest.mark.parametrize(("seconds", "near"), [(0.1, False), (0.46, True)])
def test_a_judgement_says_so_with_every_report(judged: Judged, seconds: float, near: bool) -> None:
    limits = {"cpu_time_seconds": 0.5}
    problem = {"kind": "stdio", "tests": [{"expected": "1"}], "limits": limits}
    judgement = judged(SPIN.format(seconds), problem, report="summary")
    assert (judgement.near_limit, judgement.tests) == (near, [])
    assert is_reusable(judgement) is not near


def test_a_test_that_ran_twice_was_close() -> None:
    settled = TestResult(index=0, verdict=Verdict.ACCEPTED, rerun=True)
    assert any_near_limit([settled], None, LIMITS)


@pytest.mark.parametrize(
    ("cpu_time_seconds", "stopped", "near"),
    [(0.1, False, False), (0.89, False, False), (0.91, False, True), (0.1, True, True)],
)
def test_compiling_may_be_close(cpu_time_seconds: float, stopped: bool, near: bool) -> None:
    compiled = Compiled(stopped is False, "", True, cpu_time_seconds, stopped)
    assert any_near_limit([], compiled, LIMITS) is near


@pytest.mark.nsjail
@pytest.mark.parametrize(("code", "near"), [("def", False), ("x = 1\n" * 160_000, True)])
def test_a_compiler_that_was_stopped_is_told_from_one_that_ended(
    judged: Judged, code: str, near: bool
) -> None:
    problem = {"kind": "stdio", "tests": [{"expected": "1"}]}
    judgement = judged(code, problem, limits={"compile_time_seconds": 0.3})
    assert (judgement.verdict.code, judgement.near_limit) == ("CE", near)


# --- the second run -------------------------------------------------------------------------------

FAST, WRONG = Verdict.ACCEPTED, Verdict.WRONG_ANSWER
CLOSE = Verdict.TIME_LIMIT_EXCEEDED
HUGE = Verdict.MEMORY_LIMIT_EXCEEDED


def run(
    monkeypatch: pytest.MonkeyPatch, script: list[list[Verdict]], *, stop: str, rerun: bool
) -> tuple[list[str], list[int]]:
    """Run tests that end as the script says at their first and second run; codes, and the order of runs."""
    runs: list[int] = []

    def scripted(_: Any, __: Any, tests: Numbered, ___: Trial) -> Generator[TestResult]:
        for index, _ in tests:
            runs.append(index)
            verdict = script[index].pop(0)
            yield TestResult(index=index, verdict=verdict, near_limit=verdict is CLOSE)

    monkeypatch.setattr(running, "_results", scripted)
    slot: Any = None
    trial = running.run(slot, _case(len(script), stop, rerun), PreparedProblems(1 << 20))
    return [result.verdict.code + "r" * result.rerun for result in trial.results], runs


def _case(tests_count: int, stop: str, rerun: bool) -> Case:
    problem = StdioProblem.model_validate(
        {"kind": "stdio", "tests": [{"expected": "1"}] * tests_count}
    )
    submission = Submission.model_validate({"code": "-", "problem": problem, "stop": stop})
    work = Work(submission, problem, "sha256:" + "0" * 64, time.monotonic())
    return open_case(Settings(rerun_near_limit=rerun), work, program_of(submission))


@pytest.mark.parametrize(
    ("script", "stop", "codes", "runs"),
    [
        ([[FAST], [CLOSE, FAST], [FAST]], "first_failure", "AC ACr AC", [0, 1, 1, 2]),
        ([[CLOSE, FAST], [WRONG], [FAST]], "first_failure", "ACr WA", [0, 0, 1]),
        ([[CLOSE, CLOSE], [FAST]], "first_failure", "TLEr", [0, 0]),
        ([[CLOSE, HUGE], [FAST]], "first_failure", "TLEr", [0, 0]),
        ([[CLOSE, WRONG], [FAST]], "first_failure", "WAr", [0, 0]),
        ([[CLOSE, FAST], [CLOSE, CLOSE], [FAST]], "never", "ACr TLEr AC", [0, 0, 1, 1, 2]),
    ],
)
def test_a_close_time_out_is_run_once_more_and_what_is_within_the_limits_counts(
    monkeypatch: pytest.MonkeyPatch,
    script: list[list[Verdict]],
    stop: str,
    codes: str,
    runs: list[int],
) -> None:
    assert run(monkeypatch, script, stop=stop, rerun=True) == (codes.split(), runs)


def test_nothing_runs_twice_unless_that_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    script = [[CLOSE, FAST], [FAST]]
    assert run(monkeypatch, script, stop="never", rerun=False) == (["TLE", "AC"], [0, 1])


@pytest.mark.nsjail
def test_a_second_run_is_a_session_of_its_own_in_a_real_jail(judged_anew: Judged) -> None:
    limits = {"cpu_time_seconds": 0.5}
    tests = [{"input": text, "expected": "1"} for text in ("0.01", "0.51", "0.01", "9")]
    problem = {"kind": "stdio", "tests": tests, "limits": limits}
    code = f"seconds = float(input())\n{SPIN.format('seconds')}"
    judgement = judged_anew(code, problem, stop="never")
    assert [test.verdict.code for test in judgement.tests] == ["AC", "TLE", "AC", "TLE"]
    assert [test.rerun for test in judgement.tests] == [False, True, False, False]
