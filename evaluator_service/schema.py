"""The wire: every message a client sends or receives, with its meaning, unit and example.

Needs pydantic alone and Python >= 3.11, so that a training job can import it without the service.
Every model is frozen and refuses unknown fields. Nothing here runs or parses hostile text.
"""

from __future__ import annotations

import json
from typing import Annotated, Literal, Self

from pydantic import Field, JsonValue, StringConstraints, field_validator, model_validator

from evaluator_service.judgement import (
    BatchSummary,
    ComparisonResult,
    EffectiveLimits,
    Extraction,
    ExtractionMethod,
    FirstK,
    Isolation,
    JudgeFault,
    Judgement,
    Report,
    Said,
    TestResult,
    Timing,
    check_first_k,
)
from evaluator_service.policy import Comparison
from evaluator_service.problem import (
    AnyProblem,
    AssertsProblem,
    AssertTest,
    CallProblem,
    CallTest,
    InteractiveProblem,
    InteractiveTest,
    IsolationMode,
    Limits,
    Problem,
    ProblemId,
    StdioProblem,
    StdioTest,
    problem_content,
    problem_id,
)
from evaluator_service.profiles import Profile
from evaluator_service.programs import Checker, FileName, Files, Interactor, Language
from evaluator_service.rescoring import Rescored, Rescoring, Rung
from evaluator_service.verdicts import RewardMode, Verdict
from evaluator_service.wire import SUBMISSION_ID_PATTERN, Name, Source, Wire

__all__ = [
    "AnyProblem",
    "AssertTest",
    "AssertsProblem",
    "BatchRequest",
    "BatchResponse",
    "BatchSubmission",
    "BatchSummary",
    "CallProblem",
    "CallTest",
    "Checker",
    "Comparison",
    "ComparisonResult",
    "EffectiveLimits",
    "Extraction",
    "ExtractionMethod",
    "InteractiveProblem",
    "InteractiveTest",
    "Interactor",
    "Isolation",
    "JudgeFault",
    "Judgement",
    "Language",
    "Limits",
    "Problem",
    "ProblemDetails",
    "ProblemReference",
    "Profile",
    "Rescored",
    "Rescoring",
    "Rung",
    "Said",
    "StdioProblem",
    "StdioTest",
    "Submission",
    "SubmissionState",
    "TestResult",
    "Timing",
    "Verdict",
    "problem_content",
    "problem_id",
]

MAX_COMPLETION_CHARACTERS = 4_000_000
MAX_BATCH_SUBMISSIONS_COUNT = 10_000
MAX_METADATA_CHARACTERS = 16_384

Stop = Literal["first_failure", "never"]
Priority = Literal["train", "eval"]


class SubmissionBase(Wire):
    """What every submission says, however it names its problem."""

    id: Name | None = Field(
        None, description="Your name for it, echoed.", examples=["step-12/rollout-3"]
    )
    language: Language = Field(
        "python",
        description="Language of the program; `GET /version` names those that are there.",
        examples=["python"],
    )
    code: Source | None = Field(
        None, description="The program itself.", examples=["print(sum(map(int, input().split())))"]
    )
    completion: Annotated[str, StringConstraints(max_length=MAX_COMPLETION_CHARACTERS)] | None = (
        Field(
            None,
            description="A model's whole answer; the program is extracted from it.",
            examples=["Here it is:\n```python\nprint(7)\n```"],
        )
    )
    files: Files = Field(
        default_factory=dict,
        description="Further source files by name, beside `code`, which is the main one.",
        examples=[{}],
    )
    file_name: FileName | None = Field(
        None,
        description="Name of the file that `code` is; the language's usual one if unset.",
        examples=[None],
    )
    problem_id: ProblemId | None = Field(
        None, description="A problem stored by POST /problems.", examples=["sha256:" + "0" * 64]
    )
    limits: Limits | None = Field(None, description="Overrides the limits of the problem.")
    comparison: Comparison | None = Field(
        None, description="Overrides the comparison of the problem."
    )
    stop: Stop = Field(
        "first_failure",
        description="Whether to stop at the first test that fails; partial rewards never stop.",
        examples=["first_failure"],
    )
    isolation_mode: IsolationMode = Field(
        "strict",
        description="`strict`: a process of its own for every test. `auto`: one test has its own, the "
        "others share one and are believed where that cannot mislead, else run again as in `strict`. The mode that "
        "was used comes back.",
        examples=["strict"],
    )
    reward: RewardMode = Field(
        "all_or_nothing", description="How partial success counts.", examples=["all_or_nothing"]
    )
    first_k: FirstK | None = Field(
        None,
        description="With `reward: first_k`: how many tests of the problem run and count, its first ones.",
        examples=[None],
    )
    deadline_seconds: float | None = Field(
        None,
        gt=0,
        le=86_400,
        description="Answer within this time, in seconds from arrival, or answer `judge_error` (retryable).",
        examples=[60.0],
    )
    priority: Priority = Field(
        "train",
        description="`train` goes before `eval` in the queue; within each, first come, first served.",
        examples=["train"],
    )
    report: Report = Field(
        "summary",
        description="`summary`: no tests; `tests`: a line per test; `full`: with details and outputs.",
        examples=["summary"],
    )
    keep_outputs: bool = Field(
        False,
        description="Whether to keep what was compared, for `GET /outputs/{id}` and `POST /rescore`; each test names "
        "its own by content hash. Kept within bounds, the least used go first.",
        examples=[False],
    )
    metadata: dict[str, JsonValue] = Field(
        default_factory=dict,
        description="A JSON object of yours; kept in logs, never read.",
        examples=[{"step": 12}],
    )

    @field_validator("metadata")
    @classmethod
    def _short_json(cls, metadata: dict[str, JsonValue]) -> dict[str, JsonValue]:
        if not metadata:
            return metadata
        try:
            text = json.dumps(metadata, allow_nan=False)
        except (
            ValueError
        ):  # the parser lets them pass, and who is given the submission next would not
            raise ValueError("NaN and Infinity are no JSON") from None
        if len(text) > MAX_METADATA_CHARACTERS:
            raise ValueError(f"larger than {MAX_METADATA_CHARACTERS} characters")
        return metadata

    @model_validator(mode="after")
    def _one_of_each(self) -> Self:
        if (self.code is None) == (self.completion is None):
            raise ValueError("give exactly one of `code` and `completion`")
        return self

    @model_validator(mode="after")
    def _each_file_once(self) -> Self:
        if self.file_name in self.files:
            raise ValueError("`file_name` names `code`: `files` has another of that name")
        return self

    @model_validator(mode="after")
    def _rewarded(self) -> Self:
        check_first_k(self.reward, self.first_k)
        return self

    @model_validator(mode="after")
    def _named_outputs(self) -> Self:
        if self.keep_outputs and self.report == "summary":
            raise ValueError(
                "`keep_outputs` needs `report` to be `tests` or `full`: a summary does not name outputs"
            )
        return self


class Submission(SubmissionBase):
    """One program to judge against one problem."""

    problem: Problem | None = Field(None, description="The problem, inline.")

    @model_validator(mode="after")
    def _one_problem(self) -> Self:
        if (self.problem is None) == (self.problem_id is None):
            raise ValueError("give exactly one of `problem` and `problem_id`")
        return self


class BatchSubmission(SubmissionBase):
    """A submission in a batch; its problem may be a name from the batch's `problems`."""

    problem: Name | Problem | None = Field(
        None, description="A name from `problems`, or a problem inline.", examples=["two-sum"]
    )

    @model_validator(mode="after")
    def _one_problem(self) -> Self:
        if (self.problem is None) == (self.problem_id is None):
            raise ValueError("give exactly one of `problem` and `problem_id`")
        return self


class BatchRequest(Wire):
    """Many submissions; problems travel once, however many submissions name them."""

    problems: dict[Name, Problem] = Field(
        default_factory=dict, description="Problems by the names that submissions use."
    )
    submissions: list[BatchSubmission] = Field(
        min_length=1, max_length=MAX_BATCH_SUBMISSIONS_COUNT, description="What to judge."
    )


class BatchResponse(Wire):
    """Judgements in the order of the submissions."""

    judgements: list[Judgement] = Field(description="One per submission, in order.")
    summary: BatchSummary = Field(description="All of them, counted.")


class SubmissionState(Wire):
    """How an asynchronous submission stands."""

    id: str = Field(
        pattern=SUBMISSION_ID_PATTERN,
        description="The service's name for it, by which it can be asked for; not the submission's own `id`.",
        examples=["0" * 64],
    )
    status: Literal["pending", "done"] = Field(
        description="`pending`: it waits or runs; `done`: there is a judgement.",
        examples=["pending"],
    )
    judgement: Judgement | None = Field(None, description="The judgement, once there is one.")


class ProblemReference(Wire):
    """The name under which a stored problem can be used."""

    problem_id: ProblemId = Field(
        description="Content hash of the problem.", examples=["sha256:" + "0" * 64]
    )


class ProblemDetails(Wire):
    """An error answer, RFC 9457 (`application/problem+json`)."""

    type: str = Field(
        description="Stable name of the kind of error.", examples=["/errors/validation-error"]
    )
    title: str = Field(
        description="The kind of error in words.", examples=["The request is not valid"]
    )
    status: int = Field(description="HTTP status.", examples=[422])
    detail: str = Field(
        description="What was wrong and what to do.",
        examples=["submissions[0].code: field required"],
    )
    request_id: str = Field(description="For finding it in the logs.", examples=["5b1f…"])
    errors: list[dict[str, JsonValue]] = Field(
        default_factory=list,
        description="One entry per wrong field: where, and what.",
        examples=[[]],
    )
