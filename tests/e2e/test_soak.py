"""Small versions of ``make soak``: load and kills bring about no wrong verdict, and leave nothing behind."""

from __future__ import annotations

import pytest

from benchmarks.soak_kills import soak_with_kills
from benchmarks.soak_load import soak_under_load

pytestmark = [pytest.mark.nsjail, pytest.mark.timeout(600)]

SEED = 20


def test_under_load_every_verdict_is_right_and_nothing_piles_up() -> None:
    report = soak_under_load(150, SEED)
    assert report.wrong == ()
    assert report.leaks == []
    assert report.verdicts.total() == 150


def test_whatever_is_killed_no_verdict_is_wrong_and_nothing_lives_on() -> None:
    report = soak_with_kills(12, SEED)
    assert report.wrong == []
    assert report.left == []
    assert report.answers["expected"] > 0
