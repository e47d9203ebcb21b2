"""Rescoring on the command line: files in, judgements or a table out, one sentence for what makes no sense."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

from evaluator_service.content_folder import ContentFolder
from evaluator_service.judge_file import keeping, read_works
from evaluator_service.openapi import EXAMPLES
from evaluator_service.rescore_report import Comparisons, print_report
from evaluator_service.schema import Judgement, Rescored, StdioProblem, problem_id
from trainer_client import cli

pytest.importorskip("evaluator_service.judge")
run = CliRunner().invoke

PROBLEM = {"kind": "stdio", "tests": [{"expected": "1.0"}]}
PROBLEM_ID = problem_id(StdioProblem.model_validate(PROBLEM))


class Files:
    """A judged file: submissions, judgements, and the folder of outputs."""

    def __init__(self, folder: Path) -> None:
        self.submissions = folder / "submissions.jsonl"
        self.judgements = folder / "judgements.jsonl"
        self.outputs = folder / "outputs"
        self.outputs.mkdir()
        self.submissions.write_text(json.dumps({"code": "x", "problem": PROBLEM}) + "\n")
        self.judge(b"1.00000000001\n", b"1.0\n")

    def judge(self, *outputs: bytes, **fields: Any) -> None:
        """Write a judgement for each output."""
        names = [ContentFolder(self.outputs).put(output) for output in outputs]
        lines = []
        for name in names:
            test = {"index": 0, "verdict": "accepted", "output": name, "wall_time_seconds": 0.1}
            known = EXAMPLES["Rescoring"]["judgement"] | {"methods": {"numeric": 1}}
            lines.append(known | {"tests": [test], "problem_id": PROBLEM_ID} | fields)
        self.judgements.write_text("".join(json.dumps(line) + "\n" for line in lines))

    def rescore(self, *options: str) -> Any:
        """Run the command."""
        files = ["--problems", str(self.submissions), "--outputs", str(self.outputs)]
        return run(cli.app, ["rescore", str(self.judgements), *files, *options])


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """Two accepted judgements, one of which is so by tolerance alone."""
    return Files(tmp_path)


def test_judgements_come_out_under_the_new_profile(files: Files) -> None:
    result = files.rescore("--profile", "strict")
    judgements = [Judgement.model_validate_json(line) for line in result.stdout.splitlines()]
    assert [judgement.reward for judgement in judgements] == [0.0, 1.0]
    assert (result.exit_code, result.stderr) == (0, "")


def test_what_comes_out_can_go_in_again(files: Files) -> None:
    once = files.rescore("--profile", "strict").stdout
    files.judgements.write_text(once)
    assert files.rescore("--profile", "strict").stdout == once


def test_a_ladder_comes_out_beside_each_judgement(files: Files) -> None:
    lines = files.rescore("--ladder").stdout.splitlines()
    rescored = [Rescored.model_validate_json(line) for line in lines]
    verdicts = [{rung.profile: rung.reward for rung in each.ladder or ()} for each in rescored]
    assert [(each["strict"], each["flexible"]) for each in verdicts] == [(0.0, 1.0), (1.0, 1.0)]


def test_another_reward_is_given(files: Files) -> None:
    (line, _) = files.rescore("--reward", "first_k", "--first-k", "1").stdout.splitlines()
    assert json.loads(line)["reward_mode"] == "first_k"


def test_an_output_that_is_gone_shows_in_the_exit_status(files: Files) -> None:
    for path in files.outputs.iterdir():
        path.unlink()
    result = files.rescore()
    assert result.exit_code == 1
    assert json.loads(result.stdout.splitlines()[0])["error"]["kind"] == "outputs_gone"


NONSENSE = {
    "an unknown profile": (["--profile", "lax"], "unknown profile 'lax'; there are: "),
    "an unknown reward": (["--reward", "much"], "unknown reward 'much'; there are: all_or"),
    "a profile for values": (
        ["--profile", "evalplus"],
        "line 1: profile 'evalplus' cannot compare",
    ),
    "a number of tests alone": (["--first-k", "1"], "give `first_k` with `reward: first_k`"),
    "no such folder": (["--outputs", "/nowhere"], "/nowhere: no such folder of outputs"),
    "no such file": (["--problems", "/nowhere"], "/nowhere: No such file or directory"),
}


@pytest.mark.parametrize("name", NONSENSE)
def test_what_makes_no_sense_is_one_sentence(files: Files, name: str) -> None:
    options, words = NONSENSE[name]
    result = files.rescore(*options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"microcoder: {words}")
    assert result.stderr.count("\n") == 1


MISFITS: dict[str, tuple[dict[str, Any], str]] = {
    "no judgement": ({"colour": "red"}, "line 1: colour: unknown field"),
    "a problem that is not there": (
        {"problem_id": "sha256:" + "0" * 64},
        "line 1: problem_id: none of the submissions has the problem sha256:000",
    ),
    "no problem": ({"problem_id": None}, "line 1: problem_id: "),
    "no outputs": ({"tests": []}, "line 1: tests: there are none"),
}


@pytest.mark.parametrize("name", MISFITS)
def test_a_line_that_does_not_fit_is_named(files: Files, name: str) -> None:
    fields, words = MISFITS[name]
    files.judge(b"1", **fields)
    result = files.rescore()
    assert result.exit_code == 2
    assert result.stderr.startswith(f"microcoder: {words}")


def test_no_judgements_are_said_to_be_none(files: Files) -> None:
    files.judgements.write_text("\n")
    assert files.rescore().stderr == "microcoder: no judgements\n"


def test_judging_with_kept_outputs_names_them_whatever_a_submission_says() -> None:
    line = json.dumps({"code": "x", "problem": PROBLEM, "report": "summary"}).encode()
    (work,) = read_works([line])
    submission = keeping(work).submission
    assert (submission.keep_outputs, submission.report) == (True, "tests")


def test_a_profile_that_cannot_compare_a_problem_is_not_without_a_mark(files: Files) -> None:
    line = files.rescore("--ladder").stdout.splitlines()[0]
    seen = Comparisons()
    rescored = Rescored.model_validate_json(line)
    seen.add(rescored.judgement, rescored)
    seen.add(rescored.judgement, rescored.model_copy(update={"ladder": []}))
    kattis = seen.rungs["kattis"]
    assert (kattis.total_count, kattis.marked_count) == (1, 1)


@pytest.mark.parametrize("width", [80, 120])
def test_the_table_says_at_a_glance_what_changed(files: Files, width: int) -> None:
    seen = Comparisons()
    for old, new in zip(
        files.judgements.read_text().splitlines(),
        files.rescore("--profile", "strict", "--ladder").stdout.splitlines(),
        strict=True,
    ):
        seen.add(Judgement.model_validate_json(old), Rescored.model_validate_json(new))
    console = Console(file=io.StringIO(), force_terminal=True, no_color=True, width=width)
    print_report(seen, console)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "1 of 2 verdicts changed; mean reward 1.000 → 0.500" in text.replace(
        "\x1b[1m", ""
    ).replace("\x1b[0m", "")
    for word in ("numeric", "trailing", "none", "strict", "flexible", "(as judged)"):
        assert word in text
