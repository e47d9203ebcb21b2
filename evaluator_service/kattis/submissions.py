"""The labelled submissions of a package: programs, and what is expected of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from evaluator_service.kattis.expectations import Expectation
from evaluator_service.kattis.folder import Folder, LinkError, PackageError
from evaluator_service.kattis.labels import FILE, ROOT, Label, Labels
from evaluator_service.kattis.metadata import Metadata
from evaluator_service.kattis.programs import (
    KNOWN_LANGUAGES,
    NoProgramError,
    Source,
    as_program,
    language_named,
    package_names,
    read_files,
)


@dataclass(frozen=True, slots=True)
class Labelled:
    """One submission.

    Attributes:
        path: Its name below ``submissions/``.
        source: Its program.
        expectation: What is expected of it.
    """

    path: str
    source: Source
    expectation: Expectation


@dataclass(frozen=True, slots=True)
class Skipped:
    """What lies among the submissions and cannot be judged.

    Attributes:
        path: Its name below ``submissions/``.
        language: Its language, as packages call it, if it is known.
        why: In words.
    """

    path: str
    language: str | None
    why: str


def read_submissions(folder: Folder, metadata: Metadata) -> list[Labelled | Skipped]:
    """All submissions, sorted by their names.

    Raises:
        PackageError: If a link leads out of the package, or ``submissions.yaml`` makes no sense.
    """
    reader = _Reader(folder, metadata)
    found: list[Labelled | Skipped] = []
    for entry in folder.entries(ROOT):
        if entry == FILE:
            continue
        programs = folder.entries(entry) if folder.is_folder(entry) else [entry]
        found.extend(reader.read(program) for program in programs)
    return found


class _Reader:
    def __init__(self, folder: Folder, metadata: Metadata) -> None:
        self._folder = folder
        self._constants = metadata.constants
        self._labels = Labels(folder, metadata)

    def read(self, place: str) -> Labelled | Skipped:
        """One submission: a file, or a folder of files."""
        path = place.removeprefix(f"{ROOT}/")
        try:
            files = self._files(place)
        except LinkError:
            raise
        except PackageError as error:
            return Skipped(path, None, str(error))
        label = self._labels.of(path, "\n".join(files.values()))
        try:
            source = self._program(files, label)
        except NoProgramError as error:
            return Skipped(path, None, str(error))
        if source.language not in KNOWN_LANGUAGES:
            return Skipped(path, source.language, f"{source.language} is not judged here")
        if label.expectation is None:
            return Skipped(path, source.language, "nothing says what is expected of it")
        return Labelled(path, source, label.expectation)

    def _files(self, place: str) -> dict[str, str]:
        base = place if self._folder.is_folder(place) else str(PurePosixPath(place).parent)
        return read_files(self._folder, self._folder.files(place), base, self._constants)

    def _program(self, files: Mapping[str, str], label: Label) -> Source:
        """The program; files that the package adds to every submission take the place of its own."""
        language = label.language and language_named(label.language)
        plain = as_program(files, language=language, entry_point=label.entry_point)
        added = self._included(plain.language)
        if not added:
            return plain
        return as_program(
            {**files, **added}, language=plain.language, entry_point=label.entry_point
        )

    def _included(self, language: str) -> dict[str, str]:
        files: dict[str, str] = {}
        for name in ("default", *package_names(language)):
            base = f"include/{name}"
            files |= read_files(self._folder, self._folder.files(base), base, self._constants)
        return files
