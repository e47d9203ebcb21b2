"""Tests: their order, their answers, and what a program here cannot be given."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evaluator_service.kattis import Package
from tests.kattis.formats import NEW

Load = Callable[..., Package]
Refused = Callable[..., str]


def names(package: Package) -> list[str | None]:
    return [test.id for test in package.problem.tests]


def test_samples_come_first_and_groups_are_sorted_among_tests(load: Load) -> None:
    found = [
        "secret/b",
        "secret/a/2",
        "secret/a/10",
        "secret/a-b",
        "sample/z",
        "secret/1",
        "secret/1-b",
    ]
    files = {f"data/{name}{end}": "x" for name in found for end in (".in", ".ans")}
    assert names(load(files)) == [
        "sample/z", "secret/1", "secret/1-b", "secret/a/10", "secret/a/2", "secret/a-b", "secret/b",
    ]  # fmt: skip


def test_text_is_kept_as_it_is(load: Load) -> None:
    [test] = load(
        {"data/secret/1.in": "a\r\n\tb", "data/secret/1.ans": "\ufeffü\r\n"}
    ).problem.tests
    assert (test.input, test.expected) == ("a\r\n\tb", "\ufeffü\r\n")  # type: ignore[union-attr]


def test_what_validators_are_tried_on_is_no_test(load: Load) -> None:
    package = load(
        {"data/invalid_input/1.in": "x", "data/valid_output/1.in": "x", "data/old.in": "x"}
    )
    assert names(package) == ["secret/1"]


def test_pictures_and_answers_without_a_test_are_passed_over(load: Load) -> None:
    package = load(
        {"data/secret/1.png": b"\xff", "data/secret/2.ans": "x", "data/secret/1.desc": "x"}
    )
    assert names(package) == ["secret/1"]


def test_a_test_without_answer_is_refused_where_outputs_are_compared(refused: Refused) -> None:
    assert refused({"data/secret/1.ans": None}).startswith("data/secret/1.in: there is no answer")


def test_a_validator_may_do_without_an_answer(load: Load) -> None:
    validator = {"output_validators/v.py": "x", "problem.yaml": "validation: custom"}
    [test] = load({**validator, "data/secret/1.ans": None}).problem.tests
    assert test.expected == ""  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "files", [{"data/secret/1.in": None}, {"data/secret/1.in": None, "data/x.in": "x"}]
)
def test_a_package_without_tests_is_refused(refused: Refused, files: dict[str, str]) -> None:
    assert refused(files).startswith("data: no tests in sample/ or secret/")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("data/secret/1.args", "data/secret/1.args: files and arguments of a test"),
        ("data/secret/1.files/x", "data/secret/1.files: files and arguments of a test"),
    ],
)
def test_files_and_arguments_of_a_test_are_refused(refused: Refused, name: str, words: str) -> None:
    assert refused({name: "x"}).startswith(words)


@pytest.mark.parametrize("name", ["secret/1.yaml", "secret/test_group.yaml", "test_group.yaml"])
def test_arguments_in_yaml_are_refused(refused: Refused, name: str) -> None:
    words = refused({f"data/{name}": "args: [-v]\n", "problem.yaml": NEW})
    assert words.startswith(f"data/{name}:1: `args`")


@pytest.mark.parametrize("key", ["static_validation: true", "static_validation_score: 10"])
def test_a_static_validator_is_refused(refused: Refused, key: str) -> None:
    words = refused({"problem.yaml": NEW, "data/secret/test_group.yaml": key})
    assert words.startswith("data/secret/test_group.yaml:1: `static_validation")


def test_of_long_names_the_end_is_kept(load: Load) -> None:
    name = f"secret/{'a' * 150}/{'b' * 100}"
    package = load(
        {"problem.yaml": "type: scoring", f"data/{name}.in": "x", f"data/{name}.ans": "x"}
    )
    assert names(package) == ["secret/1", name[-128:]]
