"""problem.yaml: limits, types, and what cannot be judged is refused with its line."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evaluator_service.kattis import Package
from evaluator_service.problem import Limits
from tests.kattis.formats import NEW

Load = Callable[..., Package]
Refused = Callable[..., str]


def test_an_empty_problem_yaml_is_a_problem_of_the_old_format(load: Load) -> None:
    package = load({"problem.yaml": ""})
    assert package.problem.kind == "stdio"
    assert package.problem.limits is None
    assert package.timing.multiplier == 5.0


def test_limits_are_in_our_units(load: Load) -> None:
    yaml = NEW + "limits:\n  memory: 512\n  output: 2\n  compilation_time: 9\n  time_limit: 1.5\n"
    assert load({"problem.yaml": yaml}).problem.limits == Limits(
        cpu_time_seconds=1.5, memory_bytes=512 << 20, output_bytes=2 << 20, compile_time_seconds=9
    )


def test_so_little_memory_that_nothing_starts_is_raised_to_what_the_wire_takes(load: Load) -> None:
    limits = load({"problem.yaml": "limits: {memory: 1}\n"}).problem.limits
    assert limits == Limits(memory_bytes=16 << 20)


@pytest.mark.parametrize(
    ("files", "seconds"),
    [
        ({".timelimit": "2\r\n"}, 2.0),
        ({"domjudge-problem.ini": "name = x\ntimelimit='3'\n"}, 3.0),
        ({"domjudge-problem.ini": 'probid = "a"\r\nTimelimit = 1.5\r\n'}, 1.5),
        ({".timelimit": "2", "domjudge-problem.ini": "timelimit=3"}, 2.0),
        ({".timelimit": "2", "problem.yaml": "limits: {time_limit: 4}"}, 4.0),
        ({"domjudge-problem.ini": "timelimit=3", "problem.yaml": None}, 3.0),
        ({"domjudge-problem.ini": "name=timelimit\n"}, None),
    ],
)
def test_a_time_limit_is_found_where_older_tools_left_it(
    load: Load, files: dict[str, str], seconds: float | None
) -> None:
    assert load(files).timing.limit_seconds == seconds


def test_multipliers_of_both_formats_are_read(load: Load) -> None:
    old = load({"problem.yaml": "limits: {time_multiplier: 3}"}).timing
    assert (old.multiplier, old.resolution_seconds) == (3.0, 1.0)
    new = "limits:\n  time_multipliers: {ac_to_time_limit: 4}\n  time_resolution: 0.1\n"
    timing = load({"problem.yaml": NEW + new}).timing
    assert (timing.multiplier, timing.resolution_seconds) == (4.0, 0.1)


@pytest.mark.parametrize(
    ("yaml", "words"),
    [
        ("problem_format_version: 2031-01\n", "problem.yaml:1: `problem_format_version` is '2031-01'"),
        (NEW + "type: [scoring, multi-pass]\n", "problem.yaml:3: `type` is 'multi-pass'"),
        (NEW + "type: submit-answer\n", "problem.yaml:3: `type` is 'submit-answer'"),
        ("type: odd\n", "problem.yaml:1: `type` is 'odd'"),
        ("validation: custom multi-pass\n", "problem.yaml:1: `validation` is 'multi-pass'"),
        ("validation: own\n", "problem.yaml:1: `validation` has 'own'"),
        ("limits:\n  memory: much\n", "problem.yaml:2: `memory` must be a positive number, not 'much'"),
        ("limits:\n  memory: -1\n", "problem.yaml:2: `memory` must be a positive number"),
        ("limits: 3\n", "problem.yaml:1: `limits` must be a mapping"),
        ("type: scoring\ngrading:\n  objective: min\n", "problem.yaml:3: `objective` must be 'max'"),
    ],
)  # fmt: skip
def test_what_cannot_be_judged_is_refused_with_its_line(
    refused: Refused, yaml: str, words: str
) -> None:
    assert refused({"problem.yaml": yaml}).startswith(words)


def test_a_time_limit_that_is_none_names_its_file(refused: Refused) -> None:
    assert refused({".timelimit": "soon"}).startswith(".timelimit: the time limit must be")


def test_a_folder_without_a_problem_yaml_is_no_package(refused: Refused) -> None:
    assert refused({"problem.yaml": None}).startswith("problem.yaml: not there")
