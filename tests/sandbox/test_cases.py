"""Attacks kept as data (tests/cases): none gets a mark it does not deserve, and none leaves a trace."""

from __future__ import annotations

import platform
import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from evaluator_service.executor import Work
from evaluator_service.judge import Judge
from evaluator_service.schema import Judgement, Submission, problem_id
from evaluator_service.settings import Settings
from evaluator_service.verdicts import Verdict

pytestmark = pytest.mark.nsjail

CASES = sorted(path.parent for path in (Path(__file__).parents[1] / "cases").glob("*/case.yaml"))
LIMITS = {
    "cpu_time_seconds": 0.5,
    "wall_time_seconds": 10,
    "memory_bytes": 256 << 20,
    "output_bytes": 1 << 20,
    "processes_count": 16,
    "compile_time_seconds": 5,
}
GOOD = "words = input().split()\nprint(sum(map(int, words[1:])))\n"


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    """One slot, so that every case meets what the one before left behind."""
    judge = Judge(Settings(slots_count=1))
    judge.start()
    yield judge
    judge.close()


def test_there_are_attacks_of_every_sort() -> None:
    sorts = {path.name.partition("_")[0] for path in CASES}
    assert len(CASES) >= 200
    assert sorts == {"escape", "exhaust", "cheat", "time", "state", "compile", "call", "asserts"}


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.name)
def test_an_attack_gets_its_verdict_and_harms_nobody_else(judge: Judge, path: Path) -> None:
    case = yaml.safe_load((path / "case.yaml").read_text(encoding="utf-8"))
    problem = {
        "kind": case.get("kind", "stdio"),
        "limits": LIMITS | case.get("limits", {}),
        **_tests(case),
    }

    _skip_unless(judge, case.get("needs", []))
    judgement = _judged(judge, _source(path, case), problem)

    assert judgement.error is None
    assert judgement.reward is not None
    _check_attack(case, judgement)
    _check_later(case, judgement)
    assert _honest(judge).verdict is Verdict.ACCEPTED


def _tests(case: dict[str, Any]) -> dict[str, Any]:
    """The attack's test, then two honest ones."""
    secret = secrets.token_hex(16)
    match case.get("kind"):
        case None:
            answer = case.get("answer", f"{secret}\n")
            return {
                "tests": [
                    _stdio("attack\n", answer),
                    _stdio("2 1 2\n", "3\n"),
                    _stdio("2 3 4\n", "7\n"),
                ]
            }
        case "call":
            given, wanted = case.get("arguments", ["attack", 0]), case.get("expected", secret)
            tests = [_call(given, wanted), _call([1, 2], 3), _call([3, 4], 7)]
            return {"entry_point": "f", "tests": tests}
        case _:
            attack = case.get("attack", "value = f('attack', 0)\nassert value == 'SECRET'")
            later = [f"value = f({x}, {y})\nassert value == {x + y}" for x, y in ((1, 2), (3, 4))]
            return {"tests": [attack.replace("SECRET", secret), *later]}


def _stdio(given: str, wanted: str) -> dict[str, str]:
    return {"input": given, "expected": wanted}


def _call(given: list[Any], wanted: Any) -> dict[str, Any]:
    return {"args": given, "expected": wanted}


def _source(path: Path, case: dict[str, Any]) -> str:
    if "source" in case:
        return eval(case["source"])  # type: ignore[no-any-return]
    return (path / "main.py").read_text(encoding="utf-8")


def _skip_unless(judge: Judge, needs: list[str]) -> None:
    level = _honest(judge).isolation.level
    there = {
        "cgroup": "cgroup" in level,
        "two_ids": "one-uid" not in level,
        "x86_64": platform.machine() == "x86_64",
    }
    for need in needs:
        if not there[need]:
            pytest.skip(f"needs {need}, and this machine has {level} on {platform.machine()}")


def _check_attack(case: dict[str, Any], judgement: Judgement) -> None:
    if judgement.verdict is Verdict.COMPILE_ERROR:
        assert Verdict.COMPILE_ERROR in case["expect"], judgement.message
        return
    attack = judgement.tests[0]
    assert attack.verdict in case["expect"], attack
    assert judgement.forgeable == case.get("forgeable", judgement.forgeable)


def _check_later(case: dict[str, Any], judgement: Judgement) -> None:
    """Programs of one expression have no later answers to give."""
    if judgement.verdict is Verdict.COMPILE_ERROR or "source" in case:
        return
    allowed = case.get("later", [Verdict.ACCEPTED])
    for later in judgement.tests[1:]:
        assert later.verdict in allowed, later


def _honest(judge: Judge) -> Judgement:
    return _judged(judge, GOOD, {"kind": "stdio", "tests": [_stdio("2 3 4\n", "7\n")]})


def _judged(judge: Judge, code: str, problem: dict[str, Any]) -> Judgement:
    submission = Submission.model_validate(
        {"code": code, "problem": problem, "report": "full", "stop": "never"}
    )
    resolved = submission.problem
    assert resolved is not None
    return judge.judge(Work(submission, resolved, problem_id(resolved), time.monotonic()))
