"""The tests below ``data/``: a tree of groups, as the package lays them out, in the order of judging.

Groups and tests are sorted together by their names, and ``sample`` comes before ``secret``. Folders beside these two
hold what validators are tried on, and are passed over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from evaluator_service.kattis.folder import Folder, PackageError
from evaluator_service.kattis.metadata import Metadata
from evaluator_service.kattis.section import Section, read_section

ROOT = "data"
SAMPLE, SECRET = "sample", "secret"

_GROUP_FILES = ("test_group.yaml", "testdata.yaml")
_INHERITED = ("args", "output_validator_args", "output_validator_flags")


@dataclass(frozen=True, slots=True)
class Case:
    """One test.

    Attributes:
        name: Its path below ``data/``, without an ending: ``secret/group1/03``.
        input: What the program reads.
        answer: What the package holds beside it; None if there is no such file.
        arguments: Of the output validator, for this test.
    """

    name: str
    input: str
    answer: str | None
    arguments: tuple[str, ...]

    @property
    def file(self) -> str:
        """The file of its input."""
        return f"{ROOT}/{self.name}.in"


@dataclass(frozen=True, slots=True)
class Group:
    """A folder of tests.

    Attributes:
        name: Its path below ``data/``; empty for ``data/`` itself.
        settings: What its YAML file says; in the old format also what it inherits.
        children: Tests and groups, in the order of judging.
    """

    name: str
    settings: Section
    children: tuple[Case | Group, ...]

    @property
    def place(self) -> str:
        """Its folder in the package."""
        return f"{ROOT}/{self.name}".removesuffix("/")

    @property
    def label(self) -> str:
        """What the tests that count only together are called."""
        return self.name or ROOT

    def cases(self) -> Iterator[Case]:
        """All tests in it and below, in the order of judging."""
        for child in self.children:
            if isinstance(child, Case):
                yield child
            else:
                yield from child.cases()


def read_testdata(folder: Folder, metadata: Metadata) -> Group:
    """Read all tests.

    Raises:
        PackageError: If there are none, one cannot be read, or one asks for what the judge does not do.
    """
    if folder.is_folder(f"{ROOT}/{SAMPLE}") or folder.is_folder(f"{ROOT}/{SECRET}"):
        root = _Reader(folder, metadata).group("", metadata.grading)
        if any(True for _ in root.cases()):
            return root
    raise PackageError(f"{ROOT}: no tests in {SAMPLE}/ or {SECRET}/ (a test is a file NAME.in)")


class _Reader:
    def __init__(self, folder: Folder, metadata: Metadata) -> None:
        self._folder = folder
        self._metadata = metadata

    def group(self, name: str, inherited: Section) -> Group:
        """A group and all below it."""
        place = f"{ROOT}/{name}".removesuffix("/")
        own = self._own_settings(place)
        known = own.over(inherited)
        if self._metadata.legacy:
            settings, passed_on = known, known
        else:
            settings, passed_on = own, known.only(_INHERITED)
        children = [self._child(entry, passed_on) for entry in self._entries(place)]
        return Group(name, settings, tuple(children))

    def _own_settings(self, place: str) -> Section:
        for name in _GROUP_FILES:
            file = f"{place}/{name}"
            if self._folder.is_file(file):
                settings = read_section(self._folder, file)
                for key in ("static_validation_score", "static_validation"):
                    if settings.any(key) not in (None, False):
                        raise settings.fault(key, "is not supported: no source is validated")
                return settings
        return Section(place, {}, {})

    def _entries(self, place: str) -> list[str]:
        """The paths of groups and inputs in a folder, sorted by their names without ending."""
        found = self._folder.entries(place)
        if place == ROOT:
            found = [path for path in found if PurePosixPath(path).name in (SAMPLE, SECRET)]
        for path in found:
            if path.endswith((".files", ".args")):
                raise PackageError(f"{path}: files and arguments of a test are not supported")
        chosen = [path for path in found if path.endswith(".in") or self._folder.is_folder(path)]
        return sorted(chosen, key=lambda path: path.removesuffix(".in"))

    def _child(self, path: str, inherited: Section) -> Case | Group:
        name = path.removeprefix(f"{ROOT}/")
        if self._folder.is_folder(path):
            return self.group(name, inherited)
        return self._case(name.removesuffix(".in"), inherited)

    def _case(self, name: str, inherited: Section) -> Case:
        place = f"{ROOT}/{name}"
        settings = read_section(self._folder, f"{place}.yaml").over(inherited)
        if settings.words("args"):
            raise settings.fault("args", "of a test are not supported: programs get no arguments")
        answer = self._folder.text(f"{place}.ans") if self._folder.is_file(f"{place}.ans") else None
        return Case(name, self._folder.text(f"{place}.in"), answer, self._arguments(settings))

    def _arguments(self, settings: Section) -> tuple[str, ...]:
        """Those of the output validator; the old format adds a group's to the problem's."""
        if "output_validator_args" in settings:
            return settings.words("output_validator_args")
        flags = _flags(settings)
        if self._metadata.legacy:
            return (*self._metadata.arguments, *flags)
        return flags or self._metadata.arguments


def _flags(settings: Section) -> tuple[str, ...]:
    """``output_validator_flags``: a text, or a mapping with the validator's name."""
    if isinstance(settings.any("output_validator_flags"), dict):
        return settings.section("output_validator_flags").words("flags")
    return settings.words("output_validator_flags")
