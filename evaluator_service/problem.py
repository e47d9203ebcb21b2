"""Problems on the wire: tests, limits, comparison policy, and the content hash that names a problem.

Part of ``schema``, which re-exports all of it. Needs pydantic alone and Python >= 3.11. Every model is
frozen and refuses unknown fields. Nothing here runs or parses hostile text.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, JsonValue, model_validator

from evaluator_service.policy import Comparison
from evaluator_service.profiles import misfit
from evaluator_service.programs import Arguments, Checker, Interactor
from evaluator_service.wire import ContentHash, Name, Source, Wire

MAX_TESTS_COUNT = 10_000

IsolationMode = Literal["strict", "auto"]


class Limits(Wire):
    """What one run may use. Unset fields take the service's defaults; larger ones are clamped to its maxima.

    The effective values come back in the judgement.
    """

    cpu_time_seconds: float | None = Field(
        None,
        gt=0,
        description="CPU time of one test, all its processes, in seconds.",
        examples=[4.0],
    )
    cpu_time_reference_seconds: float | None = Field(
        None,
        gt=0,
        description="The same, in seconds of the reference machine: each worker turns them into its own by how fast "
        "it is, so that a mixed fleet gives one verdict. Instead of `cpu_time_seconds`.",
        examples=[None],
    )
    wall_time_seconds: float | None = Field(
        None,
        gt=0,
        description="Wide backstop on elapsed time of one test, in seconds; time the program waits for a "
        "busy CPU is not held against it.",
        examples=[30.0],
    )
    memory_bytes: int | None = Field(
        None, ge=1 << 24, description="Memory of one test, in bytes.", examples=[1 << 30]
    )
    output_bytes: int | None = Field(
        None, ge=1, description="Bytes one test may write to standard output.", examples=[16 << 20]
    )
    processes_count: int | None = Field(
        None, ge=1, description="Processes and threads one test may have at a time.", examples=[64]
    )
    compile_time_seconds: float | None = Field(
        None, gt=0, description="CPU time for compiling the source, in seconds.", examples=[30.0]
    )

    @model_validator(mode="after")
    def _one_clock(self) -> Self:
        if self.cpu_time_seconds is not None and self.cpu_time_reference_seconds is not None:
            raise ValueError("give `cpu_time_seconds` or `cpu_time_reference_seconds`, not both")
        return self


class _TestBase(Wire):
    """What tests of every kind have; each names itself in its own words."""

    weight: float = Field(
        1.0, gt=0, description="Share in a weighted reward, a ratio.", examples=[1.0]
    )
    group: Name | None = Field(
        None,
        description="Tests of one group earn a partial reward only together: each what the worst of them earned.",
        examples=["subtask-1"],
    )


class StdioTest(_TestBase):
    """One run of a program: text on standard input, text expected on standard output."""

    input: str = Field("", description="Standard input, UTF-8.", examples=["3 4\n"])
    expected: str = Field(description="Expected standard output, UTF-8.", examples=["7\n"])
    arguments: Arguments = Field(
        default_factory=list,
        description="Further arguments of the problem's checker or interactor, for this test.",
        examples=[[]],
    )
    id: Name | None = Field(None, description="Name of the test, echoed.", examples=["sample-1"])


class CallTest(_TestBase):
    """One call of the entry point. Values are JSON with ``$``-tags (docs/api.md, typed values)."""

    args: list[JsonValue] = Field(
        default_factory=list,
        description="Positional arguments, typed values.",
        examples=[[[1, 2], 3]],
    )
    kwargs: dict[str, JsonValue] = Field(
        default_factory=dict, description="Keyword arguments, typed values.", examples=[{"k": 2}]
    )
    expected: JsonValue = Field(description="Expected return value, typed.", examples=[6])
    id: Name | None = Field(None, description="Name of the test, echoed.", examples=["empty list"])


class AssertTest(_TestBase):
    """One piece of test code, usually a single ``assert``. A bare string means ``{"code": string}``."""

    code: Source = Field(
        min_length=1, description="Python test code.", examples=["assert add(1, 2) == 3"]
    )
    id: Name | None = Field(None, description="Name of the test, echoed.", examples=["adds"])


_CHECK_OF_CANDIDATE = re.compile(r"^def check\(candidate\s*[:)]", re.MULTILINE)
"""HumanEval's form alone; other test code is read in a jail, and found wanting there."""


def _code_of_string(test: Any) -> Any:
    return {"code": test} if isinstance(test, str) else test


class _ProblemBase(Wire):
    kind: str = Field(description="The kind of problem.")
    comparison: Comparison | None = Field(
        None, description="How to compare; inferred from the kind when unset.", examples=[None]
    )
    limits: Limits | None = Field(
        None, description="Limits of this problem; a submission may override them.", examples=[None]
    )
    reference: Source | None = Field(
        None,
        description="A program known to be right.",
        examples=["print(sum(map(int, input().split())))"],
    )
    prelude: Source | None = Field(
        None,
        description="Code run before the program, compiled apart from it, so that line numbers stay right.",
        examples=["from typing import List"],
    )

    @model_validator(mode="after")
    def _comparable(self) -> Self:
        why = self.comparison and misfit(self.comparison.profile, self.kind)
        if why:
            raise ValueError(f"`comparison`: {why}")
        return self


class StdioProblem(_ProblemBase):
    """A program that reads standard input and writes standard output."""

    kind: Literal["stdio"] = Field(description="The kind of problem.", examples=["stdio"])
    tests: list[StdioTest] = Field(
        min_length=1,
        max_length=MAX_TESTS_COUNT,
        description="The tests, in the order that decides.",
    )
    checker: Checker | None = Field(
        None,
        description="The problem's own program that decides, where many answers are right; in place of a comparison.",
    )

    @model_validator(mode="after")
    def _one_decides(self) -> Self:
        if self.checker is not None and self.comparison is not None:
            raise ValueError("`checker` decides: leave `comparison` out")
        takes_arguments = self.checker is not None and self.checker.protocol != "function"
        if not takes_arguments and any(test.arguments for test in self.tests):
            raise ValueError("`arguments` of tests are for a checker that takes some")
        return self


class InteractiveTest(_TestBase):
    """One talk between a program and the problem's interactor."""

    input: str = Field(
        "", description="What the interactor is given and the program is not.", examples=["42\n"]
    )
    expected: str = Field(
        "", description="The answer file that the interactor is given.", examples=[""]
    )
    arguments: Arguments = Field(
        default_factory=list,
        description="Further arguments of the problem's checker or interactor, for this test.",
        examples=[[]],
    )
    id: Name | None = Field(None, description="Name of the test, echoed.", examples=["secret-1"])


class InteractiveProblem(_ProblemBase):
    """A program that talks with the problem's interactor through its standard input and output."""

    kind: Literal["interactive"] = Field(
        description="The kind of problem.", examples=["interactive"]
    )
    tests: list[InteractiveTest] = Field(
        min_length=1,
        max_length=MAX_TESTS_COUNT,
        description="The tests, in the order that decides.",
    )
    interactor: Interactor = Field(description="What the program talks with; it also decides.")
    checker: Checker | None = Field(
        None,
        description="Where the interactor speaks testlib's protocol: what decides on the file that it wrote.",
    )

    @model_validator(mode="after")
    def _decided_by_its_interactor(self) -> Self:
        if self.comparison is not None:
            raise ValueError("`interactor` decides: leave `comparison` out")
        if self.checker is not None and self.interactor.protocol != "testlib":
            raise ValueError("`checker` goes with an interactor of protocol 'testlib' alone")
        return self


class CallProblem(_ProblemBase):
    """A function, or a method of ``class Solution``, called with typed arguments."""

    kind: Literal["call"] = Field(description="The kind of problem.", examples=["call"])
    entry_point: Name = Field(
        pattern=r"^(Solution\(\)\.|Solution\.)?[A-Za-z_][A-Za-z0-9_]*$",
        description="Function name; a method of `class Solution` is found by its bare name too.",
        examples=["add"],
    )
    tests: list[CallTest] = Field(
        min_length=1,
        max_length=MAX_TESTS_COUNT,
        description="The tests, in the order that decides.",
    )


class AssertsProblem(_ProblemBase):
    """Test code: assert lines, HumanEval's ``check(candidate)``, or pytest-style functions."""

    kind: Literal["asserts"] = Field(description="The kind of problem.", examples=["asserts"])
    entry_point: Name | None = Field(
        None,
        pattern=r"^(Solution\(\)\.|Solution\.)?[A-Za-z_][A-Za-z0-9_]*$",
        description="What `check(candidate)` is called with.",
        examples=["add"],
    )
    tests: list[Annotated[AssertTest, BeforeValidator(_code_of_string)]] = Field(
        default_factory=list,
        max_length=MAX_TESTS_COUNT,
        description="Pieces of test code, each a test of its own.",
    )
    test_code: Source | None = Field(
        None,
        description="A module of test code: `check(candidate)`, or functions `test_…`, each a test.",
        examples=["def check(candidate):\n    assert candidate(1, 2) == 3\n"],
    )

    @model_validator(mode="after")
    def _has_tests(self) -> Self:
        if not self.tests and not (self.test_code and self.test_code.strip()):
            raise ValueError(
                "give `tests` or `test_code`: a problem without tests accepts everything"
            )
        if self.entry_point is None and _CHECK_OF_CANDIDATE.search(self.test_code or ""):
            raise ValueError(
                "`test_code` has check(candidate): name the candidate in `entry_point`"
            )
        return self


AnyProblem = StdioProblem | CallProblem | AssertsProblem | InteractiveProblem
Problem = Annotated[AnyProblem, Field(discriminator="kind")]


def problem_content(problem: AnyProblem) -> bytes:
    """A problem as compact UTF-8 JSON, keys sorted, unset fields left out."""
    content = json.dumps(
        problem.model_dump(mode="json", exclude_unset=True),
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
    )
    return content.encode()


def problem_id(problem: AnyProblem) -> str:
    """The content hash of a problem: sha256 over ``problem_content``."""
    return "sha256:" + hashlib.sha256(problem_content(problem)).hexdigest()


ProblemId = ContentHash
