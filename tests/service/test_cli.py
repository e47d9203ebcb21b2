"""The command line: files judged in order, settings printed, one clear sentence when something is missing."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from typer.testing import CliRunner

from evaluator_service.cli import judge_stream
from evaluator_service.judge_file import FileError, read_works
from evaluator_service.settings import Settings
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
    assert "/nowhere.jsonl" in result.stderr
