"""Programs on the wire beside the one that is judged: a problem's checker and interactor, and their languages.

Part of ``schema``, which re-exports all of it. Needs pydantic alone and Python >= 3.11.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from evaluator_service.wire import Source, Wire

Language = Literal[
    "python", "pypy3", "python3.8", "python3.9", "python3.10", "python3.11", "python3.12", "python3.13",
    "python3.14", "c", "cpp", "java", "javascript", "typescript", "rust", "go", "bash",
]  # fmt: skip
"""`python` is the judge's own interpreter, kept warm; the others are there where their toolchain is."""

MAX_FILES_COUNT = 100


def _within_its_folder(name: str) -> str:
    if any(part in ("", ".", "..") for part in name.split("/")):
        raise ValueError("must be a path below its folder: no empty part, no '.', no '..'")
    return name


FileName = Annotated[
    str,
    StringConstraints(min_length=1, max_length=128, pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.+/-]*$"),
    AfterValidator(_within_its_folder),
]


def _no_file_is_a_folder(files: dict[str, str]) -> dict[str, str]:
    folders = {str(folder) for name in files for folder in PurePosixPath(name).parents}
    clash = sorted(folders & files.keys())
    if clash:
        raise ValueError(f"'{clash[0]}' is both a file and the folder of another")
    return files


Files = Annotated[
    dict[FileName, Source], Field(max_length=MAX_FILES_COUNT), AfterValidator(_no_file_is_a_folder)
]
Argument = Annotated[str, StringConstraints(max_length=1024, pattern=r"^[^\x00]*$")]
Arguments = Annotated[list[Argument], Field(max_length=64)]


class _ProblemProgram(Wire):
    """What a problem's own programs have in common."""

    language: Language = Field("python", description="Its language.", examples=["cpp"])
    code: Source = Field(min_length=1, description="Its main file.", examples=["int main() {}"])
    files: Files = Field(
        default_factory=dict,
        description="Its further files by name, `testlib.h` for example.",
        examples=[{}],
    )
    arguments: Arguments = Field(
        default_factory=list, description="Its arguments, after the files.", examples=[[]]
    )
    file_name: FileName | None = Field(
        None,
        description="Name of its main file; the language's usual one if unset.",
        examples=[None],
    )
    max_score: float | None = Field(
        None,
        gt=0,
        description="The score that counts as whole; less is a share of it. Unset: 1, and scores of protocol `kattis` "
        "are not looked at, as Kattis does in problems without scoring.",
        examples=[100.0],
    )


class Checker(_ProblemProgram):
    """The problem's own program that decides whether an output is right; compiled once, run in a jail of its own."""

    protocol: Literal["function", "kattis", "testlib"] = Field(
        description="`function`: Python's `check(input, expected, got)`, which returns a bool, a score, or either "
        "with a message; `kattis`: an output validator (exit status 42 or 43, feedback directory); `testlib`: exit "
        "status 0, 1, 2, 3 or 7.",
        examples=["kattis"],
    )

    @model_validator(mode="after")
    def _one_function(self) -> Self:
        if self.protocol == "function" and (
            self.language != "python" or self.files or self.arguments or self.file_name
        ):
            raise ValueError(
                "protocol 'function' is one file of Python, which takes no arguments: only `code` and `max_score`"
            )
        return self


class Interactor(_ProblemProgram):
    """What an interactive problem's programs talk with; compiled once, run in a jail of its own."""

    protocol: Literal["kattis", "testlib"] = Field(
        description="`kattis`: an output validator that talks; `testlib`: an interactor.",
        examples=["kattis"],
    )
