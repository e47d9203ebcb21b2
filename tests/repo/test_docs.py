"""Documents say what the code says: complete, with links that resolve and examples that hold."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
import typer
from pydantic import BaseModel, TypeAdapter

from evaluator_service import schema
from evaluator_service.comparison import TEXT_PROFILES, VALUE_PROFILES
from evaluator_service.errors import ApiError, problem_response
from evaluator_service.import_cli import FORMATS
from evaluator_service.kattis.labels import RULES
from evaluator_service.verdicts import Verdict
from sandbox.inside.names import provided
from sandbox.inside.pytest_names import as_module
from trainer_client.cli import app

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "examples" / "README.md"]
)
README = (ROOT / "README.md").read_text()


def _name_of(document: Path) -> str:
    return str(document.relative_to(ROOT))


def _document(name: str) -> str:
    return (ROOT / "docs" / name).read_text()


def _calls_of_api() -> list[str]:
    paths = json.loads(_document("openapi.json"))["paths"]
    return [f"{method.upper()} {path}" for path, methods in paths.items() for method in methods]


def _fields_of_the_wire() -> list[str]:
    models = (kind for kind in vars(schema).values() if isinstance(kind, type))
    fields = (kind.model_fields for kind in models if issubclass(kind, BaseModel))
    return sorted({name for names in fields for name in names})


def _methods_of_comparison() -> list[str]:
    profiles = (*TEXT_PROFILES.values(), *VALUE_PROFILES.values())
    return sorted({name for profile in profiles for name, _ in profile} | {"test_code"})


def _blocks(language: str) -> list[object]:
    """Fenced blocks of a language, as parameters (information after the language, text)."""
    fence = re.compile(rf"^```{language}\b *([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
    return [
        pytest.param(info, text, id=f"{_name_of(path)}-{number}")
        for path in DOCUMENTS
        for number, (info, text) in enumerate(fence.findall(path.read_text()))
    ]


def _links() -> list[object]:
    return [
        pytest.param(path.parent, target, id=f"{_name_of(path)}-{target}")
        for path in DOCUMENTS
        for target in dict.fromkeys(re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", path.read_text()))
        if "://" not in target
    ]


def test_the_generated_tables_are_fresh() -> None:
    checked = subprocess.run(
        [sys.executable, "scripts/generate_docs.py", "--check"],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize("error", ApiError.__subclasses__(), ids=lambda error: error.__name__)
def test_the_table_of_errors_names_what_is_answered(error: type[ApiError]) -> None:
    answer = json.loads(bytes(problem_response(error("-")).body))
    assert f"\n| {answer['status']} | `{answer['type']}` |" in _document("api.md")


@pytest.mark.parametrize("verdict", Verdict)
def test_a_verdict_is_documented(verdict: Verdict) -> None:
    assert f"| `{verdict.value}` | {verdict.code} |" in _document("verdicts.md")


@pytest.mark.parametrize("call", _calls_of_api())
def test_a_call_of_the_api_is_documented(call: str) -> None:
    assert f"\n| `{call}` |" in _document("api.md")


@pytest.mark.parametrize("field", _fields_of_the_wire())
def test_a_field_of_the_wire_is_documented(field: str) -> None:
    text = "".join(map(_document, ("api.md", "comparison.md", "limits.md")))
    assert f"`{field}`" in text or f'"{field}"' in text


@pytest.mark.parametrize("method", _methods_of_comparison())
def test_a_method_of_comparison_is_documented(method: str) -> None:
    assert f"\n| `{method}` |" in _document("comparison.md")


@pytest.mark.parametrize("name", sorted(vars(as_module()).keys() - dir(ModuleType("empty"))))
def test_a_name_of_pytest_that_test_code_may_use_is_documented(name: str) -> None:
    assert f"pytest.{name}" in _document("programs.md")


@pytest.mark.parametrize("name", sorted(provided()))
def test_a_name_that_programs_are_given_is_documented(name: str) -> None:
    assert f"`{name}`" in _document("programs.md")


@pytest.mark.parametrize("document", DOCUMENTS, ids=_name_of)
def test_lines_outside_tables_have_at_most_120_characters(document: Path) -> None:
    lines = document.read_text().splitlines()
    assert [line for line in lines if len(line) > 120 and not line.startswith("|")] == []


@pytest.mark.parametrize("limit", schema.Limits.model_fields)
def test_a_limit_is_documented(limit: str) -> None:
    assert f"`{limit}`" in _document("limits.md")


@pytest.mark.parametrize("command", typer.main.get_command(app).commands)  # type: ignore[attr-defined]
def test_a_command_is_documented(command: str) -> None:
    assert f"`microcoder {command}" in _document("cli.md")


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_that_is_imported_is_documented(name: str) -> None:
    assert f"`{name}`" in _document("cli.md")


@pytest.mark.parametrize("folder", RULES)
def test_a_label_of_a_package_is_documented(folder: str) -> None:
    assert f"\n| `{folder}` |" in _document("packages.md")


def test_the_first_screen_of_the_readme_is_one_screen() -> None:
    first_screen, _, _ = README.partition("\n## ")
    assert len(first_screen.splitlines()) <= 60
    for part in ("```mermaid", "make demo", "make test", "curl", "SECURITY.md"):
        assert part in first_screen


@pytest.mark.parametrize("document", DOCUMENTS, ids=_name_of)
def test_a_make_command_in_a_document_exists(document: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = re.findall(r"(?:`|^)make ((?:[a-z-]+ ?)+)", document.read_text(), re.MULTILINE)
    assert {target for line in named for target in line.split()} <= targets


@pytest.mark.parametrize(("folder", "target"), _links())
def test_a_link_resolves(folder: Path, target: str) -> None:
    assert (folder / target).exists()


@pytest.mark.parametrize("document", DOCUMENTS, ids=_name_of)
def test_a_file_of_ours_that_a_document_names_exists(document: Path) -> None:
    ours = r"`((?:evaluator_service|sandbox|trainer_client|tests|scripts|docs)/[\w./-]*)`"
    named = set(re.findall(ours, document.read_text()))
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


@pytest.mark.parametrize(("model", "text"), _blocks("json"))
def test_a_json_example_is_what_it_says_to_be(model: str, text: str) -> None:
    """The word after ``json`` names the model of the wire that the example is one of."""
    TypeAdapter(getattr(schema, model)).validate_json(text)
