"""Who decides: the default validator's flags become a comparison, a program of the package a checker or interactor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from evaluator_service.kattis import Package
from evaluator_service.policy import Comparison
from evaluator_service.problem import InteractiveProblem, StdioProblem
from evaluator_service.programs import Checker, Interactor
from tests.kattis.formats import NEW

Load = Callable[..., Package]
Refused = Callable[..., str]

CUSTOM = "validation: custom\n"
CPP = "int main() { return 42; }"


def compared(package: Package) -> Comparison | None:
    return package.problem.comparison


def checker(package: Package) -> Checker:
    assert isinstance(package.problem, StdioProblem)
    assert package.problem.checker is not None
    return package.problem.checker


# --- the default validator ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("flags", "fields"),
    [
        ("", {}),
        ("case_sensitive", {"case": "strict"}),
        ("space_change_sensitive", {"whitespace": "strict"}),
        ("float_tolerance 1e-6", {"absolute_tolerance": 1e-6, "relative_tolerance": 1e-6}),
        ("float_absolute_tolerance 0.5", {"absolute_tolerance": 0.5}),
        (
            "float_relative_tolerance 1E-9 case_sensitive",
            {"relative_tolerance": 1e-9, "case": "strict"},
        ),
    ],
)
def test_flags_of_the_default_validator_become_a_comparison(
    load: Load, flags: str, fields: dict[str, Any]
) -> None:
    wanted = Comparison(profile="kattis", **fields)
    assert compared(load({"problem.yaml": f"validator_flags: {flags}"})) == wanted
    yaml = f"output_validator_args: [{flags.replace(' ', ', ')}]"
    assert compared(load({"problem.yaml": NEW, "data/secret/test_group.yaml": yaml})) == wanted


@pytest.mark.parametrize(
    "flags", ["odd", "float_tolerance", "float_tolerance x", "float_tolerance -1"]
)
def test_flags_that_it_does_not_have_are_refused(refused: Refused, flags: str) -> None:
    words = f"output validator flag '{flags.split(maxsplit=1)[0]}'"
    assert refused({"problem.yaml": f"validator_flags: {flags}"}).startswith(words)


def test_flags_of_the_old_format_are_read_in_the_new_one_too(load: Load) -> None:
    wanted = Comparison(profile="kattis", case="strict")
    assert compared(load({"problem.yaml": NEW + "validator_flags: case_sensitive\n"})) == wanted


def test_groups_of_the_old_format_add_to_the_flags_of_the_problem(load: Load) -> None:
    files = {
        "problem.yaml": "validator_flags: case_sensitive",
        "data/testdata.yaml": "output_validator_flags: float_tolerance 0.1",
    }
    wanted = Comparison(
        profile="kattis", case="strict", absolute_tolerance=0.1, relative_tolerance=0.1
    )
    assert compared(load(files)) == wanted


def test_flags_may_stand_beside_the_name_of_a_validator(load: Load) -> None:
    yaml = "output_validator_flags: {name: v, flags: case_sensitive}"
    wanted = Comparison(profile="kattis", case="strict")
    assert compared(load({"data/testdata.yaml": yaml})) == wanted


def test_a_group_takes_the_place_of_what_stands_above(load: Load) -> None:
    files = {
        "problem.yaml": NEW + "output_validator_args: [odd]\n",
        "data/test_group.yaml": "output_validator_args: [odd]",
        "data/secret/test_group.yaml": "output_validator_args: [odd]",
        "data/secret/1.yaml": "output_validator_args: [case_sensitive]",
    }
    assert compared(load(files)) == Comparison(profile="kattis", case="strict")


def test_other_flags_for_other_tests_are_refused_with_both(refused: Refused) -> None:
    files = {
        "problem.yaml": NEW,
        "data/secret/2.in": "x",
        "data/secret/2.ans": "x",
        "data/secret/2.yaml": "output_validator_args: [case_sensitive]",
    }
    words = refused(files)
    assert words.startswith("data/secret/2.in: the default output validator gets other flags")
    assert "(case_sensitive) than for data/secret/1.in (none)" in words


# --- a validator of the package's own -------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["output_validators/v.cpp", "output_validators/check/v.cpp", "output_validator/v.cpp"],
)
def test_a_validator_is_found_as_file_and_in_a_folder(load: Load, name: str) -> None:
    found = checker(load({"problem.yaml": CUSTOM + "validator_flags: 3 'a b'", name: CPP}))
    assert found == Checker(
        protocol="kattis", language="cpp", code=CPP, file_name="v.cpp", arguments=["3", "a b"]
    )


@pytest.mark.parametrize(
    "folder", ["output_validator", "output_validator/check", "output_validators"]
)
def test_the_new_format_uses_a_validator_where_there_is_one(load: Load, folder: str) -> None:
    assert checker(load({"problem.yaml": NEW, f"{folder}/v.py": "x"})).language == "python"


def test_the_old_format_uses_it_only_if_problem_yaml_wants_it(load: Load) -> None:
    assert compared(load({"output_validators/v.cpp": CPP})) == Comparison(profile="kattis")


def test_further_files_go_with_it(load: Load) -> None:
    files = {"b.cpp": CPP, "a.cpp": "int f();", "lib/x.h": "", "a.out": b"\xff\x00"}
    found = checker(
        load({"problem.yaml": CUSTOM, **{f"output_validators/v/{k}": v for k, v in files.items()}})
    )
    assert (found.code, found.files) == (CPP, {"a.cpp": "int f();", "lib/x.h": ""})


def test_a_header_beside_a_single_file_goes_with_it(load: Load) -> None:
    files = {"output_validators/v.cc": CPP, "output_validators/v.h": "x"}
    assert checker(load({"problem.yaml": CUSTOM, **files})).files == {"v.h": "x"}


def test_a_python_package_is_entered_by_its_main_module(load: Load) -> None:
    files = {f"output_validator/{name}.py": name for name in ("__init__", "__main__", "a")}
    found = checker(load({"problem.yaml": NEW, **files}))
    assert found.code == "__main__"
    assert sorted(found.files) == ["__init__.py", "a.py"]


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ([], "output_validators: no output validator is there"),
        (["a.cpp", "b.py"], "output_validators: several output validators"),
        (["a/v.cpp", "b/v.cpp"], "output_validators: several output validators"),
        (["a/v.cpp", "v.cpp"], "output_validators: several output validators"),
        (
            ["v/build", "v/v.cpp"],
            "output_validators/v/build: validators that build or run themselves",
        ),
        (["v/run"], "output_validators/v/run: validators that build or run themselves"),
        (["v.kt"], "output_validators: validators in kotlin are not supported"),
        (["v.txt"], "output_validators: no programming language is known by .txt"),
    ],
)
def test_validators_that_cannot_be_run_are_refused(
    refused: Refused, names: list[str], words: str
) -> None:
    files = {f"output_validators/{name}": "x" for name in names}
    assert refused({"problem.yaml": CUSTOM, **files}).startswith(words)


def test_an_interactive_problem_has_an_interactor(load: Load) -> None:
    for yaml in ("validation: custom interactive\n", NEW + "type: interactive\n"):
        problem = load({"problem.yaml": yaml, "output_validators/v.cpp": CPP}).problem
        assert isinstance(problem, InteractiveProblem)
        assert problem.interactor == Interactor(
            protocol="kattis", language="cpp", code=CPP, file_name="v.cpp", arguments=[]
        )


def test_an_interactive_problem_without_a_validator_is_refused(refused: Refused) -> None:
    assert "no output validator" in refused({"problem.yaml": NEW + "type: interactive\n"})


def test_a_file_of_ours_says_that_it_speaks_testlibs_protocol(load: Load, refused: Refused) -> None:
    files = {"problem.yaml": CUSTOM, "output_validators/v.cpp": CPP}
    ours = {"microcoder.yaml": "output_validator_protocol: testlib"}
    assert checker(load({**files, **ours})).protocol == "testlib"
    odd = {"microcoder.yaml": "output_validator_protocol: odd"}
    assert refused({**files, **odd}).startswith("microcoder.yaml:1: `output_validator_protocol`")


def test_a_file_of_ours_says_which_score_is_the_best(load: Load) -> None:
    files = {
        "problem.yaml": NEW + "type: scoring\n",
        "output_validator/v.py": "open('score.txt')",
        "microcoder.yaml": "max_score: 7.5",
    }
    assert checker(load(files)).max_score == 7.5


def test_constants_are_put_into_programs(load: Load) -> None:
    yaml = NEW + "constants: {max_n: 100}\n"
    files = {
        "output_validator/v.py": "n = {{max_n}}, {{other}}",
        "submissions/accepted/a.py": "{{max_n}}",
    }
    package = load({"problem.yaml": yaml, **files})
    assert checker(package).code == "n = 100, {{other}}"
    assert package.submissions[0].source.code == "100"


def test_more_than_the_wire_takes_is_refused_in_its_words(refused: Refused) -> None:
    yaml = CUSTOM + f"validator_flags: {'x ' * 65}\n"
    words = refused({"problem.yaml": yaml, "output_validators/v.cpp": CPP})
    assert words == "checker.arguments: List should have at most 64 items after validation, not 65"


def test_code_that_is_too_long_for_the_wire_is_refused(refused: Refused) -> None:
    words = refused({"problem.yaml": CUSTOM, "output_validators/v.cpp": "x" * 1_000_001})
    assert words == "output_validators: 'v.cpp' has more than 1000000 characters"


def test_each_test_brings_its_own_arguments_where_they_differ(load: Load) -> None:
    files = {
        "problem.yaml": CUSTOM,
        "output_validators/v.cpp": CPP,
        "data/secret/2.in": "x",
        "data/secret/2.ans": "x",
        "data/secret/a/1.in": "x",
        "data/secret/a/1.ans": "x",
        "data/secret/a/testdata.yaml": "output_validator_flags: exactly 3",
    }
    package = load(files)
    assert checker(package).arguments == []
    assert isinstance(package.problem, StdioProblem)
    first, *_, last = package.problem.tests
    assert (first.arguments, last.arguments) == ([], ["exactly", "3"])
