"""Code stays in pieces a reader can hold: short modules, short functions."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULE_LINES_MAX = 350
FUNCTION_LINES_MAX = 60
DATA = ROOT / "tests" / "languages" / "programs"
"""Programs to be judged; some do not compile, as they should."""

MODULES = sorted(
    path
    for package in (
        "evaluator_service",
        "sandbox",
        "trainer_client",
        "benchmarks",
        "tests",
        "scripts",
    )
    for path in (ROOT / package).rglob("*.py")
    if not path.is_relative_to(DATA)
)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_fits_in_350_lines_and_its_functions_in_60(path: Path) -> None:
    source = path.read_text()
    lines_count = len(source.splitlines())
    assert lines_count <= MODULE_LINES_MAX, f"{lines_count} lines: split it by concern"
    assert _long_functions(source) == [], "name the steps and make them functions"


def _long_functions(source: str) -> list[str]:
    return [
        f"{node.name}: {length} lines"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (length := (node.end_lineno or node.lineno) - node.lineno + 1) > FUNCTION_LINES_MAX
    ]
