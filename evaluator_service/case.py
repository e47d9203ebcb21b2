"""One submission on its way through the judge: what was decided before it runs, and what came of it."""

import secrets
import time
from dataclasses import dataclass, field

from evaluator_service.allowances import is_warm, with_allowances
from evaluator_service.extraction import Extracted
from evaluator_service.limits import effective_limits
from evaluator_service.near_limit import with_margin
from evaluator_service.outputs import Outputs
from evaluator_service.schema import (
    AnyProblem,
    Comparison,
    EffectiveLimits,
    SubmissionBase,
    TestResult,
)
from evaluator_service.settings import ENFORCED, Settings, penalties
from evaluator_service.verdicts import NO_PENALTIES, Penalties, Verdict, stops_for
from evaluator_service.work import Work
from sandbox.model import Compiled, RunLimits
from sandbox.session import Session
from sandbox.speed import REFERENCE, Speed

SEED_BYTES = 32


@dataclass(frozen=True, slots=True)
class Case:
    """Everything known of a submission before it runs.

    Attributes:
        work: What was sent, and its problem.
        code: The program; empty if there is none.
        limits: Those that apply.
        policy: How outputs are compared.
        stops_at_failure: Whether the first test that fails ends the run.
        reruns_near_limit: Whether a close time-out is run once more.
        penalties: The reward of what cannot be run.
        outputs: Where to keep what is compared; None if nobody asked for it.
        first_test: The test that goes first; None: the first declared.
        seed: What is drawn by lot in mode ``auto`` follows from it: a secret until the submission is judged.
    """

    work: Work
    code: bytes
    limits: EffectiveLimits
    policy: Comparison
    stops_at_failure: bool
    reruns_near_limit: bool = False
    penalties: Penalties = NO_PENALTIES
    outputs: Outputs | None = None
    first_test: int | None = None
    seed: bytes = field(default_factory=lambda: secrets.token_bytes(SEED_BYTES))

    @property
    def submission(self) -> SubmissionBase:
        """What was sent."""
        return self.work.submission

    @property
    def problem(self) -> AnyProblem:
        """What it is judged against."""
        return self.work.problem

    @property
    def is_warm(self) -> bool:
        """Whether the judge's own interpreter, which is there already, runs the program."""
        return is_warm(self.submission)

    @property
    def prelude(self) -> bytes:
        """The problem's code to run before the program."""
        return encoded(self.problem.prelude or "")

    @property
    def run_limits(self) -> RunLimits:
        """The limits at which the sandbox stops a process."""
        return with_margin(RunLimits(**self.limits.model_dump(include=set(ENFORCED))))


def open_case(
    settings: Settings,
    work: Work,
    extracted: Extracted,
    outputs: Outputs | None = None,
    speed: Speed = REFERENCE,
    likely_failure: int | None = None,
) -> Case:
    """Settle limits and comparison: the submission's over the problem's over what the kind suggests.

    Settles the order of tests, too: ``likely_failure`` goes first where one failure is enough. Not in ``auto``,
    where nobody may know which goes first.
    """
    submission, problem = work.submission, work.problem
    stops_at_failure = stops_for(submission.reward, submission.stop) == "first_failure"
    may_reorder = stops_at_failure and submission.isolation_mode == "strict"
    return Case(
        work=work,
        code=encoded(extracted.code or ""),
        limits=with_allowances(
            effective_limits(settings, problem.limits, submission.limits, speed),
            submission,
            settings,
            speed,
        ),
        policy=submission.comparison or problem.comparison or default_policy(problem),
        stops_at_failure=stops_at_failure,
        reruns_near_limit=settings.rerun_near_limit,
        penalties=penalties(settings),
        outputs=outputs if submission.keep_outputs else None,
        first_test=likely_failure if may_reorder and settings.likely_failure_first else None,
    )


def default_policy(problem: AnyProblem) -> Comparison:
    """Python's own ``==`` for test code, as if it had run by hand; else the flexible chain."""
    return Comparison(profile="strict" if problem.kind == "asserts" else "flexible")


def encoded(text: str) -> bytes:
    """Source as the jail reads it; a lone surrogate is no character and so a compile error there."""
    return text.encode("utf-8", "surrogatepass")


@dataclass(slots=True)
class Trial:
    """What came of running a case once.

    Attributes:
        results: One per test that was run, in the order in which they ran; each knows its place.
        weights: One per test of the problem; set before the first result.
        groups: Likewise, the names of their groups.
        compiled: How compiling ended, once it did.
        forgeable: Whether test code ran beside the program.
        shared: Whether tests were believed that shared a process.
    """

    results: list[TestResult] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    groups: list[str | None] = field(default_factory=list)
    compiled: Compiled | None = None
    forgeable: bool = False
    shared: bool = False
    compile_seconds: float = 0.0
    run_seconds: float = 0.0
    compare_seconds: float = 0.0

    def compiles(self, session: Session) -> bool:
        """Wait for the session's compiler; whether there is a program to run.

        Raises:
            StarvedError: If the machine did not let it run.
            JailDiedError: If the session ends or falls silent.
        """
        with Stopwatch(self, "compile"):
            self.compiled = session.compiled()
        return self.compiled.ok

    @property
    def failed(self) -> bool:
        """Whether the last test that was run was not accepted."""
        return bool(self.results) and self.results[-1].verdict is not Verdict.ACCEPTED


class Stopwatch:
    """Adds elapsed time to one of a trial's accounts."""

    def __init__(self, trial: Trial, account: str) -> None:
        self._trial = trial
        self._account = f"{account}_seconds"

    def __enter__(self) -> None:
        self._started = time.monotonic()

    def __exit__(self, *_: object) -> None:
        spent = time.monotonic() - self._started
        setattr(self._trial, self._account, getattr(self._trial, self._account) + spent)
