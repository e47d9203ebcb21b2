"""The bundled examples are well formed and cover what they should."""

from pathlib import Path

import pytest

from evaluator_service.extraction import program_of
from evaluator_service.samples import Rollout, Sample, SampleFormatError, load_samples
from evaluator_service.verdicts import Verdict

FEWEST_PROBLEMS, FEWEST_ROLLOUTS, FEWEST_CHEATS = 14, 60, 15
ID = "sha256:" + "0" * 64


@pytest.fixture(scope="module")
def samples() -> list[Sample]:
    return load_samples()


@pytest.fixture(scope="module")
def rollouts(samples: list[Sample]) -> list[Rollout]:
    return [rollout for sample in samples for rollout in sample.rollouts]


def test_there_are_enough_examples(samples: list[Sample], rollouts: list[Rollout]) -> None:
    cheats = [rollout for rollout in rollouts if "/cheat_" in rollout.name]
    assert len(samples) >= FEWEST_PROBLEMS
    assert len(rollouts) >= FEWEST_ROLLOUTS
    assert len(cheats) >= FEWEST_CHEATS


def test_every_kind_occurs(samples: list[Sample]) -> None:
    assert {sample.problem.kind for sample in samples} == {
        "stdio",
        "call",
        "asserts",
        "interactive",
    }


def test_every_verdict_of_a_program_is_expected_somewhere(rollouts: list[Rollout]) -> None:
    certain = {rollout.expected[0] for rollout in rollouts if len(rollout.expected) == 1}
    assert certain == set(Verdict) - {Verdict.JUDGE_ERROR, Verdict.SKIPPED}


def test_every_problem_has_right_and_wrong_answers(samples: list[Sample]) -> None:
    for sample in samples:
        expected = [rollout.expected == (Verdict.ACCEPTED,) for rollout in sample.rollouts]
        assert {True, False} <= set(expected), sample.name


def test_every_rollout_says_why_in_a_sentence(rollouts: list[Rollout]) -> None:
    for rollout in rollouts:
        assert rollout.why.endswith("."), rollout.name
        assert len(rollout.why.split()) > 1, rollout.name


def test_every_problem_has_a_statement(samples: list[Sample]) -> None:
    assert all(sample.statement.strip() for sample in samples)


def test_no_code_is_found_exactly_where_none_is_expected(rollouts: list[Rollout]) -> None:
    for rollout in rollouts:
        found = program_of(rollout.submission(ID))
        assert (found.code is None) == (rollout.expected == (Verdict.NO_CODE,)), rollout.name


def test_what_would_harm_outside_a_jail_refuses_to_run(rollouts: list[Rollout]) -> None:
    harmful = [
        r
        for r in rollouts
        if any(w in r.text for w in ("rmtree(", "os.kill(", "True:\n    os.fork"))
    ]
    assert harmful
    assert all("not in a jail" in rollout.text for rollout in harmful)


def test_loading_twice_gives_the_same(samples: list[Sample]) -> None:
    assert load_samples() == samples


GOOD_PROBLEM = '{"kind": "stdio", "tests": [{"input": "", "expected": "1"}]}'


def write_example(folder: Path, rollout: str, problem: str = GOOD_PROBLEM) -> Path:
    home = folder / "problems" / "one"
    (home / "rollouts").mkdir(parents=True)
    (home / "statement.md").write_text("Print 1.")
    (home / "problem.json").write_text(problem)
    (home / "rollouts" / "r.md").write_text(rollout)
    return folder


@pytest.mark.parametrize(
    ("rollout", "complaint"),
    [
        ("print(1)\n", "begin with a header"),
        ("---\nwhy: So.\n---\nprint(1)\n", "lacks"),
        ("---\nexpect: fine\nwhy: So.\n---\n", "expect"),
        ("---\nexpect: accepted\nwhy: So.\nsend: code\n---\n", "send"),
        ("---\nexpect: accepted\nwhy: So.\nsent: code\n---\nprint(1)\n", "fence"),
    ],
)
def test_a_malformed_rollout_is_refused_by_name(
    tmp_path: Path, rollout: str, complaint: str
) -> None:
    with pytest.raises(SampleFormatError, match=rf"r\.md.*{complaint}"):
        load_samples(write_example(tmp_path, rollout))


@pytest.mark.parametrize("problem", ["{", '{"kind": "stdio"}', '{"kind": "x", "tests": []}'])
def test_a_malformed_problem_is_refused_by_name(tmp_path: Path, problem: str) -> None:
    folder = write_example(tmp_path, "---\nexpect: accepted\nwhy: It is.\n---\n", problem)
    with pytest.raises(SampleFormatError, match=r"problem\.json"):
        load_samples(folder)


def test_a_stand_in_for_nul_is_replaced(tmp_path: Path) -> None:
    folder = write_example(tmp_path, "---\nexpect: no_code\nwhy: It is.\nnul: ␀\n---\na␀b")
    assert load_samples(folder)[0].rollouts[0].text == "a\x00b"
