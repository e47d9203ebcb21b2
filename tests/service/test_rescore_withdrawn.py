"""A rescoring that nobody waits for any more ends early: comparing hostile outputs takes time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from evaluator_service.openapi import EXAMPLES
from evaluator_service.outputs import OutputStore
from evaluator_service.prepare import prepare
from evaluator_service.refusals import WithdrawnError
from evaluator_service.rescore import rescore
from evaluator_service.schema import Rescoring, StdioProblem
from evaluator_service.verdicts import NO_PENALTIES

PROBLEM = StdioProblem.model_validate({"kind": "stdio", "tests": [{"expected": "1"}] * 9})


def test_it_stops_before_the_next_test() -> None:
    store = OutputStore(1 << 20)
    compared: list[int] = []

    def go_on() -> None:
        if len(compared) == 3:
            raise WithdrawnError
        compared.append(1)

    test = {"verdict": "accepted", "output": store.put(b"1")}
    tests: list[Any] = [test | {"index": index} for index in range(9)]
    judgement = EXAMPLES["Rescoring"]["judgement"] | {"tests": tests}
    asked = Rescoring.model_validate({"problem": PROBLEM.model_dump(), "judgement": judgement})
    archive = SimpleNamespace(outputs=store, tests_of=lambda problem, _: prepare(problem))
    with pytest.raises(WithdrawnError):
        rescore(asked, PROBLEM, "sha256:" + "0" * 64, archive, NO_PENALTIES, go_on)
