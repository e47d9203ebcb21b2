"""The forge and `.ci/run` check the same: what `make check` and `make test` do."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
WORKFLOW = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())
JOB: dict[str, Any] = WORKFLOW["jobs"]["check-and-test"]
COMMANDS = [step["run"] for step in JOB["steps"] if "run" in step]


@pytest.mark.parametrize("command", ["make check", "make test"])
def test_both_places_run_the_command(command: str) -> None:
    assert any(line.endswith(command) for line in COMMANDS)
    assert command in (ROOT / ".ci" / "run").read_text()


def test_every_python_that_the_service_supports_is_tried() -> None:
    classifiers = re.findall(r"Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text())
    assert JOB["strategy"]["matrix"]["python"] == [name for name in classifiers if name != "3.11"]


def test_an_action_is_pinned_to_a_full_version_or_a_commit() -> None:
    pins = [step["uses"].partition("@")[2] for step in JOB["steps"] if "uses" in step]
    assert all(re.fullmatch(r"v\d+\.\d+\.\d+|[0-9a-f]{40}", pin) for pin in pins)


@pytest.mark.parametrize("mark", ["nsjail", "languages"])
def test_what_needs_more_than_python_must_run_in_both_places(mark: str) -> None:
    places = [*COMMANDS, (ROOT / ".ci" / "run").read_text()]
    required = [re.findall(r"MICROCODER_CI_REQUIRE[=-]([\w,]+)", place) for place in places]
    assert sum(mark in marks.split(",") for found in required for marks in found) == 2


def test_every_test_of_a_language_is_one_that_must_run() -> None:
    folder = ROOT / "tests" / "languages"
    modules = [path.read_text() for path in folder.glob("test_*.py")]
    assert modules
    assert all("pytestmark = [pytest.mark.nsjail, pytest.mark.languages]" in m for m in modules)
