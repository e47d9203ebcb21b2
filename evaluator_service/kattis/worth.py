"""What a test is worth: points, and the tests it counts together with.

That is all the wire can say of scores: a weight, and a group whose tests all earn as the one that earned least.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evaluator_service.kattis.section import Section, as_number
from evaluator_service.kattis.testdata import Group

NEGLIGIBLE = 1_000_000
"""A test without points weighs this part of all points: a weight of nothing is not to be had."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What one test is worth.

    Attributes:
        name: The test's name.
        points: What it adds if it is accepted, together with its group; 0 for most samples.
        group: The tests that count only together; None for a test by itself.
        best: The best score that a validator can give it, before its group makes points of it; 0 if it gives none.
    """

    name: str
    points: float
    group: str | None = None
    best: float = 0.0


@dataclass(frozen=True, slots=True)
class Scoring:
    """What all tests are worth, in the order of judging.

    Attributes:
        worths: One for each test.
        departures: In what the points are not the package's, a sentence each.
    """

    worths: tuple[Worth, ...]
    departures: tuple[str, ...] = ()

    @property
    def points(self) -> float:
        """What can be earned in all."""
        return sum(worth.points for worth in self.worths)

    def weight(self, worth: Worth) -> float:
        """A test's weight on the wire."""
        return worth.points or (self.points or 1.0) / NEGLIGIBLE


class LeftOutError(Exception):
    """Scores that the wire cannot say; the message says which."""


def together(worths: Sequence[Worth], points: float, group: str) -> list[Worth]:
    """These tests as one group, which earns these points as far as its worst test does."""
    each = points / len(worths) if worths else 0.0
    return [replace(worth, points=each, group=group) for worth in worths]


def joined(parts: Sequence[Sequence[Worth]], mode: str, group: Group) -> list[Worth]:
    """The parts of a group, each test worth what it adds to the group.

    Args:
        parts: The tests of each part.
        mode: How the scores of the parts become the group's: ``sum``, ``avg``, ``min``, ``max``.
        group: The group.

    Raises:
        LeftOutError: If what one test adds depends on others.
    """
    worths = [worth for part in parts for worth in part]
    match mode:
        case "sum":
            return worths
        case "avg":
            return [replace(worth, points=worth.points / len(parts)) for worth in worths]
        case "min" if all(map(_is_together, parts)):
            least = min((sum(worth.points for worth in part) for part in parts), default=0.0)
            return together(worths, least, group.label)
        case _ if len(parts) == 1:
            return worths
    raise LeftOutError(f"{group.place}: its score is the {mode} of several scores")


def points_said(settings: Section, key: str) -> float | None:
    """A number of points in the settings of a group, if there is one.

    Raises:
        PackageError: If it is no such number.
    """
    if key not in settings:
        return None
    number = as_number(settings.any(key))
    if number is None or number < 0:
        raise settings.fault(key, "must be a number of points, 0 or more")
    return number


def _is_together(part: Sequence[Worth]) -> bool:
    groups = {worth.group for worth in part}
    return len(part) == 1 or (len(groups) == 1 and None not in groups)
