"""The points of a package's tests, in whichever format they are said.

Where they do not fit into weights and groups, every test counts alike. Accepted stays what it is in any case: every
test is.
"""

from __future__ import annotations

from evaluator_service.kattis.graders import graded, refuse_graders
from evaluator_service.kattis.maxima import handed_down
from evaluator_service.kattis.metadata import Metadata
from evaluator_service.kattis.testdata import SAMPLE, Group
from evaluator_service.kattis.worth import LeftOutError, Scoring, Worth


def score(root: Group, metadata: Metadata) -> Scoring:
    """What the tests are worth; one point each where the problem has no points.

    Raises:
        PackageError: If a problem without points decides otherwise than by every test, or the settings of a group
            make no sense.
    """
    names = [case.name for case in root.cases()]
    if not metadata.scoring:
        if metadata.legacy:
            refuse_graders(root)
        return Scoring(tuple(Worth(name, 1.0) for name in names))
    departures: list[str] = []
    try:
        found = (
            graded(root, metadata, departures) if metadata.legacy else handed_down(root, departures)
        )
    except LeftOutError as error:
        alike = (Worth(name, 0.0 if name.startswith(f"{SAMPLE}/") else 1.0) for name in names)
        return Scoring(tuple(alike), (f"{error}: every test has the same points here",))
    by_name = {worth.name: worth for worth in found}
    worths = tuple(by_name.get(name, Worth(name, 0.0)) for name in names)
    return Scoring(worths, tuple(departures))
