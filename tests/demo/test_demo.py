"""The demo's own part: starting a service, sending everything, saying what differs."""

import json
import sys
from pathlib import Path

import pytest

from evaluator_service import demo
from evaluator_service.samples import load_samples

ORACLE = (sys.executable, str(Path(__file__).with_name("oracle_service.py")))


def test_all_as_expected_ends_with_status_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert demo.run(command=ORACLE) == 0
    shown = capsys.readouterr().out
    count = sum(len(sample.rollouts) for sample in load_samples())
    assert f"all {count} as expected" in shown
    assert "reward 1.00" in shown


def test_one_verdict_that_differs_fails_the_demo_and_is_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert demo.run(command=(*ORACLE, "two_sum/hash_map")) == 1
    shown = capsys.readouterr().out
    assert "✗ two_sum/hash_map: expected accepted, got judge_error" in shown
    assert "the judge: [red]a\u2028mistake[/]" in shown


def test_json_has_a_row_for_every_rollout_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert demo.run(json=True, command=(*ORACLE, "two_sum/hash_map")) == 1
    answer = json.loads(capsys.readouterr().out)
    names = [rollout.name for sample in load_samples() for rollout in sample.rollouts]
    assert [row["rollout"] for row in answer["rows"]] == names
    assert answer["figures"]["mismatches_count"] == 1
    assert answer["as_expected"] is False


def test_a_service_that_does_not_start_ends_with_status_2_and_its_last_words(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert demo.run(command=(sys.executable, "-c", "raise SystemExit('no jail here')")) == 2
    assert "no jail here" in capsys.readouterr().err


@pytest.mark.nsjail
def test_the_real_judge_gives_every_expected_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    status = demo.run(json=True)
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["rollout"] for row in rows if not row["as_expected"]] == []
    assert status == 0
