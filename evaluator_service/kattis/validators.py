"""Who decides whether an output is right: the default validator's flags, or a program of the package.

A package's own validator speaks the protocol of the format (exit status 42 or 43), unless ``microcoder.yaml``, a file
of ours beside ``problem.yaml``, says ``output_validator_protocol: testlib``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evaluator_service.kattis.folder import Folder, PackageError
from evaluator_service.kattis.metadata import Metadata
from evaluator_service.kattis.programs import (
    KNOWN_LANGUAGES,
    NoProgramError,
    Source,
    as_program,
    is_source,
    read_files,
)
from evaluator_service.kattis.section import as_number, read_section
from evaluator_service.kattis.testdata import Case
from evaluator_service.kattis.worth import Scoring
from evaluator_service.policy import Comparison

OURS = "microcoder.yaml"

_OF_ONE, _OF_SEVERAL = "output_validator", "output_validators"
_FOLDERS = (_OF_ONE, _OF_SEVERAL)
_SCRIPTS = ("build", "run")
_PROTOCOLS = ("kattis", "testlib")
_TOLERANCES = {
    "float_tolerance": ("absolute_tolerance", "relative_tolerance"),
    "float_absolute_tolerance": ("absolute_tolerance",),
    "float_relative_tolerance": ("relative_tolerance",),
}
_SWITCHES = {"case_sensitive": "case", "space_change_sensitive": "whitespace"}


def decision(
    folder: Folder, metadata: Metadata, cases: Sequence[Case], scoring: Scoring
) -> dict[str, Any]:
    """The fields of a Problem that say who decides.

    Raises:
        PackageError: If that cannot be read, or is not supported.
    """
    place = _folder_of_validator(folder)
    custom = place is not None if metadata.custom is None else metadata.custom
    if not custom and not metadata.interactive:
        return {"comparison": comparison(_same_for_all(cases))}
    if place is None:
        raise PackageError(
            f"{_OF_SEVERAL}: no output validator is there, and problem.yaml wants one"
        )
    source = _validator(folder, place, metadata)
    ours = read_section(folder, OURS)
    protocol = ours.text("output_validator_protocol", "kattis")
    if protocol not in _PROTOCOLS:
        raise ours.fault("output_validator_protocol", f"must be one of: {', '.join(_PROTOCOLS)}")
    program: dict[str, Any] = {
        "protocol": protocol,
        "language": source.language,
        "code": source.code,
        "files": dict(source.files),
        "file_name": source.file_name,
        "arguments": [] if differ(cases) else list(cases[0].arguments),
    }
    if metadata.scoring:
        program["max_score"] = ours.number("max_score") or _best_score(source, scoring, place)
    return {"interactor" if metadata.interactive else "checker": program}


def comparison(flags: Sequence[str]) -> Comparison:
    """The flags of the format's default validator as a comparison.

    Raises:
        PackageError: If it has no such flag, or a tolerance is no number.
    """
    fields: dict[str, Any] = {"profile": "kattis"}
    rest = iter(flags)
    for flag in rest:
        if flag in _SWITCHES:
            fields[_SWITCHES[flag]] = "strict"
        elif flag in _TOLERANCES:
            tolerance = as_number(next(rest, None))
            if tolerance is None or tolerance < 0:
                raise PackageError(f"output validator flag '{flag}': needs a number, 0 or more")
            fields |= dict.fromkeys(_TOLERANCES[flag], tolerance)
        else:
            raise PackageError(
                f"output validator flag '{flag}': the default validator has none such"
            )
    return Comparison(**fields)


def differ(cases: Sequence[Case]) -> bool:
    """Whether the validator gets other arguments for some tests than for others."""
    return any(case.arguments != cases[0].arguments for case in cases)


def _same_for_all(cases: Sequence[Case]) -> tuple[str, ...]:
    first = cases[0]
    for case in cases:
        if case.arguments != first.arguments:
            raise PackageError(
                f"{case.file}: the default output validator gets other flags "
                f"({' '.join(case.arguments) or 'none'}) than for {first.file} "
                f"({' '.join(first.arguments) or 'none'}); only the same for all tests are supported"
            )
    return first.arguments


def _folder_of_validator(folder: Folder) -> str | None:
    return next((name for name in _FOLDERS if folder.entries(name)), None)


def _validator(folder: Folder, place: str, metadata: Metadata) -> Source:
    base = _base_of_the_only_one(folder, place)
    for script in _SCRIPTS:
        if folder.is_file(f"{base}/{script}"):
            raise PackageError(
                f"{base}/{script}: validators that build or run themselves are not supported"
            )
    try:
        source = as_program(read_files(folder, folder.files(base), base, metadata.constants))
    except NoProgramError as error:
        raise PackageError(f"{base}: {error}") from None
    if source.language not in KNOWN_LANGUAGES:
        raise PackageError(f"{base}: validators in {source.language} are not supported")
    return source


def _base_of_the_only_one(folder: Folder, place: str) -> str:
    """The folder of the program below ``place``: its only folder, or ``place`` itself.

    In ``output_validators/`` every source file is a program; headers beside a single one are taken for its own.
    """
    entries = folder.entries(place)
    folders = [entry for entry in entries if folder.is_folder(entry)]
    sources = [entry for entry in entries if folder.is_file(entry) and is_source(entry)]
    if len(folders) == 1 and not sources:
        return folders[0]
    programs_count = len(folders) + len(sources) if place == _OF_SEVERAL or not sources else 1
    if programs_count > 1:
        raise PackageError(f"{place}: several output validators, where one is supported")
    return place


def _best_score(source: Source, scoring: Scoring, place: str) -> float:
    """The score that counts as whole: of a validator that gives no scores, or shares, it is 1."""
    if not any("score.txt" in text for text in (source.code, *source.files.values())):
        return 1.0
    best = {round(worth.best, 6) for worth in scoring.worths if worth.best}
    if len(best) > 1:
        named = ", ".join(f"{each:g}" for each in sorted(best))
        raise PackageError(
            f"{place}: gives scores, and the best one is not the same for all tests ({named})"
        )
    return best.pop() if best else 1.0
