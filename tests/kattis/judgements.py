"""Judgements made up from the verdicts of their tests."""

from __future__ import annotations

from typing import Any

from evaluator_service.schema import Judgement
from evaluator_service.verdicts import Verdict

CODES = {verdict.code: verdict for verdict in Verdict}


def judgement(codes: str, scores: dict[int, float] | None = None, **fields: Any) -> Judgement:
    """A judgement with the verdicts of these codes."""
    verdicts = [CODES[code] for code in codes.split()]
    tests = [
        {"index": index, "verdict": verdict, "score": (scores or {}).get(index)}
        for index, verdict in enumerate(verdicts)
    ]
    told = [each for each in verdicts if each not in (Verdict.ACCEPTED, Verdict.SKIPPED)]
    return Judgement.model_validate(
        {
            "verdict": told[0] if told else Verdict.ACCEPTED,
            "reward": 0.0,
            "passed": 0,
            "total": len(tests),
            "tests": tests,
            "extraction": {"method": "code", "complete": True},
            "limits": dict.fromkeys(
                (
                    "cpu_time_seconds wall_time_seconds memory_bytes output_bytes processes_count "
                    "compile_time_seconds"
                ).split(),
                1,
            ),
            "comparison": {},
            "isolation": {"level": "none", "mode": "strict"},
            "timing": dict.fromkeys(
                (f"{name}_seconds" for name in ("queue", "compile", "run", "compare", "total")), 0
            ),
        }
        | fields
    )
