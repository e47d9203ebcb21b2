"""The answer on the wire: verdict, reward, what happened in each test, and where the time went.

Part of ``schema``, which re-exports all of it. Needs pydantic alone and Python >= 3.11.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from evaluator_service.policy import Comparison
from evaluator_service.problem import MAX_TESTS_COUNT, IsolationMode, ProblemId
from evaluator_service.programs import Language
from evaluator_service.verdicts import RewardMode, Verdict
from evaluator_service.wire import ContentHash, Wire

ExtractionMethod = Literal["code", "fenced", "unclosed_fence", "heuristic", "none"]


def _to_microseconds(seconds: float) -> float:
    return round(seconds, 6)


Report = Literal["summary", "tests", "full"]
FirstK = Annotated[int, Field(ge=1, le=MAX_TESTS_COUNT)]


def check_first_k(mode: RewardMode | None, first_k: int | None) -> None:
    """Refuse a number of tests without the reward that it is for, and that reward without it.

    Raises:
        ValueError: If one stands without the other.
    """
    if (mode == "first_k") != (first_k is not None):
        raise ValueError("give `first_k` with `reward: first_k`, and with no other")


Seconds = Annotated[float, AfterValidator(_to_microseconds)]
"""A time that was measured, to the microsecond: finer digits say nothing."""


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
    cpu_time_reference_seconds: Seconds | None = Field(
        None,
        description="The same in seconds of the reference machine; one by the other says how fast this machine was "
        "taken to be. Null only in judgements of older versions.",
        examples=[4.0],
    )
    wall_time_seconds: float = Field(
        description="Backstop on elapsed time, seconds.", examples=[30.0]
    )
    memory_bytes: int = Field(description="Memory of a test, bytes.", examples=[1 << 30])
    output_bytes: int = Field(description="Standard output of a test, bytes.", examples=[16 << 20])
    processes_count: int = Field(description="Processes and threads of a test.", examples=[64])
    compile_time_seconds: float = Field(
        description="CPU time of compiling, seconds.", examples=[30.0]
    )


class Said(Wire):
    """One thing said in a talk between a program and an interactor."""

    by: Literal["program", "interactor"] = Field(description="Who said it.", examples=["program"])
    text: str = Field(description="What was said.", examples=["? 50\n"])


class Isolation(Wire):
    """What stood between the program and the machine."""

    level: str = Field(
        description="Mechanisms that held, for example `nsjail+cgroup` or `nsjail`.",
        examples=["nsjail+cgroup"],
    )
    mode: IsolationMode = Field(description="The mode that was used.", examples=["strict"])


class Timing(Wire):
    """Where the time of a judgement went, elapsed seconds."""

    queue_seconds: Seconds = Field(description="Waiting for a slot, seconds.", examples=[0.001])
    compile_seconds: Seconds = Field(description="Compiling, seconds.", examples=[0.002])
    run_seconds: Seconds = Field(description="Running the tests, seconds.", examples=[0.015])
    compare_seconds: Seconds = Field(description="Comparing, seconds.", examples=[0.0001])
    total_seconds: Seconds = Field(description="From arrival to answer, seconds.", examples=[0.02])


class JudgeFault(Wire):
    """Why the judge could not give a mark."""

    kind: str = Field(
        description="`sandbox`, `overload`, `deadline`, `withdrawn`, `bad_problem`, `internal`; of a rescored judgement also "
        "`incomplete`, `outputs_gone`, `test_code`.",
        examples=["sandbox"],
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
    id: str | None = Field(
        None, description="Name of the test, if it has one.", examples=["sample-1"]
    )
    verdict: Verdict = Field(description="Verdict of this test.", examples=["accepted"])
    comparison: ComparisonResult | None = Field(
        None, description="Null when the program did not get as far as an answer."
    )
    output: ContentHash | None = Field(
        None,
        description="Content hash of the bytes that were compared; only with keep_outputs, and null where "
        "nothing was compared.",
        examples=["sha256:" + "0" * 64],
    )
    score: float | None = Field(
        None,
        ge=0,
        le=1,
        description="The share of the test that was earned, a ratio, where a checker or interactor decides; "
        "less than 1 is not accepted, and counts in a partial reward.",
        examples=[None],
    )
    cpu_time_seconds: float | None = Field(
        None, description="CPU time used, with all children, seconds.", examples=[0.012]
    )
    wall_time_seconds: float | None = Field(
        None, description="Elapsed time, seconds.", examples=[0.013]
    )
    memory_bytes: int | None = Field(
        None,
        description="Peak resident memory of its largest process, bytes.",
        examples=[12_000_000],
    )
    exit_code: int | None = Field(
        None, description="Exit status; null when a signal ended it.", examples=[0]
    )
    signal: int | None = Field(
        None, description="Number of the signal that ended it.", examples=[11]
    )
    near_limit: bool = Field(
        False,
        description="Whether a limit was so close that another run might come out otherwise.",
        examples=[False],
    )
    rerun: bool = Field(
        False,
        description="Whether it ran twice, since its time ran out only just; these figures are of the run that counts.",
        examples=[False],
    )
    message: str | None = Field(
        None,
        description="Why, in words, when the verdict needs some; only with report=full.",
        examples=[None],
    )
    stdout_head: str | None = Field(
        None, description="Start of standard output; only with report=full.", examples=["7\n"]
    )
    stderr_tail: str | None = Field(
        None, description="End of standard error; only with report=full.", examples=[""]
    )
    transcript: list[Said] | None = Field(
        None,
        description="The beginning of the talk with an interactor; only with report=full.",
        examples=[None],
    )
    truncated: bool = Field(
        False,
        description="Whether stdout_head, stderr_tail or transcript leave something out.",
        examples=[False],
    )


class Judgement(Wire):
    """The answer for one submission."""

    id: str | None = Field(
        None, description="The submission's own name for itself.", examples=["r-3"]
    )
    problem_id: ProblemId | None = Field(
        None,
        description="Content hash of the problem it was judged against.",
        examples=["sha256:" + "0" * 64],
    )
    language: Language = Field("python", description="The program's language.", examples=["python"])
    verdict: Verdict = Field(description="The verdict.", examples=["accepted"])
    reward: float | None = Field(
        description="In [0, 1], or the service's penalty in [-1, 0] for `no_code` and `compile_error`; null when "
        "the judge itself failed: leave the sample out, or send it again.",
        examples=[1.0],
    )
    reward_mode: RewardMode = Field(
        "all_or_nothing", description="How partial success counted.", examples=["all_or_nothing"]
    )
    first_k: int | None = Field(
        None, description="How many tests counted, with `first_k`.", examples=[None]
    )
    passed: int = Field(ge=0, description="Tests accepted, a count.", examples=[2])
    total: int = Field(ge=0, description="Tests of the problem, a count.", examples=[2])
    methods: dict[str, int] = Field(
        default_factory=dict,
        description="Tests whose output was compared, counted by the method that matched; `none`: none did.",
        examples=[{"exact": 1, "numeric": 1}],
    )
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
    near_limit: bool = Field(
        False,
        description="Whether a limit, or the load of the machine, was so close to deciding otherwise in any test or in "
        "compiling that another judging might come out otherwise; said with every report.",
        examples=[False],
    )
    cached: bool = Field(
        False, description="Whether an earlier judgement was reused.", examples=[False]
    )
    message: str | None = Field(
        None,
        description="Why nothing ran: the compiler's last words, or that no code was found.",
        examples=["SyntaxError: invalid syntax (solution.py, line 3)"],
    )
    timing: Timing = Field(description="Where the time went.")
    error: JudgeFault | None = Field(
        None, description="Set exactly when the verdict is judge_error."
    )


class BatchSummary(Wire):
    """What came of a batch, counted."""

    total: int = Field(description="Judgements, a count.", examples=[2])
    verdicts: dict[str, int] = Field(
        description="Judgements by verdict; those that occurred.", examples=[{"accepted": 2}]
    )
    methods: dict[str, int] = Field(
        description="Outputs compared by the method that matched; `none`: none did.",
        examples=[{"exact": 3, "numeric": 1}],
    )
