"""A line of the audit log: everything that it takes to judge the same again, and what came of it the first time."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Self

from pydantic import BaseModel, ConfigDict

from evaluator_service import WIRE_VERSION, __version__
from evaluator_service.case import Case
from evaluator_service.fits import languages_of
from evaluator_service.problem import IsolationMode
from evaluator_service.schema import (
    AnyProblem,
    Comparison,
    EffectiveLimits,
    Judgement,
    SubmissionBase,
    TestResult,
)
from evaluator_service.verdicts import RewardMode, Verdict
from sandbox.inside.wire import HASH_SEED, RANDOM_SEED
from sandbox.toolchains import Found

_FIELDS_OF_A_PROGRAM = ("language", "code", "completion", "files", "file_name")


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Versions(_Part):
    """What judged.

    Attributes:
        judge: Of this distribution.
        wire: Of the wire format.
        python: Of the judge's own interpreter, which runs programs in ``python``.
        toolchains: Of the languages that the submission and its problem are written in.
        packages: Of the distributions that programs may import; empty for one that is not installed.
        isolation: The walls that stood.
    """

    judge: str
    wire: int
    python: str
    toolchains: dict[str, str]
    packages: dict[str, str]
    isolation: str

    @classmethod
    def here(
        cls,
        submission: SubmissionBase,
        problem: AnyProblem,
        found: Found,
        packages: Mapping[str, str],
        isolation: str,
    ) -> Self:
        """Those of this process, for one submission."""
        used = {language for _, language in languages_of(submission, problem)}
        return cls(
            judge=__version__,
            wire=WIRE_VERSION,
            python=platform.python_version(),
            toolchains={
                name: found.toolchains[name].version for name in used if name in found.toolchains
            },
            packages=dict(packages),
            isolation=isolation,
        )


class Terms(_Part):
    """By what it was judged, all of it settled: limits in this machine's seconds, the policy that applied."""

    limits: EffectiveLimits
    comparison: Comparison
    stops_at_failure: bool
    isolation_mode: IsolationMode
    reward: RewardMode
    first_k: int | None
    no_code_reward: float
    compile_error_reward: float
    reruns_near_limit: bool


class Drawn(_Part):
    """What chance and earlier programs had decided.

    Attributes:
        first_test: Index of the test that went first; None: the first declared.
        lot: Seed, hex, of the order in mode ``auto``.
        random_seed: That every process's generator of random numbers starts from.
        hash_seed: That every process's hashes of texts start from.
    """

    first_test: int | None
    lot: str
    random_seed: int
    hash_seed: int


class Marks(_Part):
    """What came of it.

    Attributes:
        verdict: Of the submission.
        reward: Of the submission; None without a mark.
        passed: Tests accepted, a count.
        verdicts: Codes of the tests' verdicts, in declared order.
        methods: For each test the method that matched; None where none did, or nothing was compared.
        near_limit: Whether another judging might come out otherwise.
        error: Kind of a fault of the judge's own.
        retryable: Whether that fault may pass.
    """

    verdict: Verdict
    reward: float | None
    passed: int
    verdicts: list[str]
    methods: list[str | None]
    near_limit: bool
    error: str | None = None
    retryable: bool = False

    @classmethod
    def of(cls, judgement: Judgement, results: Sequence[TestResult]) -> Self:
        """Those of a judgement, whose own report may leave out the ``results`` of its tests."""
        compared = [result.comparison for result in results]
        error = judgement.error
        return cls(
            verdict=judgement.verdict,
            reward=judgement.reward,
            passed=judgement.passed,
            verdicts=[result.verdict.code for result in results],
            methods=[comparison.method if comparison else None for comparison in compared],
            near_limit=judgement.near_limit,
            error=error.kind if error else None,
            retryable=error.retryable if error else False,
        )


class AuditRecord(_Part):
    """One judgement. Holds no code: program and problem are named by their content hashes.

    Attributes:
        time: When it was judged, UTC.
        submission_id: The submission's own name for itself.
        request_id: Of the request that it came with, where that is known.
        owner: Name of the API key that it came with, if any.
        program: Content hash of ``program_content``.
        problem_id: Content hash of the problem.
        language: Of the program.
        versions: What judged.
        terms: By what.
        drawn: What chance decided.
        outcome: What came of it.
    """

    time: datetime
    submission_id: str | None
    request_id: str | None
    owner: str | None
    program: str
    problem_id: str
    language: str
    versions: Versions
    terms: Terms
    drawn: Drawn
    outcome: Marks


def terms_of(case: Case) -> Terms:
    """By what a case is judged."""
    submission = case.submission
    return Terms(
        limits=case.limits,
        comparison=case.policy,
        stops_at_failure=case.stops_at_failure,
        isolation_mode=submission.isolation_mode,
        reward=submission.reward,
        first_k=submission.first_k,
        no_code_reward=case.penalties.no_code,
        compile_error_reward=case.penalties.compile_error,
        reruns_near_limit=case.reruns_near_limit,
    )


def drawn_of(case: Case) -> Drawn:
    """What chance and earlier programs decided of a case."""
    return Drawn(
        first_test=case.first_test,
        lot=case.seed.hex(),
        random_seed=RANDOM_SEED,
        hash_seed=HASH_SEED,
    )


def program_content(submission: SubmissionBase) -> bytes:
    """The program exactly as it was sent, as compact JSON: code or completion, files, and what they are called."""
    fields: dict[str, Any] = {name: getattr(submission, name) for name in _FIELDS_OF_A_PROGRAM}
    given = {name: value for name, value in fields.items() if value is not None}
    return json.dumps(given, sort_keys=True, separators=(",", ":")).encode()
