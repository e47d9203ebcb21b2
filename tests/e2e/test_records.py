"""Public problems, judged over HTTP, against what running them by hand says."""

from __future__ import annotations

import importlib.util
import json
import warnings
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import httpx2
import pytest

pytestmark = [
    pytest.mark.nsjail,
    pytest.mark.shared_data,
    pytest.mark.timeout(900),
    pytest.mark.filterwarnings("ignore::SyntaxWarning"),
]


def _neighbour(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parent / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


by_hand = _neighbour("by_hand")
mutate = _neighbour("mutate")


class Trial(NamedTuple):
    """One program, the problem it is for, and the tests as they would be run by hand."""

    name: str
    program: str
    problem: dict[str, Any]
    tests: str
    label: bool | None


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in path.read_text().splitlines())


def _humaneval(records: Path) -> Iterator[Trial]:
    for record in _lines(records / "humaneval.jsonl"):
        entry_point = record["entry_point"]
        problem = {"kind": "asserts", "entry_point": entry_point, "test_code": record["tests"]}
        tests = f"{record['tests']}\ncheck({entry_point})"
        yield from _trials(record, problem, tests)


def _mbpp(records: Path) -> Iterator[Trial]:
    for record in _lines(records / "mbpp.jsonl"):
        problem = {"kind": "asserts", "tests": record["tests"]}
        yield from _trials(record, problem, "\n".join(record["tests"]))


def _trials(record: dict[str, Any], problem: dict[str, Any], tests: str) -> Iterator[Trial]:
    for submission in record["submissions"]:
        yield Trial(record["id"], submission["code"], problem, tests, submission["accept"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the records' own escape sequences
        mutants = list(mutate.mutants(record["submissions"][0]["code"]))
    for fault, program in mutants:
        yield Trial(f"{record['id']} ({fault})", program, problem, tests, None)


def _judge(client: httpx2.Client, trials: list[Trial]) -> list[dict[str, Any]]:
    names = {tests: f"p{place}" for place, tests in enumerate({trial.tests for trial in trials})}
    body = {
        "problems": {names[trial.tests]: trial.problem for trial in trials},
        "submissions": [
            {
                "code": trial.program,
                "problem": names[trial.tests],
                "limits": {"cpu_time_seconds": by_hand.LIMIT_SECONDS},
                "report": "full",
            }
            for trial in trials
        ],
    }
    answer = client.post("/judge/batch", json=body)
    assert answer.status_code == 200, answer.text
    judgements: list[dict[str, Any]] = answer.json()["judgements"]
    return judgements


@pytest.mark.parametrize("read", [_humaneval, _mbpp], ids=["humaneval", "mbpp"])
def test_programs_are_accepted_exactly_when_they_pass_by_hand(
    client: httpx2.Client, records: Path, read: Any
) -> None:
    trials = list(read(records))
    with ThreadPoolExecutor(2) as threads:
        passed = list(threads.map(lambda trial: by_hand.passes(trial.program, trial.tests), trials))
    judgements = _judge(client, trials)
    disagreements = [
        (trial.name, judgement["verdict"], by, trial.label, judgement["tests"])
        for trial, judgement, by in zip(trials, judgements, passed, strict=True)
        if (judgement["verdict"] == "accepted") != by or trial.label not in (None, by)
    ]
    assert disagreements == []
    assert not any(judgement["forgeable"] for judgement in judgements)


@pytest.mark.parametrize("read", [_humaneval, _mbpp], ids=["humaneval", "mbpp"])
def test_every_record_is_tried_with_at_least_two_faults(records: Path, read: Any) -> None:
    faults = Counter(trial.tests for trial in read(records) if trial.label is None)
    assert min(faults.values()) >= 2
    assert len(faults) == len({trial.tests for trial in read(records)})
