"""The bundled sample problems and rollouts (``examples/``), read into wire models.

Owns the format of the example files, described in ``examples/README.md``. Does not judge anything.

A problem is a folder: ``statement.md``, ``problem.json`` (a Problem, less what has a file of its own),
and beside it ``test_code.py`` and ``reference.py`` where the problem has them. A rollout is one file in
its ``rollouts/``: a header between ``---`` lines, then what the model wrote.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from evaluator_service.schema import BatchSubmission, Problem
from evaluator_service.verdicts import Verdict

__all__ = ["Rollout", "Sample", "SampleFormatError", "examples_folder", "load_samples"]

_PROBLEM: TypeAdapter[Problem] = TypeAdapter(Problem)
_FIELDS_WITH_A_FILE = ("test_code", "reference")
_PROGRAMS_WITH_A_FILE = ("checker", "interactor")
_HEADER_KEYS = frozenset({"expect", "why", "sent", "nul"})


class SampleFormatError(ValueError):
    """An example file that cannot be read; the message names the file and what to change."""


@dataclass(frozen=True, slots=True)
class Rollout:
    """One model's answer to a sample problem, and what the judge must say of it.

    Attributes:
        name: ``problem/rollout``, also the id of its submission.
        expected: The verdicts that are right; several where the kernel may answer either way.
        why: One sentence: why that is the right verdict.
        text: What is sent.
        is_code: Whether it is sent as ``code``, as it stands, rather than as a ``completion``.
        language: What it is written in.
    """

    name: str
    expected: tuple[Verdict, ...]
    why: str
    text: str
    is_code: bool
    language: str = "python"

    def submission(self, problem_id: str) -> BatchSubmission:
        """The submission that has this rollout judged against a stored problem, with a full report."""
        field = "code" if self.is_code else "completion"
        return BatchSubmission.model_validate(
            {
                "id": self.name,
                "language": self.language,
                "problem_id": problem_id,
                "report": "full",
                field: self.text,
            }
        )


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample problem with its rollouts, both sorted by name."""

    name: str
    statement: str
    problem: Problem
    rollouts: tuple[Rollout, ...]


def examples_folder() -> Path:
    """Where the examples lie: inside the installed package, or beside it in a checkout.

    Raises:
        FileNotFoundError: If neither has them.
    """
    package = Path(__file__).parent
    for folder in (package / "examples", package.parent / "examples"):
        if (folder / "problems").is_dir():
            return folder
    raise FileNotFoundError(
        f"no examples in {package} or beside it: install the wheel, or run from a checkout"
    )


def load_samples(folder: Path | None = None) -> list[Sample]:
    """Read every sample problem.

    Args:
        folder: The ``examples`` folder; by default the bundled one.

    Raises:
        SampleFormatError: If a file is not what ``examples/README.md`` says.
        FileNotFoundError: If there are no examples.
    """
    problems = (folder or examples_folder()) / "problems"
    return [_sample(path) for path in sorted(problems.iterdir()) if path.is_dir()]


def _sample(folder: Path) -> Sample:
    written = [_rollout(path, folder.name) for path in sorted((folder / "rollouts").glob("*.md"))]
    behaviours = folder / "behaviours.json"
    programs = _programs(behaviours, folder.name) if behaviours.exists() else []
    return Sample(
        name=folder.name,
        statement=(folder / "statement.md").read_text("utf-8"),
        problem=_problem(folder),
        rollouts=(*written, *programs),
    )


def _programs(behaviours: Path, problem_name: str) -> list[Rollout]:
    """The programs of ``examples/languages``, one folder a language, that behave in one of these ways."""
    expected: dict[str, dict[str, str]] = json.loads(behaviours.read_text("utf-8"))
    folders = sorted(
        path for path in (behaviours.parents[2] / "languages").iterdir() if path.is_dir()
    )
    return [
        _program(
            path, problem_name, expected.get(f"{folder.name}_{path.stem}", expected[path.stem])
        )
        for folder in folders
        for path in sorted(folder.iterdir())
        if path.is_file() and path.stem in expected
    ]


def _program(path: Path, problem_name: str, about: dict[str, str]) -> Rollout:
    language = path.parent.name
    return Rollout(
        name=f"{problem_name}/{language}_{path.stem}",
        expected=tuple(Verdict(word.strip()) for word in about["expect"].split(",")),
        why=about["why"],
        text=path.read_text("utf-8"),
        is_code=True,
        language=language,
    )


def _problem(folder: Path) -> Problem:
    path = folder / "problem.json"
    try:
        fields: dict[str, Any] = json.loads(path.read_text("utf-8"))
        generated = fields.pop("generated_tests", None)
        if generated is not None:
            fields["tests"] = [*fields["tests"], *_GENERATORS[generated]()]
        for name in _FIELDS_WITH_A_FILE:
            if (source := folder / f"{name}.py").exists():
                fields[name] = source.read_text("utf-8")
        for name in _PROGRAMS_WITH_A_FILE:
            if (source := folder / f"{name}.py").exists():
                fields[name]["code"] = source.read_text("utf-8")
        return _PROBLEM.validate_python(fields)
    except (ValidationError, json.JSONDecodeError, KeyError) as error:
        raise SampleFormatError(f"{path}: {error}") from error


# --- rollouts -------------------------------------------------------------------------------------


def _rollout(path: Path, problem_name: str) -> Rollout:
    header, body = _split(path)
    try:
        expected = tuple(Verdict(word.strip()) for word in header["expect"].split(","))
    except ValueError as error:
        raise SampleFormatError(f"{path}: `expect`: {error}") from error
    is_code = header.get("sent") == "code"
    text = _first_fence(body, path) if is_code else body
    if "nul" in header:
        text = text.replace(header["nul"], "\x00")
    return Rollout(f"{problem_name}/{path.stem}", expected, header["why"], text, is_code)


def _split(path: Path) -> tuple[dict[str, str], str]:
    parts = path.read_text("utf-8").split("---\n", 2)
    if len(parts) != 3 or parts[0]:
        raise SampleFormatError(f"{path}: begin with a header between two lines `---`")
    header = dict(_header(parts[1], path))
    if missing := {"expect", "why"} - header.keys():
        raise SampleFormatError(f"{path}: the header lacks {sorted(missing)}")
    return header, parts[2]


def _header(text: str, path: Path) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        key, colon, value = line.partition(": ")
        if not colon or key not in _HEADER_KEYS:
            raise SampleFormatError(
                f"{path}: header line {line!r}: write `key: value`, with a key of {sorted(_HEADER_KEYS)}"
            )
        yield key, value.strip()


def _first_fence(body: str, path: Path) -> str:
    _, opening, rest = body.partition("```python\n")
    code, closing, _ = rest.partition("\n```\n")
    if not (opening and closing):
        raise SampleFormatError(f"{path}: `sent: code` needs one closed ```python fence")
    return code + "\n"


# --- tests too large for a file -------------------------------------------------------------------


def _factorial_of_3000() -> list[dict[str, str]]:
    # Decimal prints any number of digits; `str` of an int stops at 4300.
    digits = str(Decimal(math.factorial(3000)))
    return [{"id": "9131 digits", "input": "3000\n", "expected": f"{digits}\n"}]


def _closest_of_100000() -> list[dict[str, str]]:
    numbers = random.Random(17).sample(range(10**12), 100_000)  # noqa: S311 - no secret, a fixed test
    ordered = sorted(numbers)
    closest = min(b - a for a, b in pairwise(ordered))
    listed = " ".join(map(str, numbers))
    return [{"id": "100000 numbers", "input": f"100000\n{listed}\n", "expected": f"{closest}\n"}]


def _open_field() -> list[dict[str, str]]:
    side = 60
    rows = ["S" + "." * (side - 1), *["." * side] * (side - 2), "." * (side - 1) + "T"]
    field = "\n".join([f"{side} {side}", *rows])
    return [{"id": "an open field", "input": f"{field}\n", "expected": f"{2 * (side - 1)}\n"}]


def _sum_of_100000() -> list[dict[str, str]]:
    numbers = [place * 7919 % 1_000_003 - 500_000 for place in range(100_000)]
    listed = " ".join(map(str, numbers))
    return [
        {"id": "100000 numbers", "input": f"100000\n{listed}\n", "expected": f"{sum(numbers)}\n"}
    ]


_GENERATORS: dict[str, Callable[[], list[dict[str, str]]]] = {
    "closest_of_100000": _closest_of_100000,
    "factorial_of_3000": _factorial_of_3000,
    "open_field": _open_field,
    "sum_of_100000": _sum_of_100000,
}
