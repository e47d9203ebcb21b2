"""Rescoring on the wire: a judgement whose outputs were kept, and what another policy says of them.

Part of ``schema``, which re-exports all of it. Needs pydantic alone and Python >= 3.11.
"""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from evaluator_service.judgement import FirstK, Judgement, Report, check_first_k
from evaluator_service.policy import Comparison
from evaluator_service.problem import Problem, ProblemId
from evaluator_service.profiles import Profile
from evaluator_service.verdicts import RewardMode, Verdict
from evaluator_service.wire import Wire


class Rescoring(Wire):
    """A judgement to look at anew: outputs that were kept are compared again, nothing runs again."""

    problem: Problem | None = Field(None, description="The problem it was judged against, inline.")
    problem_id: ProblemId | None = Field(
        None, description="The same, stored by POST /problems.", examples=["sha256:" + "0" * 64]
    )
    judgement: Judgement = Field(description="As it was answered, with `keep_outputs`.")
    comparison: Comparison | None = Field(
        None, description="How to compare now; the judgement's own where it is not given."
    )
    reward: RewardMode | None = Field(
        None,
        description="How partial success counts now; as in the judgement where it is not given.",
        examples=["fraction"],
    )
    first_k: FirstK | None = Field(
        None, description="With `reward: first_k`: how many tests count.", examples=[None]
    )
    ladder: bool = Field(
        False, description="Whether to say what each profile would have said.", examples=[True]
    )
    report: Report = Field(
        "tests", description="How much the new judgement says.", examples=["tests"]
    )

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if (self.problem is None) == (self.problem_id is None):
            raise ValueError("give exactly one of `problem` and `problem_id`")
        check_first_k(self.reward, self.first_k)
        return self


class Rung(Wire):
    """What one profile would have said of a submission."""

    profile: Profile = Field(description="The profile.", examples=["strict"])
    verdict: Verdict = Field(description="Its verdict.", examples=["wrong_answer"])
    reward: float | None = Field(
        description="Its reward, null with a `judge_error`.", examples=[0.0]
    )
    passed: int = Field(description="Tests accepted, a count.", examples=[1])
    methods: dict[str, int] = Field(
        description="Outputs compared by the method that matched; `none`: none did.",
        examples=[{"exact": 1, "none": 1}],
    )


class Rescored(Wire):
    """The answer to a rescoring."""

    judgement: Judgement = Field(description="The judgement under the new terms.")
    ladder: list[Rung] | None = Field(
        None, description="The rungs, strictest profile first; null unless asked for."
    )
