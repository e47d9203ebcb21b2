"""The wire: every message a client sends or receives, with its meaning, unit and example.

Needs pydantic alone and Python >= 3.11, so that a training job can import it without the service.
Every model is frozen and refuses unknown fields. Nothing here runs or parses hostile text.
"""

from __future__ import annotations

import json
from typing import Annotated, Literal, Self

from pydantic import Field, JsonValue, StringConstraints, model_validator

from evaluator_service.problem import (
    AssertsProblem,
    AssertTest,
    CallProblem,
    CallTest,
    Comparison,
    Limits,
    Name,
    Problem,
    ProblemId,
    Profile,
    Source,
    StdioProblem,
    StdioTest,
    Wire,
    problem_id,
)
from evaluator_service.verdicts import RewardMode, Verdict

__all__ = [
    "AssertTest",
    "AssertsProblem",
    "BatchRequest",
    "BatchResponse",
    "BatchSubmission",
    "CallProblem",
    "CallTest",
    "Comparison",
    "ComparisonResult",
    "EffectiveLimits",
    "Extraction",
    "Isolation",
    "JudgeFault",
    "Judgement",
    "Limits",
    "Problem",
    "ProblemDetails",
    "ProblemReference",
    "Profile",
    "StdioProblem",
    "StdioTest",
    "Submission",
    "TestResult",
    "Timing",
    "Verdict",
    "problem_id",
]

MAX_COMPLETION_CHARACTERS = 4_000_000
MAX_BATCH_SUBMISSIONS_COUNT = 10_000
MAX_METADATA_CHARACTERS = 16_384

Language = Literal["python"]
Report = Literal["summary", "tests", "full"]
Stop = Literal["first_failure", "never"]
IsolationMode = Literal["strict", "auto"]
ExtractionMethod = Literal["code", "fenced", "unclosed_fence", "heuristic", "none"]


class SubmissionBase(Wire):
    """What every submission says, however it names its problem."""

    id: Name | None = Field(None, description="Your name for it, echoed.", examples=["step-12/rollout-3"])
    language: Language = Field("python", description="Language of the program.", examples=["python"])
    code: Source | None = Field(
        None, description="The program itself.", examples=["print(sum(map(int, input().split())))"]
    )
    completion: (
        Annotated[str, StringConstraints(max_length=MAX_COMPLETION_CHARACTERS)] | None
    ) = Field(
        None,
        description="A model's whole answer; the program is extracted from it.",
        examples=["Here it is:\n```python\nprint(7)\n```"],
    )
    problem_id: ProblemId | None = Field(
        None, description="A problem stored by POST /problems.", examples=["sha256:" + "0" * 64]
    )
    limits: Limits | None = Field(None, description="Overrides the limits of the problem.")
    comparison: Comparison | None = Field(None, description="Overrides the comparison of the problem.")
    stop: Stop = Field(
        "first_failure",
        description="Whether to stop at the first test that fails; partial rewards never stop.",
        examples=["first_failure"],
    )
    isolation_mode: IsolationMode = Field(
        "strict",
        description="`strict`: a process of its own for every test. `auto`: may share one where that cannot "
        "mislead. The mode that was used comes back.",
        examples=["strict"],
    )
    reward: RewardMode = Field(
        "all_or_nothing", description="How partial success counts.", examples=["all_or_nothing"]
    )
    deadline_seconds: float | None = Field(
        None,
        gt=0,
        le=86_400,
        description="Answer within this time, in seconds from arrival, or answer `judge_error` (retryable).",
        examples=[60.0],
    )
    report: Report = Field(
        "summary",
        description="`summary`: no tests; `tests`: a line per test; `full`: with details and outputs.",
        examples=["summary"],
    )
    metadata: dict[str, JsonValue] = Field(
        default_factory=dict, description="Anything of yours; kept in logs, never read.", examples=[{"step": 12}]
    )

    @model_validator(mode="after")
    def _one_of_each(self) -> Self:
        if (self.code is None) == (self.completion is None):
            raise ValueError("give exactly one of `code` and `completion`")
        if self.metadata and len(json.dumps(self.metadata)) > MAX_METADATA_CHARACTERS:
            raise ValueError(f"metadata is larger than {MAX_METADATA_CHARACTERS} characters")
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

    @model_validator(mode="after")
    def _names_known(self) -> Self:
        for index, submission in enumerate(self.submissions):
            name = submission.problem
            if isinstance(name, str) and name not in self.problems:
                raise ValueError(f"submissions[{index}] names an unknown problem {name!r}")
        return self


class Extraction(Wire):
    """Where the program was found."""

    method: ExtractionMethod = Field(
        description="`code`: it was sent as such; `fenced`: the last closed fence; `unclosed_fence`; "
        "`heuristic`: no fence, but text that reads as a program; `none`.",
        examples=["fenced"],
    )
    complete: bool = Field(
        description="False when the completion ends inside its code: cut off rather than wrong.",
        examples=[True],
    )


class EffectiveLimits(Wire):
    """The limits that applied, after defaults and clamping."""

    cpu_time_seconds: float = Field(description="CPU time of a test, seconds.", examples=[4.0])
    wall_time_seconds: float = Field(description="Backstop on elapsed time, seconds.", examples=[30.0])
    memory_bytes: int = Field(description="Memory of a test, bytes.", examples=[1 << 30])
    output_bytes: int = Field(description="Standard output of a test, bytes.", examples=[16 << 20])
    processes_count: int = Field(description="Processes and threads of a test.", examples=[64])
    compile_time_seconds: float = Field(description="CPU time of compiling, seconds.", examples=[30.0])


class Isolation(Wire):
    """What stood between the program and the machine."""

    level: str = Field(
        description="Mechanisms that held, for example `nsjail+cgroup` or `nsjail`.",
        examples=["nsjail+cgroup"],
    )
    mode: IsolationMode = Field(description="The mode that was used.", examples=["strict"])


class Timing(Wire):
    """Where the time of a judgement went, elapsed seconds."""

    queue_seconds: float = Field(description="Waiting for a slot, seconds.", examples=[0.001])
    compile_seconds: float = Field(description="Compiling, seconds.", examples=[0.002])
    run_seconds: float = Field(description="Running the tests, seconds.", examples=[0.015])
    compare_seconds: float = Field(description="Comparing, seconds.", examples=[0.0001])
    total_seconds: float = Field(description="From arrival to answer, seconds.", examples=[0.02])


class JudgeFault(Wire):
    """Why the judge could not give a mark."""

    kind: str = Field(
        description="`sandbox`, `overload`, `deadline`, `bad_problem`, `internal`.", examples=["sandbox"]
    )
    message: str = Field(description="What went wrong, in words.", examples=["the jail died twice"])
    retryable: bool = Field(description="Whether sending it again may help.", examples=[True])


class ComparisonResult(Wire):
    """How one output compared."""

    matched: bool = Field(description="Whether the output is right.", examples=[True])
    method: str | None = Field(
        None, description="The method that matched; null when none did.", examples=["numeric"]
    )
    detail: str | None = Field(
        None,
        description="The first difference; only with report=full.",
        examples=["line 2, token 1: expected '7', got '8'"],
    )


class TestResult(Wire):
    """What happened in one test."""

    __test__ = False  # the name is the domain's; this is no pytest class

    index: int = Field(ge=0, description="Place of the test in the problem, from 0.", examples=[0])
    id: str | None = Field(None, description="Name of the test, if it has one.", examples=["sample-1"])
    verdict: Verdict = Field(description="Verdict of this test.", examples=["accepted"])
    comparison: ComparisonResult | None = Field(
        None, description="Null when the program did not get as far as an answer."
    )
    cpu_time_seconds: float | None = Field(
        None, description="CPU time used, with all children, seconds.", examples=[0.012]
    )
    wall_time_seconds: float | None = Field(None, description="Elapsed time, seconds.", examples=[0.013])
    memory_bytes: int | None = Field(
        None, description="Peak resident memory of its largest process, bytes.", examples=[12_000_000]
    )
    exit_code: int | None = Field(
        None, description="Exit status; null when a signal ended it.", examples=[0]
    )
    signal: int | None = Field(None, description="Number of the signal that ended it.", examples=[11])
    message: str | None = Field(
        None, description="Why, in words, when the verdict needs some; only with report=full.", examples=[None]
    )
    stdout_head: str | None = Field(
        None, description="Start of standard output; only with report=full.", examples=["7\n"]
    )
    stderr_tail: str | None = Field(
        None, description="End of standard error; only with report=full.", examples=[""]
    )
    truncated: bool = Field(
        False, description="Whether stdout_head or stderr_tail leave something out.", examples=[False]
    )


class Judgement(Wire):
    """The answer for one submission."""

    id: str | None = Field(None, description="The submission's own name for itself.", examples=["r-3"])
    verdict: Verdict = Field(description="The verdict.", examples=["accepted"])
    reward: float | None = Field(
        description="In [0, 1]; null when the judge itself failed: leave the sample out, or send it again.",
        examples=[1.0],
    )
    passed: int = Field(ge=0, description="Tests accepted, a count.", examples=[2])
    total: int = Field(ge=0, description="Tests of the problem, a count.", examples=[2])
    tests: list[TestResult] = Field(
        default_factory=list, description="One per test, in order; empty with report=summary."
    )
    extraction: Extraction = Field(description="Where the program was found.")
    limits: EffectiveLimits = Field(description="The limits that applied.")
    comparison: Comparison = Field(description="The comparison policy that applied.")
    isolation: Isolation = Field(description="What held the program.")
    forgeable: bool = Field(
        False,
        description="True when test code had to run beside the program, which could then have tampered with it.",
        examples=[False],
    )
    cached: bool = Field(False, description="Whether an earlier judgement was reused.", examples=[False])
    message: str | None = Field(
        None,
        description="Why nothing ran: the compiler's last words, or that no code was found.",
        examples=["SyntaxError: invalid syntax (solution.py, line 3)"],
    )
    timing: Timing = Field(description="Where the time went.")
    error: JudgeFault | None = Field(None, description="Set exactly when the verdict is judge_error.")


class BatchResponse(Wire):
    """Judgements in the order of the submissions."""

    judgements: list[Judgement] = Field(description="One per submission, in order.")


class ProblemReference(Wire):
    """The name under which a stored problem can be used."""

    problem_id: ProblemId = Field(
        description="Content hash of the problem.", examples=["sha256:" + "0" * 64]
    )


class ProblemDetails(Wire):
    """An error answer, RFC 9457 (`application/problem+json`)."""

    type: str = Field(
        description="Stable name of the kind of error.", examples=["/problems/validation-error"]
    )
    title: str = Field(description="The kind of error in words.", examples=["The request is not valid"])
    status: int = Field(description="HTTP status.", examples=[422])
    detail: str = Field(
        description="What was wrong and what to do.", examples=["submissions[0].code: field required"]
    )
    request_id: str = Field(description="For finding it in the logs.", examples=["5b1f…"])
    errors: list[dict[str, JsonValue]] = Field(
        default_factory=list, description="One entry per wrong field: where, and what.", examples=[[]]
    )
