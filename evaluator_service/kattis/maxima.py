"""Points in the new format: the most that each group can earn, handed down to its tests."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator_service.kattis.folder import PackageError
from evaluator_service.kattis.section import Section
from evaluator_service.kattis.testdata import SECRET, Case, Group
from evaluator_service.kattis.worth import Worth, joined, points_said, together

DEFAULT_POINTS = 100.0


def handed_down(root: Group, departures: list[str]) -> Sequence[Worth]:
    """What each test of ``secret`` is worth; what is not exactly so is added to ``departures``.

    Raises:
        LeftOutError: If that cannot be said.
        PackageError: If the settings of a group make no sense.
    """
    for child in root.children:
        if isinstance(child, Group) and child.name == SECRET:
            said = _maximum(child)
            return _spread(child, DEFAULT_POINTS if said is None else said, "sum", departures)
    return []


def _spread(group: Group, points: float, usual: str, departures: list[str]) -> Sequence[Worth]:
    settings = _settings(group)
    if "require_pass" in settings:
        departures.append(f"{group.place}: it has points here though a group that it needs fails")
    mode = settings.text(_key(settings, "score_aggregation", "aggregation"), usual)
    if mode == "pass-fail":
        return together([Worth(case.name, 0.0) for case in group.cases()], points, group.label)
    if mode not in ("sum", "min"):
        raise settings.fault("score_aggregation", f"is '{mode}', not pass-fail, sum or min")
    shares = _shares(group, points) if mode == "sum" else [points] * len(group.children)
    parts = [
        [Worth(child.name, share, best=share)]
        if isinstance(child, Case)
        else _spread(child, share, "pass-fail", departures)
        for child, share in zip(group.children, shares, strict=True)
    ]
    return joined(parts, mode, group)


def _shares(group: Group, points: float) -> list[float]:
    """The most points of each child: as it says, and what is left evenly among the others."""
    said = [None if isinstance(child, Case) else _maximum(child) for child in group.children]
    left = points - sum(each for each in said if each is not None)
    if left < -1e-9 * points:
        raise PackageError(f"{group.place}: its groups have more points than its {points:g}")
    return [max(left, 0.0) / said.count(None) if each is None else each for each in said]


def _maximum(group: Group) -> float | None:
    settings = _settings(group)
    key = _key(settings, "max_score", "score")
    if settings.any(key) == "unbounded":
        raise settings.fault(key, "is 'unbounded': which score is the best?")
    return points_said(settings, key)


def _settings(group: Group) -> Section:
    """A group's own settings; drafts of the format had those of the score in a mapping."""
    return group.settings.section("scoring").over(group.settings)


def _key(settings: Section, now: str, in_drafts: str) -> str:
    return in_drafts if in_drafts in settings and now not in settings else now
