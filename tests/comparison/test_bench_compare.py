"""``microcoder bench compare`` measures what it says: pairs that are right or wrong, and hostile ones."""

from __future__ import annotations

import pytest

from evaluator_service.bench import compare
from evaluator_service.bench.report import table

WRONG = {"last word wrong", "every word wrong", "last decimal wrong"}


@pytest.mark.parametrize("pair", compare.ordinary_pairs(), ids=lambda pair: pair.name)
def test_an_ordinary_pair_is_what_its_name_says(pair: compare.Pair) -> None:
    assert compare.GRADERS["ours_flexible"](pair) is (pair.name not in WRONG)


@pytest.mark.parametrize("pair", compare.hostile_pairs(), ids=lambda pair: pair.name)
def test_a_hostile_pair_is_refused(pair: compare.Pair) -> None:
    assert compare.GRADERS["ours_flexible"](pair) is (pair.name == "100,000 decimal places")


def test_every_grader_has_a_row_for_every_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare, "ROUNDS_COUNT", 1)
    found = compare.measure()
    pairs = [*compare.ordinary_pairs(), *compare.hostile_pairs()]
    rows = {(row["workload"], row["grader"]) for row in found["rows"]}
    assert rows == {(pair.name, grader) for pair in pairs for grader in compare.GRADERS}
    assert table(found).row_count == len(rows)
