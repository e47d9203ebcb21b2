"""Points in the old format: the default grader, which each group may give flags.

A group is accepted if all of its parts are, unless its flags are more generous, and one that is not accepted has no
points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from evaluator_service.kattis.metadata import Metadata
from evaluator_service.kattis.section import as_number
from evaluator_service.kattis.testdata import SAMPLE, Case, Group
from evaluator_service.kattis.worth import LeftOutError, Worth, joined, points_said, together

_GENEROUS = frozenset({"always_accept", "accept_if_any_accepted"})
_MODES = ("sum", "avg", "min", "max")


class _Needs(Enum):
    """What a part needs in order to be accepted."""

    ALL = "all of its tests"
    SOME = "some of its tests, or none"


@dataclass(frozen=True, slots=True)
class _Part:
    worths: Sequence[Worth]
    needs: _Needs


def refuse_graders(group: Group) -> None:
    """Refuse what, in a problem without points, decides otherwise than by every test.

    Raises:
        PackageError: If a program of the package's own decides, or a group passes although a test in it fails.
    """
    settings = group.settings
    if _has_own_grader(group):
        raise settings.fault("grading", "is 'custom': a grader of the package's own is not run")
    if _GENEROUS & set(settings.words("grader_flags")):
        raise settings.fault("grader_flags", "accept although a test fails: not supported")
    for child in group.children:
        if isinstance(child, Group):
            refuse_graders(child)


def _has_own_grader(group: Group) -> bool:
    return group.settings.text("grading", "default") != "default"


def graded(root: Group, metadata: Metadata, departures: list[str]) -> Sequence[Worth]:
    """What each test adds to the score of the whole; what is not exactly so is added to ``departures``.

    Raises:
        LeftOutError: If that cannot be said.
        PackageError: If points are no numbers.
    """
    return _group(root, metadata, departures).worths


def _group(group: Group, metadata: Metadata, departures: list[str]) -> _Part:
    flags = group.settings.words("grader_flags")
    if _has_own_grader(group):
        raise LeftOutError(f"{group.place}: a grader of the package's own, which is not run")
    if points_said(group.settings, "reject_score"):
        raise LeftOutError(f"{group.place}: a test that fails has points")
    counted = [
        child for child in group.children if "ignore_sample" not in flags or child.name != SAMPLE
    ]
    parts = [
        _group(child, metadata, departures)
        if isinstance(child, Group)
        else _Part([_worth(child, group, metadata)], _Needs.ALL)
        for child in counted
    ]
    mode = next((flag for flag in reversed(flags) if flag in _MODES), "sum")
    worths = joined([part.worths for part in parts], mode, group)
    if _GENEROUS & set(flags):
        return _Part(worths, _Needs.SOME)
    if metadata.custom_score and mode != "min" and len(parts) > 1:
        departures.append(f"{group.place}: its score follows from its worst test here")
    return _strictly(group, parts, worths, departures)


def _strictly(
    group: Group, parts: Sequence[_Part], worths: Sequence[Worth], departures: list[str]
) -> _Part:
    """A group that is accepted if all of its parts are."""
    if all(part.needs is _Needs.ALL for part in parts):
        whole = sum(worth.points for worth in worths)
        return _Part(together(worths, whole, group.label), _Needs.ALL)
    if len(parts) > 1:
        departures.append(f"{group.place}: one of its parts has points here though another fails")
    return _Part(worths, _Needs.SOME)


def _worth(case: Case, group: Group, metadata: Metadata) -> Worth:
    """A test of a group by itself."""
    if metadata.custom_score:
        top = _top_of_range(group)
        return Worth(case.name, top, best=top)
    said = points_said(group.settings, "accept_score")
    return Worth(case.name, 1.0 if said is None else said)


def _top_of_range(group: Group) -> float:
    """The most that a validator can give one test."""
    settings = group.settings
    ends = settings.text("range").split()
    top = as_number(ends[-1]) if len(ends) == 2 else None
    if top is None:
        raise settings.fault("range", "needs an upper end: which score is the best?")
    alone = {"min", "max", "avg"} & set(settings.words("grader_flags"))
    return top if alone else top / sum(isinstance(child, Case) for child in group.children)
