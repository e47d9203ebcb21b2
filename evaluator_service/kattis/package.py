"""A problem package as a Problem of the wire, with its labelled submissions and how it comes to its time limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from evaluator_service.kattis.folder import Folder, PackageError
from evaluator_service.kattis.metadata import Metadata, Timing, read_metadata
from evaluator_service.kattis.scoring import score
from evaluator_service.kattis.submissions import Labelled, Skipped, read_submissions
from evaluator_service.kattis.testdata import Case, read_testdata
from evaluator_service.kattis.validators import decision, differ
from evaluator_service.kattis.worth import Scoring
from evaluator_service.problem import AnyProblem, Problem

_PROBLEM: TypeAdapter[AnyProblem] = TypeAdapter(Problem)
_NAME_CHARACTERS = 128
"""The longest name that the wire takes; of longer ones the end says more."""


@dataclass(frozen=True, slots=True)
class Package:
    """A problem package, read.

    Attributes:
        name: The name of its folder.
        problem: What is judged; without a time limit where the package gives none.
        submissions: Those that are labelled and in a language of the wire, by name.
        skipped: The others.
        scoring: What the tests are worth.
        timing: How the time limit is found.
        scores: Whether submissions earn points.
        departures: In what the problem is not what the package says, a sentence each.
    """

    name: str
    problem: AnyProblem
    submissions: tuple[Labelled, ...]
    skipped: tuple[Skipped, ...]
    scoring: Scoring
    timing: Timing
    scores: bool
    departures: tuple[str, ...]


def load_package(path: Path) -> Package:
    """Read a problem package.

    Args:
        path: Its folder.

    Raises:
        PackageError: If it cannot be read, or asks for what cannot be judged.
    """
    folder = Folder(path)
    metadata = read_metadata(folder)
    cases = list((root := read_testdata(folder, metadata)).cases())
    scoring = score(root, metadata)
    found = read_submissions(folder, metadata)
    return Package(
        name=folder.root.name,
        problem=_problem(folder, metadata, cases, scoring),
        submissions=tuple(each for each in found if isinstance(each, Labelled)),
        skipped=tuple(each for each in found if isinstance(each, Skipped)),
        scoring=scoring,
        timing=metadata.timing,
        scores=metadata.scoring,
        departures=scoring.departures,
    )


def _problem(
    folder: Folder, metadata: Metadata, cases: Sequence[Case], scoring: Scoring
) -> AnyProblem:
    decided = decision(folder, metadata, cases, scoring)
    weights = _weights(scoring) if metadata.scoring else [{}] * len(cases)
    answered, own_arguments = "comparison" in decided, differ(cases)
    tests = [
        _test(case, answered=answered, own_arguments=own_arguments) | weight
        for case, weight in zip(cases, weights, strict=True)
    ]
    fields: dict[str, Any] = {
        "kind": "interactive" if metadata.interactive else "stdio",
        "tests": tests,
        **decided,
    }
    limits = metadata.limits
    if metadata.timing.limit_seconds is not None:
        limits = limits.model_copy(update={"cpu_time_seconds": metadata.timing.limit_seconds})
    if given := limits.model_dump(exclude_none=True):
        fields["limits"] = given
    try:
        return _PROBLEM.validate_python(fields)
    except ValidationError as error:
        raise PackageError(_refusal(error)) from None


def _test(case: Case, *, answered: bool, own_arguments: bool) -> dict[str, Any]:
    """The fields of a test; a validator of the package's own may do without an answer file."""
    if case.answer is None and answered:
        raise PackageError(f"{case.file}: there is no answer beside it ({case.name}.ans)")
    fields = {
        "id": case.name[-_NAME_CHARACTERS:],
        "input": case.input,
        "expected": case.answer or "",
    }
    return fields | ({"arguments": list(case.arguments)} if own_arguments else {})


def _weights(scoring: Scoring) -> list[dict[str, Any]]:
    return [
        {"weight": scoring.weight(worth)}
        | ({"group": worth.group[-_NAME_CHARACTERS:]} if worth.group else {})
        for worth in scoring.worths
    ]


def _refusal(error: ValidationError) -> str:
    """Where the wire does not take what the package has, and why."""
    first = error.errors(include_url=False)[0]
    where = (str(part) for part in first["loc"] if part not in ("stdio", "interactive"))
    return f"{'.'.join(where)}: {first['msg']}"
