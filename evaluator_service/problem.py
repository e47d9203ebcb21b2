"""Problems on the wire: tests, limits, comparison policy, and the content hash that names a problem.

Part of ``schema``, which re-exports all of it. Needs pydantic alone and Python >= 3.11. Every model is
frozen and refuses unknown fields. Nothing here runs or parses hostile text.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
    model_validator,
)

from evaluator_service.profiles import TRAITS, Profile, misfit

MAX_SOURCE_CHARACTERS = 1_000_000
MAX_TESTS_COUNT = 10_000


class Wire(BaseModel):
    """What all messages share: frozen, unknown fields refused, no NaN where a number is a limit."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, allow_inf_nan=False, hide_input_in_errors=True
    )


def _no_null_byte(text: str) -> str:
    if "\x00" in text:
        raise ValueError("must not contain NUL characters")
    return text


Name = Annotated[
    str, StringConstraints(min_length=1, max_length=128), AfterValidator(_no_null_byte)
]
Source = Annotated[str, StringConstraints(max_length=MAX_SOURCE_CHARACTERS)]
Order = Literal["strict", "lines", "tokens", "elements", "nested", "tree"]
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


_CASE_COUNTS = ("case", "strict")
"""The one setting beside the defaults that every profile may be given: it holds where none knows the field."""


class Comparison(Wire):
    """How outputs are compared with what is expected."""

    profile: Profile = Field(
        "flexible",
        description="`flexible`: what means the same, by the first of several methods that matches; `strict`: the "
        "same text but for white space at its end, or what Python's `==` accepts; `microcoder`: a permissive chain; "
        "the others as the grader of that name does, its mistakes included. The result names the method. "
        "Where no comparison is given at all, problems of kind `asserts` are compared by `strict`.",
        examples=["flexible"],
    )
    absolute_tolerance: float | None = Field(
        None,
        ge=0,
        description="Allowed |expected - actual|, in the unit of the output; reaches integers as well.",
        examples=[1e-6],
    )
    relative_tolerance: float | None = Field(
        None,
        ge=0,
        description="Allowed |expected - actual| / |expected|, a ratio; reaches integers as well.",
        examples=[1e-6],
    )
    order: Order = Field(
        "strict",
        description="What may come in any order: nothing; lines or tokens of the text; elements of the "
        "outermost container; of every container (nested); or LeetCode trees. Multiplicity always counts.",
        examples=["strict"],
    )
    case: Literal["strict", "ignore"] = Field(
        "strict",
        description="Whether letter case counts; unset, it does not for `kattis` and `sandboxfusion`.",
        examples=["strict"],
    )
    whitespace: Literal["flexible", "strict"] = Field(
        "flexible",
        description="Whether runs of spaces and blank lines count.",
        examples=["flexible"],
    )

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if "case" not in self.model_fields_set and not TRAITS[self.profile].case_counts:
            object.__setattr__(self, "case", "ignore")  # frozen from here on; still unset
        unknown = sorted(self._loosened() - TRAITS[self.profile].fields)
        if unknown:
            raise ValueError(f"profile '{self.profile}' allows none of: {', '.join(unknown)}")
        if self.whitespace == "strict" and self.order != "strict":
            raise ValueError(f"order '{self.order}' cannot keep whitespace strict")
        if self.profile == "dmoj_floats" and not self._has_one_precision():
            raise ValueError(
                "profile 'dmoj_floats' has one precision: give one tolerance, or both alike"
            )
        return self

    def _loosened(self) -> set[str]:
        """The fields that ask for something."""
        return {
            name
            for name in self.model_fields_set - {"profile"}
            if getattr(self, name) != type(self).model_fields[name].default
            and (name, getattr(self, name)) != _CASE_COUNTS
        }

    def _has_one_precision(self) -> bool:
        given = {self.absolute_tolerance, self.relative_tolerance} - {None}
        return len(given) <= 1

    def under(self, profile: Profile) -> Comparison:
        """This policy under another profile: the fields that it knows stay, the others fall away.

        Raises:
            ValueError: If what stays contradicts itself there.
        """
        kept = TRAITS[profile].fields & self.model_fields_set
        if (self.case == "strict") == TRAITS[self.profile].case_counts:
            kept -= {
                "case"
            }  # as its own profile has it, which a policy written out in full says of itself
        known = {name: getattr(self, name) for name in kept}
        return Comparison(profile=profile, **known)


class StdioTest(Wire):
    """One run of a program: text on standard input, text expected on standard output."""

    input: str = Field("", description="Standard input, UTF-8.", examples=["3 4\n"])
    expected: str = Field(description="Expected standard output, UTF-8.", examples=["7\n"])
    weight: float = Field(
        1.0, gt=0, description="Share in a weighted reward, a ratio.", examples=[1.0]
    )
    group: Name | None = Field(
        None,
        description="Tests of one group earn a partial reward only if all of them are accepted.",
        examples=["subtask-1"],
    )
    id: Name | None = Field(None, description="Name of the test, echoed.", examples=["sample-1"])


class CallTest(Wire):
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
    weight: float = Field(
        1.0, gt=0, description="Share in a weighted reward, a ratio.", examples=[1.0]
    )
    group: Name | None = Field(
        None,
        description="Tests of one group earn a partial reward only if all of them are accepted.",
        examples=["subtask-1"],
    )
    id: Name | None = Field(None, description="Name of the test, echoed.", examples=["empty list"])


class AssertTest(Wire):
    """One piece of test code, usually a single ``assert``. A bare string means ``{"code": string}``."""

    code: Source = Field(
        min_length=1, description="Python test code.", examples=["assert add(1, 2) == 3"]
    )
    weight: float = Field(
        1.0, gt=0, description="Share in a weighted reward, a ratio.", examples=[1.0]
    )
    group: Name | None = Field(
        None,
        description="Tests of one group earn a partial reward only if all of them are accepted.",
        examples=["subtask-1"],
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


Problem = Annotated[StdioProblem | CallProblem | AssertsProblem, Field(discriminator="kind")]


def problem_id(problem: StdioProblem | CallProblem | AssertsProblem) -> str:
    """The content hash of a problem: sha256 over compact UTF-8 JSON, keys sorted, unset fields left out."""
    content = json.dumps(
        problem.model_dump(mode="json", exclude_unset=True),
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
    )
    return "sha256:" + hashlib.sha256(content.encode()).hexdigest()


ContentHash = Annotated[str, StringConstraints(pattern=r"^sha256:[0-9a-f]{64}$")]
ProblemId = ContentHash
