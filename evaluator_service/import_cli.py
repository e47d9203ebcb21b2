"""The command ``microcoder import``: problems of another format become Problems of the wire, a JSON line each.

Needs no sandbox and nothing of the service, and Python >= 3.11.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from evaluator_service.kattis import PackageError, load_package
from evaluator_service.problem import AnyProblem


class Imported(NamedTuple):
    """A problem, and what a reader should know of it, a sentence each."""

    problem: AnyProblem
    notes: tuple[str, ...] = ()


def run(name: str, source: str, target: str | None = None) -> int:
    """Write the problems in ``source`` as JSONL.

    Args:
        name: The format's.
        source: A file or folder.
        target: The file to write; None is standard output.

    Returns:
        The exit status: 0, or 2 if nothing was written since something cannot be read or written.
    """
    if name not in FORMATS:
        return _complain(f"unknown format '{name}'; there are: {', '.join(FORMATS)}")
    try:
        imported = list(FORMATS[name](Path(source)))
        text = "".join(_line(each.problem) for each in imported)
        if target is None:
            sys.stdout.write(text)
        else:
            Path(target).write_text(text, "utf-8")
    except PackageError as error:
        return _complain(str(error))
    except OSError as error:
        return _complain(f"{error.filename or target or source}: {error.strerror or error}")
    for each in imported:
        for note in each.notes:
            _complain(note)
    return 0


def _line(problem: AnyProblem) -> str:
    return problem.model_dump_json(exclude_unset=True) + "\n"


def _kattis(path: Path) -> Iterator[Imported]:
    package = load_package(path)
    notes = [f"not as in the package: {departure}" for departure in package.departures]
    if package.timing.limit_seconds is None:
        notes.append(
            "the package gives no time limit; `microcoder judge --package` says which one it means"
        )
    yield Imported(package.problem, tuple(notes))


FORMATS: Mapping[str, Callable[[Path], Iterator[Imported]]] = {"kattis": _kattis}
"""What is understood, by name."""


def _complain(message: str) -> int:
    print(f"microcoder: {message}", file=sys.stderr)  # noqa: T201 - the command's answer
    return 2
