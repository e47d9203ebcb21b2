"""What ``problem.yaml`` says, in both formats, and the files beside it that give a time limit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from evaluator_service.kattis.folder import Folder, PackageError
from evaluator_service.kattis.section import Section, as_number, read_section
from evaluator_service.problem import Limits

LEGACY_VERSIONS = ("legacy", "legacy-icpc")
VERSIONS = (*LEGACY_VERSIONS, "2023-07-draft", "2023-07", "2025-09-draft", "2025-09", "draft")

_MEBIBYTE_BYTES = 1 << 20
_LEAST_MEMORY_BYTES = 16 * _MEBIBYTE_BYTES
_NOT_JUDGED = {
    "multi-pass": "several runs for each test are not supported",
    "submit-answer": "there is no program to run",
}
_DOMJUDGE_TIME_LIMIT = re.compile(
    r"""^\s*timelimit\s*=\s*["']?\s*([^"'\s]*)""", re.IGNORECASE | re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Timing:
    """How a package comes to its time limit.

    Attributes:
        limit_seconds: As it is given; None if it follows from the slowest accepted submission.
        multiplier: How many times as long as that submission the limit is, at least.
        resolution_seconds: The limit is a multiple of it, and at least once that.
    """

    limit_seconds: float | None
    multiplier: float
    resolution_seconds: float


@dataclass(frozen=True, slots=True)
class Metadata:
    """What is said of the problem as a whole.

    Attributes:
        legacy: Whether the package has the old format.
        scoring: Whether submissions earn points.
        interactive: Whether the output validator talks with the submission.
        custom: Whether an output validator decides; None if it does where there is one.
        custom_score: Whether a validator of the old format gives scores.
        arguments: Of the output validator.
        limits: Those that the package gives.
        timing: How the time limit is found.
        grading: How the tests of the old format are graded where their groups do not say so.
        constants: What ``{{name}}`` stands for in programs.
    """

    legacy: bool
    scoring: bool
    interactive: bool
    custom: bool | None
    custom_score: bool
    arguments: tuple[str, ...]
    limits: Limits
    timing: Timing
    grading: Section
    constants: Mapping[str, str] = field(default_factory=dict)


def read_metadata(folder: Folder) -> Metadata:
    """Read what is said of the problem as a whole.

    Raises:
        PackageError: If it cannot be read, or the problem is of a type that cannot be judged.
    """
    if not folder.is_file("problem.yaml") and not folder.is_file("domjudge-problem.ini"):
        raise PackageError("problem.yaml: not there; is this the folder of a problem package?")
    content = read_section(folder, "problem.yaml")
    version = content.text("problem_format_version", "legacy")
    if version not in VERSIONS:
        raise content.fault(
            "problem_format_version", f"is '{version}', not one of: {', '.join(VERSIONS)}"
        )
    legacy = version in LEGACY_VERSIONS
    types, validation = _types(content), _validation(content)
    key = "output_validator_args" if "output_validator_args" in content else "validator_flags"
    return Metadata(
        legacy=legacy,
        scoring="scoring" in types,
        interactive="interactive" in (*types, *validation),
        custom="custom" in validation if legacy else None,
        custom_score="score" in validation,
        arguments=content.words(key),
        limits=_limits(content.section("limits")),
        timing=_timing(folder, content.section("limits"), legacy),
        grading=_grading(content),
        constants=_constants(content.section("constants")),
    )


def _types(content: Section) -> tuple[str, ...]:
    types = content.words("type") or ("pass-fail",)
    for each in types:
        if each in _NOT_JUDGED:
            raise content.fault("type", f"is '{each}': {_NOT_JUDGED[each]}")
        if each not in ("pass-fail", "scoring", "interactive"):
            raise content.fault("type", f"is '{each}', which no version of the format knows")
    return types


def _validation(content: Section) -> tuple[str, ...]:
    words = content.words("validation") or ("default",)
    if "multi-pass" in words:
        raise content.fault("validation", f"is 'multi-pass': {_NOT_JUDGED['multi-pass']}")
    unknown = set(words) - {"default", "custom", "score", "interactive"}
    if unknown:
        raise content.fault("validation", f"has '{sorted(unknown)[0]}', which it does not know")
    return words


def _grading(content: Section) -> Section:
    if isinstance(content.any("grading"), str):  # seen in old packages, where the groups say it
        return Section(content.file, {}, {})
    grading = content.section("grading")
    if grading.text("objective", "max") != "max":
        raise grading.fault("objective", "must be 'max': fewer points cannot be the better ones")
    return grading


def _constants(section: Section) -> dict[str, str]:
    return {name: section.text(name) for name in section}


def _limits(section: Section) -> Limits:
    """What the wire knows of them; the limits of validators are the judge's own."""
    given: dict[str, Any] = {}
    if (memory := section.number("memory")) is not None:
        given["memory_bytes"] = max(int(memory * _MEBIBYTE_BYTES), _LEAST_MEMORY_BYTES)
    if (output := section.number("output")) is not None:
        given["output_bytes"] = max(int(output * _MEBIBYTE_BYTES), 1)
    if (compilation := section.number("compilation_time")) is not None:
        given["compile_time_seconds"] = compilation
    return Limits(**given)


def _timing(folder: Folder, section: Section, legacy: bool) -> Timing:
    multipliers = section.section("time_multipliers")
    multiplier = multipliers.number("ac_to_time_limit") or section.number("time_multiplier")
    return Timing(
        limit_seconds=section.number("time_limit") or _time_limit_beside(folder),
        multiplier=multiplier or (5.0 if legacy else 2.0),
        resolution_seconds=section.number("time_resolution") or 1.0,
    )


def _time_limit_beside(folder: Folder) -> float | None:
    """What older tools left in files of their own."""
    if folder.is_file(".timelimit"):
        return _seconds(".timelimit", folder.text(".timelimit").strip())
    if folder.is_file("domjudge-problem.ini"):
        found = _DOMJUDGE_TIME_LIMIT.search(folder.text("domjudge-problem.ini"))
        return _seconds("domjudge-problem.ini", found[1]) if found else None
    return None


def _seconds(file: str, text: str) -> float:
    seconds = as_number(text)
    if seconds is None or seconds <= 0:
        raise PackageError(f"{file}: the time limit must be a positive number, not {text!r}")
    return seconds
