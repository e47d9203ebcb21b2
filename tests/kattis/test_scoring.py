"""Points become weights and groups, as far as those can say it; where not, that is said."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evaluator_service.kattis import Package
from evaluator_service.problem import StdioProblem
from tests.kattis.formats import NEW

Load = Callable[..., Package]
Refused = Callable[..., str]
Points = dict[str, tuple[float, str | None]]

OLD_SCORING = "type: scoring\n"
NEW_SCORING = NEW + "type: scoring\n"
ADDS = "grader_flags: sum\n"
LENIENT = "grader_flags: accept_if_any_accepted\non_reject: continue\n"
SIX = ["secret/a/1", "secret/a/2", "secret/b/1", "secret/b/2", "secret/b/3", "sample/1"]


def files(names: list[str], **settings: str) -> dict[str, str | None]:
    """Tests of these names, and the settings of groups by name, ``_`` for the root."""
    tests = {f"data/{name}{end}": "x" for name in names for end in (".in", ".ans")}
    return {"data/secret/1.in": None, "data/secret/1.ans": None, **tests, **settings}


def settings(file: str, **groups: str) -> dict[str, str]:
    places = {"root": "data", "sample": "data/sample", "secret": "data/secret"}
    return {
        f"{places.get(name, f'data/secret/{name}')}/{file}": text for name, text in groups.items()
    }


def old(**groups: str) -> dict[str, str | None]:
    return {"problem.yaml": OLD_SCORING, **files(SIX), **settings("testdata.yaml", **groups)}


def new(**groups: str) -> dict[str, str | None]:
    return {"problem.yaml": NEW_SCORING, **files(SIX), **settings("test_group.yaml", **groups)}


def points(package: Package) -> Points:
    return {worth.name: (worth.points, worth.group) for worth in package.scoring.worths}


def grouped(a: float, b: float, sample: float = 0.0) -> Points:
    """Two groups with these points, and a sample."""
    return {
        "sample/1": (sample, None),
        **{f"secret/a/{n}": (a / 2, "secret/a") for n in (1, 2)},
        **{f"secret/b/{n}": (b / 3, "secret/b") for n in (1, 2, 3)},
    }


def test_tests_of_a_problem_without_points_have_neither_weight_nor_group(load: Load) -> None:
    tests = load(files(SIX)).problem.tests
    assert {(test.weight, test.group) for test in tests} == {(1.0, None)}


# --- the old format -------------------------------------------------------------------------------


def test_groups_of_a_lenient_whole_earn_by_themselves(load: Load) -> None:
    package = load(
        old(
            root="grader_flags: ignore_sample",
            secret=LENIENT,
            a="accept_score: 30\ngrader_flags: min",
            b="accept_score: 70\ngrader_flags: min",
        )
    )
    assert points(package) == grouped(30, 70)
    assert package.departures == ()


def test_points_are_weights_and_a_sample_hardly_weighs(load: Load) -> None:
    package = load(
        old(
            root="grader_flags: ignore_sample",
            secret=LENIENT,
            a="accept_score: 30\ngrader_flags: min",
            b="accept_score: 70\ngrader_flags: min",
        )
    )
    assert isinstance(package.problem, StdioProblem)
    weights = {test.id: test.weight for test in package.problem.tests}
    assert weights["secret/a/1"] == 15.0
    assert weights["sample/1"] == pytest.approx(0.0001)


def test_a_group_that_adds_up_needs_all_of_its_tests(load: Load) -> None:
    package = load(
        old(
            root="grader_flags: ignore_sample",
            secret=LENIENT,
            a=ADDS + "accept_score: 5",
            b=ADDS + "accept_score: 7",
        )
    )
    assert points(package) == grouped(10, 21)


def test_tests_of_a_lenient_group_earn_by_themselves(load: Load) -> None:
    lenient = "accept_score: 5\ngrader_flags: always_accept"
    package = load(old(root="grader_flags: ignore_sample", secret=LENIENT, a=lenient, b=lenient))
    assert {each for name, each in points(package).items() if name != "sample/1"} == {(5.0, None)}


def test_an_average_divides(load: Load) -> None:
    lenient = "accept_score: 6\ngrader_flags: avg always_accept"
    found = points(
        load(old(root="grader_flags: ignore_sample", secret=LENIENT, a=lenient, b=lenient))
    )
    assert (found["secret/a/1"], found["secret/b/1"]) == ((3.0, None), (2.0, None))


def test_a_whole_that_needs_everything_is_one_group(load: Load) -> None:
    package = load(old(a="accept_score: 2"))
    assert {group for _, group in points(package).values()} == {"data"}
    assert package.scoring.points == pytest.approx(1 + 2 * 2 + 3)


def test_a_sample_that_everything_hangs_on_is_a_departure_that_is_told(load: Load) -> None:
    package = load(old(secret=LENIENT))
    assert package.departures == ("data: one of its parts has points here though another fails",)


def test_settings_are_inherited_from_the_group_above(load: Load) -> None:
    found = points(load(old(secret=LENIENT + "accept_score: 4\n")))
    assert found["secret/a/1"] == (4.0, None)


@pytest.mark.parametrize(
    ("groups", "why"),
    [
        ({"secret": "grader_flags: max always_accept"}, "data/secret/a: its score is the max of several"),
        ({"a": "reject_score: 1"}, "data/secret/a: a test that fails has points"),
        ({"a": "grading: custom\ngrader_flags: all 20"}, "data/secret/a: a grader of the package's own"),
    ],
)  # fmt: skip
def test_scores_that_cannot_be_said_are_left_out_and_told(
    load: Load, groups: dict[str, str], why: str
) -> None:
    package = load(old(**groups))
    assert package.departures[0].startswith(why)
    assert package.departures[0].endswith("every test has the same points here")
    assert set(points(package).values()) == {(1.0, None), (0.0, None)}


def test_without_points_a_grader_of_the_packages_own_is_refused(refused: Refused) -> None:
    words = refused({**old(a="grading: custom"), "problem.yaml": ""})
    assert words.startswith("data/secret/a/testdata.yaml:1: `grading`")


def test_without_points_a_group_must_not_pass_if_a_test_fails(refused: Refused) -> None:
    lenient = {**old(a="grader_flags: always_accept"), "problem.yaml": ""}
    assert refused(lenient).startswith("data/secret/a/testdata.yaml:1: `grader_flags`")


def test_a_validator_that_scores_has_the_top_of_the_range_as_its_best(
    load: Load, refused: Refused
) -> None:
    scoring = {
        **old(
            root="grader_flags: ignore_sample",
            secret=LENIENT,
            a="range: 0 40\ngrader_flags: min",
            b="range: 0 40\ngrader_flags: min",
        ),
        "problem.yaml": OLD_SCORING + "validation: custom score\n",
        "output_validators/v.py": "open(feedback + 'score.txt')",
        "data/sample/testdata.yaml": "range: 0 40",
    }
    package = load(scoring)
    assert isinstance(package.problem, StdioProblem)
    assert package.problem.checker is not None
    assert package.problem.checker.max_score == 40.0
    assert points(package) == grouped(40, 40)
    other = {**scoring, "data/secret/b/testdata.yaml": "range: 0 60\ngrader_flags: min"}
    assert "the best one is not the same for all tests (40, 60)" in refused(other)
    endless = {**scoring, "data/secret/b/testdata.yaml": "range: -inf +inf"}
    assert refused(endless).startswith("data/secret/b/testdata.yaml:1: `range` needs an upper end")


def test_scores_that_add_up_where_all_must_be_right_are_a_departure_that_is_told(
    load: Load,
) -> None:
    package = load(
        {
            **old(root="grader_flags: ignore_sample", secret="range: 0 10", sample="range: 0 0"),
            "problem.yaml": OLD_SCORING + "validation: custom score\n",
            "output_validators/v.py": "open('score_multiplier.txt')",
        }
    )
    assert "data/secret/a: its score follows from its worst test here" in package.departures


# --- the new format -------------------------------------------------------------------------------


def test_groups_pass_or_fail_unless_they_say_otherwise(load: Load) -> None:
    package = load(new(a="max_score: 30", b="max_score: 70"))
    assert points(package) == grouped(30, 70)


def test_points_that_nobody_claims_are_shared_evenly(load: Load) -> None:
    assert points(load(new(a="max_score: 30"))) == grouped(30, 70)
    assert points(load(new(secret="max_score: 10"))) == grouped(5, 5)


def test_a_group_that_adds_up_has_tests_that_earn_by_themselves(load: Load) -> None:
    found = points(load(new(a="max_score: 40\nscore_aggregation: sum")))
    assert (found["secret/a/1"], found["secret/b/1"]) == ((20.0, None), (20.0, "secret/b"))


def test_a_minimum_is_a_group(load: Load) -> None:
    found = points(load(new(a="max_score: 40\nscore_aggregation: min")))
    assert found["secret/a/1"] == (20.0, "secret/a")


def test_a_whole_that_passes_or_fails_is_one_group(load: Load) -> None:
    found = points(load(new(secret="score_aggregation: pass-fail")))
    assert {each for name, each in found.items() if name != "sample/1"} == {(20.0, "secret")}


def test_settings_of_a_draft_are_read(load: Load) -> None:
    assert points(load(new(a="scoring: {score: 30, aggregation: pass-fail}"))) == grouped(30, 70)


def test_a_group_that_needs_another_is_a_departure_that_is_told(load: Load) -> None:
    package = load(new(b="require_pass: secret/a"))
    assert package.departures == (
        "data/secret/b: it has points here though a group that it needs fails",
    )


@pytest.mark.parametrize(
    ("groups", "words"),
    [
        ({"secret": "max_score: unbounded"}, "data/secret/test_group.yaml:1: `max_score` is 'unbounded'"),
        ({"a": "max_score: many"}, "data/secret/a/test_group.yaml:1: `max_score` must be a number"),
        ({"a": "max_score: 101"}, "data/secret: its groups have more points than its 100"),
        ({"a": "score_aggregation: best"}, "data/secret/a/test_group.yaml:1: `score_aggregation` is 'best'"),
    ],
)  # fmt: skip
def test_points_that_make_no_sense_are_refused(
    refused: Refused, groups: dict[str, str], words: str
) -> None:
    assert refused(new(**groups)).startswith(words)


@pytest.mark.parametrize(
    ("source", "best"), [("open('score.txt')", 20.0), ("open('score_multiplier.txt')", 1.0)]
)
def test_the_best_score_is_what_a_test_can_earn(load: Load, source: str, best: float) -> None:
    adding = "score_aggregation: sum\nmax_score: {}"
    groups = new(a=adding.format(40), b=adding.format(60))
    problem = load({**groups, "output_validator/v.py": source}).problem
    assert isinstance(problem, StdioProblem)
    assert problem.checker is not None
    assert problem.checker.max_score == best
