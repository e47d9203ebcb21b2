"""Attacks kept as data (tests/cases/README.md): read, made into submissions, their judgements checked."""

from __future__ import annotations

import platform
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from evaluator_service.schema import Judgement
from evaluator_service.verdicts import Verdict
from sandbox.toolchains import find_toolchains

FOLDER = Path(__file__).parents[1] / "cases"
LIMITS = {
    "cpu_time_seconds": 0.5,
    "wall_time_seconds": 10,
    "memory_bytes": 256 << 20,
    "output_bytes": 1 << 20,
    "processes_count": 16,
    "compile_time_seconds": 5,
}
HONEST = {
    "code": "words = input().split()\nprint(sum(map(int, words[1:])))\n",
    "problem": {"kind": "stdio", "tests": [{"input": "2 3 4\n", "expected": "7\n"}]},
    "report": "full",
}
"""A submission that has to be accepted whatever came before it."""


@dataclass(frozen=True, slots=True)
class AttackCase:
    """One hostile program, and what may come of it: the keys of its ``case.yaml``."""

    name: str
    about: dict[str, Any]

    @property
    def language(self) -> str:
        """What the program is written in."""
        return str(self.about.get("language", "python"))

    @property
    def code(self) -> str:
        """The program."""
        if "source" in self.about:
            return eval(self.about["source"])  # type: ignore[no-any-return]
        (main_file,) = (FOLDER / self.name).glob("main.*")
        return main_file.read_text(encoding="utf-8")

    @property
    def files(self) -> dict[str, str]:
        """What lies beside it."""
        folder = FOLDER / self.name / "files"
        return {
            str(path.relative_to(folder)): path.read_text(encoding="utf-8")
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }

    def submission(self) -> dict[str, Any]:
        """The attack and two honest tests, as ``POST /judge`` takes them, with a new secret each time."""
        kind = self.about.get("kind", "stdio")
        limits = LIMITS | self.about.get("limits", {})
        problem = {"kind": kind, "limits": limits, **_tests(kind, self.about)}
        program = {"language": self.language, "code": self.code, "files": self.files}
        return {**program, "problem": problem, "report": "full", "stop": "never"}

    def unmet_needs(self, level: str) -> list[str]:
        """What the promise rests on and a machine with this level of isolation lacks."""
        there = {
            "cgroup": "cgroup" in level,
            "two_ids": "one-uid" not in level,
            "x86_64": platform.machine() == "x86_64",
            self.language: self.language in _languages_here(),
        }
        needs = [*self.about.get("needs", []), self.language]
        return [need for need in needs if not there[need]]

    def complaints(self, judgement: Judgement) -> list[str]:
        """What is wrong with the judgement, in words; empty if nothing is."""
        return list(_complaints(self.about, judgement))


def load_cases() -> list[AttackCase]:
    """All attacks, by name."""
    return [
        AttackCase(path.parent.name, yaml.safe_load(path.read_text(encoding="utf-8")))
        for path in sorted(FOLDER.glob("*/case.yaml"))
    ]


@cache
def _languages_here() -> frozenset[str]:
    return frozenset(find_toolchains().toolchains)


def _tests(kind: str, about: dict[str, Any]) -> dict[str, Any]:
    """The attack's test, then two honest ones."""
    secret = secrets.token_hex(16)
    match kind:
        case "stdio":
            answer = about.get("answer", f"{secret}\n")
            given = (("attack\n", answer), ("2 1 2\n", "3\n"), ("2 3 4\n", "7\n"))
            return {"tests": [{"input": text, "expected": wanted} for text, wanted in given]}
        case "call":
            attack = about.get("arguments", ["attack", 0]), about.get("expected", secret)
            calls = (attack, ([1, 2], 3), ([3, 4], 7))
            tests = [{"args": arguments, "expected": wanted} for arguments, wanted in calls]
            return {"entry_point": "f", "tests": tests}
        case _:
            attack = about.get("attack", "value = f('attack', 0)\nassert value == 'SECRET'")
            later = [f"value = f({x}, {y})\nassert value == {x + y}" for x, y in ((1, 2), (3, 4))]
            return {"tests": [attack.replace("SECRET", secret), *later]}


def _complaints(about: dict[str, Any], judgement: Judgement) -> Iterator[str]:
    if judgement.error is not None or judgement.reward is None:
        yield f"the judge failed: {judgement.error}"
        return
    if judgement.verdict is Verdict.COMPILE_ERROR:
        if Verdict.COMPILE_ERROR not in about["expect"]:
            yield f"compile_error: {judgement.message}"
        return
    attack, *later = judgement.tests
    if attack.verdict not in about["expect"]:
        yield f"the attack: {attack}"
    if judgement.forgeable != about.get("forgeable", judgement.forgeable):
        yield f"forgeable: {judgement.forgeable}"
    if "source" in about:  # programs of one expression have no later answers to give
        return
    allowed = about.get("later", [Verdict.ACCEPTED])
    yield from (f"a later test: {test}" for test in later if test.verdict not in allowed)
