"""The request in the README gets the answer in the README."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from evaluator_service.schema import Judgement, Submission

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()


def _request() -> Submission:
    sent = re.search(r"-d '(\{.*?\})'", README, re.DOTALL)
    assert sent
    return Submission.model_validate_json(sent.group(1))


def _answer() -> Judgement:
    answered = re.search(r"```json Judgement\n(.*?)```", README, re.DOTALL)
    assert answered
    return Judgement.model_validate_json(answered.group(1))


def test_they_are_a_submission_and_a_judgement() -> None:
    assert _request().problem
    assert _answer().reward == 1


@pytest.mark.nsjail
def test_the_judge_gives_that_answer() -> None:
    judged = subprocess.run(
        [sys.executable, "-c", "from trainer_client.cli import main; main()", "judge", "-"],
        input=_request().model_dump_json(exclude_unset=True),
        cwd=ROOT,
        env={**os.environ, "MICROCODER_MACHINE_SECONDS_PER_REFERENCE_SECOND": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert judged.returncode == 0, judged.stderr
    measured = {"timing", "isolation", "problem_id"}
    got = Judgement.model_validate_json(judged.stdout)
    assert got.model_dump(exclude=measured) == _answer().model_dump(exclude=measured)
