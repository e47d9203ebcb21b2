"""The hand-labelled pairs of tricky outputs beside the checkout, where they are there."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from evaluator_service.compare_cli import answers, compare_lines
from evaluator_service.profiles import TRAITS

MAX_WRONG_REJECTS_COUNT = 2
_SHARED_DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
PAIRS = Path(os.environ.get("MICROCODER_SHARED_DATA", _SHARED_DATA)) / "pairs.jsonl"

EXACT = ("strict", "dmoj", "livecodebench")
LENIENT = ("apps", "taco", "microcoder")


@pytest.fixture(scope="module")
def lines() -> list[str]:
    """The pairs, one JSON object a line."""
    if not PAIRS.exists():
        pytest.skip(f"no labelled pairs at {PAIRS}; set MICROCODER_SHARED_DATA to their folder")
    return PAIRS.read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def scores(lines: list[str]) -> dict[tuple[str, str], dict[str, Any]]:
    """How often each profile is wrong, by profile and kind of outputs."""
    (table,) = answers(lines, None, as_json=True)
    return {(row["profile"], row["outputs"]): row for row in json.loads(table)}


def test_no_wrong_output_is_accepted(lines: list[str]) -> None:
    assert _of_flexible(lines, want="reject", matched=True) == []


def test_hardly_a_right_output_is_rejected(lines: list[str]) -> None:
    wrong = _of_flexible(lines, want="accept", matched=False)
    assert len(wrong) <= MAX_WRONG_REJECTS_COUNT, wrong


def _of_flexible(lines: list[str], *, want: str, matched: bool) -> list[str]:
    said = zip(map(json.loads, lines), compare_lines(lines), strict=True)
    return [
        pair["id"] for pair, result in said if pair["want"] == want and result["matched"] is matched
    ]


def test_every_profile_is_scored_on_all_that_it_can_compare(
    scores: dict[tuple[str, str], dict[str, Any]],
) -> None:
    assert set(scores) == {
        (profile, outputs) for profile, traits in TRAITS.items() for outputs in traits.outputs
    }
    for outputs in ("texts", "values"):
        assert len({row["pairs_count"] for key, row in scores.items() if key[1] == outputs}) == 1


def test_exact_profiles_reject_what_is_right_and_lenient_ones_accept_what_is_wrong(
    scores: dict[tuple[str, str], dict[str, Any]],
) -> None:
    accepts = {name: scores[name, "texts"]["wrong_accepts_count"] for name in (*EXACT, *LENIENT)}
    rejects = {name: scores[name, "texts"]["wrong_rejects_count"] for name in (*EXACT, *LENIENT)}
    assert max(accepts[name] for name in EXACT) < min(accepts[name] for name in LENIENT)
    assert max(rejects[name] for name in LENIENT) < min(rejects[name] for name in EXACT)
