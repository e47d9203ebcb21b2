"""Flavours of jails: which packages a zygote has imported before any program asks for them.

Every jail can import every package of ``packages``; a flavour decides which one is there already, because
importing numpy takes longer than most tests take to run. Chosen by the imports found in a program's text:
a wrong guess costs time, never a verdict.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution

BASE = "base"

_IMPORT = re.compile(rb"^[ \t]*+(?:from|import)[ \t]++([^\n#;]++)", re.MULTILINE)
_REQUIREMENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True, slots=True)
class Flavours:
    """The packages that jails have.

    Attributes:
        packages: Names of installed distributions, each also a flavour; later ones win where a program
            imports several.
    """

    packages: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All flavours, the plain one first."""
        return (BASE, *self.packages)

    def choose(self, text: bytes) -> str:
        """The flavour that suits a program's text; reads it as bytes, and takes linear time."""
        imported = set(_imported_roots(text)) if self.packages else set()
        wanted = [name for name in self.packages if module_of(name).encode() in imported]
        return wanted[-1] if wanted else BASE


def _imported_roots(text: bytes) -> Iterator[bytes]:
    for match in _IMPORT.finditer(text):
        for part in match[1].split(b","):
            yield part.strip().partition(b" ")[0].partition(b".")[0]


@cache
def module_of(package: str) -> str:
    """The module that a distribution is imported as; remembered, since reading it takes longer than judging."""
    top_level = distribution(package).read_text("top_level.txt")
    names = top_level.split() if top_level else []
    return names[0] if names else package.replace("-", "_")


def installed(packages: Iterable[str]) -> Flavours:
    """The flavours that can be had: those whose distribution is installed beside the judge."""
    return Flavours(tuple(name for name in packages if _find(name) is not None))


def with_requirements(packages: Iterable[str]) -> list[Distribution]:
    """The distributions and what they require, each once; optional requirements are left out."""
    found: dict[str, Distribution] = {}
    waiting = list(packages)
    while waiting:
        name = waiting.pop()
        known = _find(name)
        if known is None or known.name in found:
            continue
        found[known.name] = known
        for requirement in known.requires or ():
            match = _REQUIREMENT.match(requirement)
            if match and "extra ==" not in requirement:
                waiting.append(match[0])
    return [found[name] for name in sorted(found)]


def _find(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None
