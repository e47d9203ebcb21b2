"""What names a judgement: everything that decides it, and nothing else."""

from __future__ import annotations

import time
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from evaluator_service.reuse import identity_of
from evaluator_service.schema import StdioProblem, Submission, SubmissionBase, problem_id
from evaluator_service.work import Work

DECIDING: dict[str, list[Any]] = {
    "problem": [
        StdioProblem.model_validate({"kind": "stdio", "tests": [{"expected": e}]}) for e in "78"
    ],
    "code": ["print(7)", "print(7)\n", "print(8)"],
    "language": ["python", "pypy3"],
    "files": [{}, {"a.py": ""}, {"a.py": " "}],
    "file_name": [None, "main.py"],
    "limits": [None, {"cpu_time_seconds": 1.0}, {"memory_bytes": 1 << 25}],
    "comparison": [None, {"profile": "strict"}, {"absolute_tolerance": 0.5}],
    "stop": ["first_failure", "never"],
    "isolation_mode": ["strict", "auto"],
    "reward": ["all_or_nothing", "fraction", "weighted"],
    "report": ["summary", "tests", "full"],
}
INDIFFERENT: dict[str, list[Any]] = {
    "id": [None, "a", "b"],
    "deadline_seconds": [None, 1.0, 60.0],
    "priority": ["train", "eval"],
    "metadata": [{}, {"step": 1}],
}
NAMED_OTHERWISE = {"completion", "problem_id", "first_k", "keep_outputs"}
"""A text of its own, the problem by its hash, what needs `reward` beside it, and what is never reused."""


def one_of_each(values: dict[str, list[Any]]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({name: st.sampled_from(some) for name, some in values.items()})


def identity(fields: dict[str, Any], judged_by: str = "this version") -> str | None:
    submission = Submission.model_validate(fields)
    problem = fields["problem"]
    return identity_of(Work(submission, problem, problem_id(problem), time.monotonic()), judged_by)


deciding, indifferent = one_of_each(DECIDING), one_of_each(INDIFFERENT)


@given(deciding, indifferent, indifferent)
def test_what_decides_nothing_changes_no_name(
    fields: dict[str, Any], one: dict[str, Any], other: dict[str, Any]
) -> None:
    assert identity(fields | one) == identity(fields | other)


@given(
    deciding,
    st.sampled_from(sorted(DECIDING)).flatmap(
        lambda name: st.tuples(st.just(name), st.sampled_from(DECIDING[name]))
    ),
)
def test_whatever_decides_changes_the_name(fields: dict[str, Any], change: tuple[str, Any]) -> None:
    name, value = change
    assert (identity(fields) == identity(fields | {name: value})) == (fields[name] == value)


def test_the_same_program_sent_as_a_completion_is_another() -> None:
    as_code = {"problem": DECIDING["problem"][0], "code": "print(7)"}
    as_completion = {"problem": DECIDING["problem"][0], "completion": "print(7)"}
    assert identity(as_code) != identity(as_completion)


def test_another_judge_is_another_name() -> None:
    fields = {"problem": DECIDING["problem"][0], "code": "print(7)"}
    assert identity(fields, "this version") != identity(fields, "the next version")


def test_who_wants_outputs_kept_gets_a_run_of_its_own() -> None:
    fields = {"problem": DECIDING["problem"][0], "code": "print(7)", "report": "tests"}
    assert identity(fields | {"keep_outputs": True}) is None


def test_every_field_of_a_submission_is_thought_of_here() -> None:
    named = DECIDING.keys() | INDIFFERENT.keys() | NAMED_OTHERWISE
    assert named == SubmissionBase.model_fields.keys() | {"problem"}
