"""A mapping in a YAML file: its values, checked for their type, each with the line where it stands."""

from __future__ import annotations

import math
import shlex
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import yaml

from evaluator_service.kattis.folder import Folder, PackageError


class Section:
    """A mapping with its place. Keys that stand there empty are as good as not there."""

    def __init__(self, file: str, values: Mapping[Any, Any], places: Mapping[Any, str]) -> None:
        self.file = file
        self._values = {key: value for key, value in values.items() if value is not None}
        self._places = dict(places)

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(map(str, self._values))

    def over(self, other: Section) -> Section:
        """This section, with what it lacks from another."""
        values, places = other._values | self._values, other._places | self._places
        return Section(self.file, values, places)

    def only(self, keys: Collection[str]) -> Section:
        """This section, with no keys but these."""
        values = {key: value for key, value in self._values.items() if key in keys}
        return Section(self.file, values, self._places)

    def fault(self, key: str, why: str) -> PackageError:
        """An error that names the place of a key."""
        return PackageError(f"{self._places.get(key, self.file)}: `{key}` {why}")

    def any(self, key: str) -> Any:
        """A value as YAML has it; None if it is not there."""
        return self._values.get(key)

    def text(self, key: str, default: str = "") -> str:
        """A scalar as text.

        Raises:
            PackageError: If it is a list or a mapping.
        """
        value = self._values.get(key, default)
        if isinstance(value, list | dict):
            raise self.fault(key, "must be a text")
        return str(value)

    def flag(self, key: str) -> bool:
        """Whether a value is true; False if it is not there.

        Raises:
            PackageError: If it is neither true nor false.
        """
        value = self._values.get(key, False)
        if not isinstance(value, bool):
            raise self.fault(key, "must be true or false")
        return value

    def number(self, key: str) -> float | None:
        """A positive number, also one written as a text (``1e-6`` is one to YAML).

        Raises:
            PackageError: If it is none.
        """
        if key not in self._values:
            return None
        number = as_number(self._values[key])
        if number is None or number <= 0:
            raise self.fault(key, f"must be a positive number, not {self._values[key]!r}")
        return number

    def words(self, key: str) -> tuple[str, ...]:
        """A list of texts, or one text split into words as a shell does it.

        Raises:
            PackageError: If it is neither.
        """
        value = self._values.get(key, [])
        if isinstance(value, list) and not any(isinstance(each, list | dict) for each in value):
            return tuple(map(str, value))
        if isinstance(value, list | dict):
            raise self.fault(key, "must be a list of texts")
        try:
            return tuple(shlex.split(str(value)))
        except ValueError as error:
            raise self.fault(key, f"cannot be split into words: {error}") from None

    def section(self, key: str) -> Section:
        """A mapping within this one; an empty one if it is not there.

        Raises:
            PackageError: If it is something else.
        """
        value = self._values.get(key, _Lined())
        if not isinstance(value, _Lined):
            raise self.fault(key, "must be a mapping")
        return _section(self.file, value)


def as_number(value: Any) -> float | None:
    """A finite number, or a text that is one; else None."""
    try:
        number = float(value) if isinstance(value, int | float | str) else math.nan
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) and not isinstance(value, bool) else None


def read_section(folder: Folder, file: str) -> Section:
    """The mapping that a YAML file holds; an empty one if there is no such file.

    Raises:
        PackageError: If it is no YAML, or no mapping.
    """
    if not folder.is_file(file):
        return Section(file, {}, {})
    # names of people in other encodings are in the way of nothing that is read here
    text = folder.text(file, errors="replace")
    try:
        content = yaml.load(text, _Loader)  # noqa: S506 - a safe loader that notes lines
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f"{file}:{mark.line + 1}" if mark else file
        raise PackageError(f"{where}: not YAML: {error.problem or error.context}") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise PackageError(f"{file}: not YAML: {error}") from None
    if content is None:
        return Section(file, {}, {})
    if not isinstance(content, _Lined):
        raise PackageError(f"{file}: must be a mapping")
    return _section(file, content)


class _Lined(dict[Any, Any]):
    """A mapping that knows the line of each of its keys, from 1."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[Any, int] = {}


class _Loader(yaml.SafeLoader):
    """The safe loader; its mappings know their lines."""


def _lined(loader: _Loader, node: yaml.MappingNode) -> Iterator[_Lined]:
    mapping = _Lined()
    yield mapping  # first, so that a mapping may hold itself
    mapping.update(loader.construct_mapping(node))
    for key_node, _ in node.value:
        mapping.lines[loader.construct_object(key_node)] = key_node.start_mark.line + 1


_Loader.add_constructor("tag:yaml.org,2002:map", _lined)


def _section(file: str, mapping: _Lined) -> Section:
    return Section(file, mapping, {key: f"{file}:{line}" for key, line in mapping.lines.items()})
