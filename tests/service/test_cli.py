"""The command line: files judged in order, settings printed, one clear sentence when something is missing."""

from __future__ import annotations

import asyncio
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

from evaluator_service import doctor
from evaluator_service.cli import judge_stream
from evaluator_service.config_cli import print_settings
from evaluator_service.judge_file import FileError, read_works
from evaluator_service.setting_rows import describe
from evaluator_service.settings import Settings, variable_name
from trainer_client import cli

run = CliRunner().invoke
Make = Callable[..., dict[str, Any]]


def judged(lines: list[bytes], judge: Any, settings: Settings) -> list[dict[str, Any]]:
    output = io.StringIO()
    asyncio.run(judge_stream(lines, judge, settings, output))
    return [json.loads(line) for line in output.getvalue().splitlines()]


def test_lines_are_judged_in_their_order(judge: Any, settings: Settings, submission: Make) -> None:
    lines = [json.dumps(submission(id=str(i))).encode() for i in range(20)]
    assert [line["id"] for line in judged(lines, judge, settings)] == [str(i) for i in range(20)]


@pytest.mark.parametrize("indent", [None, 2])
def test_a_file_may_be_one_json_document(submission: Make, indent: int | None) -> None:
    one = json.dumps(submission(id="a"), indent=indent)
    many = json.dumps([submission(id="a"), submission(id="b")], indent=indent)
    for text, names in ((one, ["a"]), (many, ["a", "b"])):
        works = read_works(io.BytesIO(text.encode()))
        assert [work.submission.id for work in works] == names


def test_a_bad_line_is_named_after_those_before_it_are_judged(
    judge: Any, settings: Settings, submission: Make
) -> None:
    output = io.StringIO()
    lines = [json.dumps(submission()).encode(), b"", b"{"]
    with pytest.raises(FileError, match="line 3: "):
        asyncio.run(judge_stream(lines, judge, settings, output))
    assert output.getvalue().count("accepted") == 1


def test_a_judge_error_shows_in_the_exit_status(
    judge: Any, settings: Settings, submission: Make
) -> None:
    lines = [json.dumps(submission("raise")).encode()]
    assert asyncio.run(judge_stream(lines, judge, settings, io.StringIO())) == 1


def test_config_prints_every_setting_as_json() -> None:
    rows = json.loads(run(cli.app, ["config", "--json"]).stdout)
    assert {row["name"] for row in rows} == set(Settings.model_fields)


def test_config_names_a_setting_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MICROCODER_PORT", "-1")
    result = run(cli.app, ["config"])
    assert result.exit_code == 2
    assert "MICROCODER_PORT=-1" in result.stderr


def test_openapi_prints_the_document() -> None:
    assert json.loads(run(cli.app, ["openapi"]).stdout)["info"]["title"] == "microcoder"


def test_an_old_python_is_told_so_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "OLDEST_SERVICE_PYTHON", (9, 9))
    result = run(cli.app, ["serve"])
    assert result.exit_code == 2
    assert result.stderr.startswith(
        "microcoder: the service needs Python 9.9 or newer, and this is 3."
    )
    assert result.stderr.count("\n") == 1


def test_a_missing_package_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: str) -> None:
        raise ModuleNotFoundError(name="fastapi")

    monkeypatch.setattr("importlib.import_module", missing)
    result = run(cli.app, ["serve"])
    assert "fastapi is not installed" in result.stderr
    assert "microcoder[service]" in result.stderr


def test_a_file_that_is_not_there_is_a_sentence() -> None:
    pytest.importorskip("evaluator_service.judge")
    result = run(cli.app, ["judge", "/nowhere.jsonl"])
    assert result.exit_code == 2
    assert result.stderr == "microcoder: /nowhere.jsonl: No such file or directory\n"


BAD_FILES: dict[str, tuple[str, str]] = {
    "a line that is no JSON": (
        '{"code": 1 2}',
        "line 1: not JSON: expected `,` or `}` at column 12",
    ),
    "a document that is no JSON": (
        '{"code":\n 1 2}',
        "not JSON: expected `,` or `}` at line 2 column 4",
    ),
    "a list that is no JSON": (
        '[{},\n {"code" 2}]',
        "line 2: not JSON: Expecting ':' delimiter at column 10",
    ),
    "an item of a list": ('[{"code": "x"}]', "line 1, item 1: give exactly one of `problem` and"),
    "a stored problem": (
        json.dumps({"code": "x", "problem_id": "sha256:" + "0" * 64}),
        "line 1: problem_id: only a service keeps problems; give `problem` inline",
    ),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_the_place_in_a_file_is_named(name: str) -> None:
    text, words = BAD_FILES[name]
    with pytest.raises(FileError) as raised:
        list(read_works(io.BytesIO(text.encode())))
    assert str(raised.value).startswith(words)


def test_no_submissions_are_said_to_be_none(
    judge: Any, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    assert judged([], judge, settings) == []
    assert capsys.readouterr().err == "microcoder: no submissions\n"


def test_no_lines_to_compare_are_said_to_be_none() -> None:
    result = run(cli.app, ["compare", "-"], input="\n")
    assert (result.exit_code, result.stderr) == (0, "microcoder: no lines to compare\n")


def test_the_version_is_printed() -> None:
    assert run(cli.app, ["--version"]).stdout.startswith("microcoder ")


def test_a_misspelt_variable_is_named_by_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MICROCODER_SLOT_COUNT", "3")
    result = run(cli.app, ["config"])
    assert result.exit_code == 0
    assert "MICROCODER_SLOT_COUNT is no setting" in result.stderr
    assert "MICROCODER_SLOTS_COUNT?" in result.stderr


# --- what config prints ---------------------------------------------------------------------------


@pytest.mark.parametrize(("is_terminal", "width"), [(False, 40), (True, 80), (True, 120)])
def test_config_never_cuts_a_name(is_terminal: bool, width: int) -> None:
    console = Console(file=io.StringIO(), force_terminal=is_terminal, width=width)
    print_settings(describe(Settings()), console)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert [name for name in Settings.model_fields if variable_name(name) not in text] == []


def test_config_prints_a_line_a_setting_where_there_is_no_terminal() -> None:
    lines = run(cli.app, ["config"]).stdout.splitlines()
    assert len(lines) == len(Settings.model_fields)
    assert any(line.split()[:3] == ["MICROCODER_NSJAIL_PATH", "–", "[–]"] for line in lines)


@pytest.mark.parametrize(("is_terminal", "width"), [(False, 40), (True, 60)])
def test_doctor_never_cuts_a_path(is_terminal: bool, width: int) -> None:
    path = "/opt/" + "a-long-folder/" * 9 + "nsjail"
    console = Console(file=io.StringIO(), force_terminal=is_terminal, width=width, no_color=True)
    doctor.print_lines([doctor.Line("nsjail", "ok", path)], console)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert path in "".join(text.split())


@pytest.mark.nsjail
@pytest.mark.parametrize(
    ("given", "words"),
    [(None, "as measured: "), (2.5, "one second of the reference machine is 2.5 s")],
)
def test_doctor_tells_how_fast_the_machine_is(given: float | None, words: str) -> None:
    settings = Settings(packages=(), machine_seconds_per_reference_second=given)
    (line,) = (line for line in doctor.look(settings) if line.name == "speed")
    assert line.state == "ok"
    assert words in line.words


# --- a machine that cannot judge, a service that cannot start -------------------------------------


def microcoder(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from trainer_client.cli import main; main()", *arguments],
        cwd=Path(__file__).parents[2],
        env={f"MICROCODER_{name}": value for name, value in settings.items()},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("command", ["serve", "judge"])
def test_a_missing_nsjail_is_one_sentence_that_names_its_variable(
    command: str, tmp_path: Path, submission: Make
) -> None:
    file = tmp_path / "one.json"
    file.write_text(json.dumps(submission()))
    arguments = [command, str(file)] if command == "judge" else [command, "--port", "0"]
    ended = microcoder(*arguments, NSJAIL_PATH="/nowhere/nsjail")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("microcoder: cannot ")
    assert ended.stderr.count("\n") == 1
    assert "/nowhere/nsjail" in ended.stderr
    assert "MICROCODER_NSJAIL_PATH" in ended.stderr


NOT_TO_START: dict[str, tuple[list[str], dict[str, str], str]] = {
    "where strangers are": (["--host", "0.0.0.0"], {}, "HOST=0.0.0.0: whoever reaches"),
    "without its keys": ([], {"API_KEYS_FILE": "/nowhere"}, "API_KEYS_FILE=/nowhere: no such file"),
}


@pytest.mark.parametrize("name", NOT_TO_START)
def test_a_service_that_may_not_start_says_why_in_one_sentence(name: str) -> None:
    arguments, settings, words = NOT_TO_START[name]
    ended = microcoder("serve", "--port", "0", *arguments, **settings)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith(f"microcoder: cannot start: MICROCODER_{words}")
    assert ended.stderr.count("\n") == 1
