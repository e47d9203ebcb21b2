"""Packages written for one test: a folder with a problem.yaml and one test, and whatever the test adds."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator_service.kattis import Package, PackageError, load_package

Write = Callable[..., Path]
Load = Callable[..., Package]

LEAST = {
    "problem.yaml": "name: n\n",
    "data/secret/1.in": "3 4\n",
    "data/secret/1.ans": "7\n",
}


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a package: the least one, with these files beside or in place of its own; None leaves one out."""

    def package(files: dict[str, str | bytes | None] | None = None) -> Path:
        root = tmp_path / "package"
        shutil.rmtree(root, ignore_errors=True)
        for name, content in ({**LEAST, **(files or {})}).items():
            if content is None:
                continue
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return root

    return package


@pytest.fixture
def load(write: Write) -> Load:
    """Write a package and load it."""
    return lambda files=None: load_package(write(files))


@pytest.fixture
def refused(load: Load) -> Callable[..., str]:
    """What is said of a package that is refused."""

    def message(files: dict[str, str | bytes | None] | None = None) -> str:
        with pytest.raises(PackageError) as raised:
            load(files)
        return str(raised.value)

    return message
