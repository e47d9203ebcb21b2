"""The table of ``microcoder compare``: how often each profile is wrong about labelled pairs."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import get_args

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from evaluator_service.labelled_pairs import Score
from evaluator_service.profiles import Outputs, Profile

_CHARACTERS = 100


def as_json(scores: Sequence[Score]) -> str:
    """One JSON array, an object a profile and kind of outputs."""
    return json.dumps([asdict(score) for score in scores])


def as_text(scores: Sequence[Score]) -> str:
    """A row a profile, best first: fewest wrong accepts, then fewest wrong rejects."""
    kinds: list[Outputs] = list(dict.fromkeys(score.outputs for score in scores))
    table = Table(box=SIMPLE_HEAD)
    table.add_column("profile")
    for kind in kinds:
        for what in ("wrong accepts", "wrong rejects", "pairs"):
            table.add_column(f"{kind}:\n{what}", justify="right")
    for profile in sorted(get_args(Profile), key=lambda name: _badness(scores, name)):
        table.add_row(profile, *(cell for kind in kinds for cell in _cells(scores, profile, kind)))
    console = Console(file=io.StringIO(), width=_CHARACTERS)
    console.print(table)
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")


def _badness(scores: Sequence[Score], profile: str) -> tuple[bool, float, float]:
    own = [score for score in scores if score.profile == profile]
    total = sum(score.pairs_count for score in own) or 1
    accepts, rejects = (
        sum(getattr(score, name) for score in own) / total
        for name in ("wrong_accepts_count", "wrong_rejects_count")
    )
    return not own, accepts, rejects


def _cells(scores: Sequence[Score], profile: str, kind: Outputs) -> tuple[str, str, str]:
    for score in scores:
        if (score.profile, score.outputs) == (profile, kind):
            return (
                str(score.wrong_accepts_count),
                str(score.wrong_rejects_count),
                str(score.pairs_count),
            )
    return "-", "-", "-"
