"""The programs of ``examples/languages/<language>/``: one a behaviour, a file or a folder of several."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from sandbox.languages import LANGUAGES
from sandbox.toolchains import Found, find_toolchains

FOLDER = Path(__file__).parents[2] / "examples" / "languages"
ALIKE = {"pypy3": "python"}
"""Languages that run the programs of another."""

TESTED = ("c", "cpp", "java", "javascript", "typescript", "rust", "go", "bash", "python", "pypy3")


@dataclass(frozen=True, slots=True)
class Source:
    """What a submission is made of."""

    language: str
    path: Path

    @property
    def text(self) -> str:
        """The main file."""
        return self._main_file.read_text()

    def fields(self) -> dict[str, Any]:
        """The fields of a submission that tell its program."""
        return {"language": self.language, "code": self.text, "files": self._further_files()}

    @property
    def _main_file(self) -> Path:
        return self.path / LANGUAGES[self.language].main_file if self.path.is_dir() else self.path

    def _further_files(self) -> dict[str, str]:
        return {
            str(file.relative_to(self.path)): file.read_text()
            for file in sorted(self.path.rglob("*"))
            if file.is_file() and file != self._main_file
        }


def sources(*behaviours: str) -> list[Any]:
    """The programs that behave so, as parameters, in every language that has them."""
    return [
        pytest.param(Source(language, path), id=f"{language}-{path.stem}")
        for language in TESTED
        for path in sorted((FOLDER / ALIKE.get(language, language)).iterdir())
        if path.stem in behaviours
    ]


@cache
def languages_here() -> Found:
    """What this machine can compile and run."""
    return find_toolchains()


def skip_unless_here(language: str) -> None:
    """Skip the test where a language is missing."""
    if language not in languages_here().toolchains:
        pytest.skip(f"no {language}: {languages_here().missing[language]}")
