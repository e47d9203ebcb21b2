"""Kept outputs of real runs: whose they are, and that looking at them again says what judging said."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from evaluator_service import values
from evaluator_service.content_folder import content_id
from evaluator_service.judge import Judge
from evaluator_service.rescore import rescore
from evaluator_service.schema import Judgement, Rescoring, TestResult
from evaluator_service.verdicts import NO_PENALTIES, RewardMode, Verdict

pytestmark = pytest.mark.nsjail

STDIO = {"kind": "stdio", "tests": [{"input": f"{n}\n", "expected": f"{n}.0"} for n in range(5)]}
CALL = {
    "kind": "call",
    "entry_point": "f",
    "tests": [{"args": [n], "expected": [n], "weight": n + 1} for n in range(5)],
}
ASSERTS = {"kind": "asserts", "entry_point": "f", "tests": ["assert f(1) == [1]"] * 3}
RUNS: dict[str, tuple[str, dict[str, Any]]] = {
    "right texts": ("print(int(input()) + 1e-10)", STDIO),
    "wrong texts": ("x = input()\nprint(float(x) + (x in '24'))", STDIO),
    "a late crash": ("x = int(input())\nprint(x + 1e-10)\n1 // (3 - x)", STDIO),
    "right values": ("def f(x): return (x,)", CALL),
    "a wrong value": ("def f(x): return [x + (x == 3)]", CALL),
    "right values of test code": ("def f(x): return [x]", ASSERTS),
    "wrong values of test code": ("def f(x): return (x,)", ASSERTS),
    "no program": ("def f(x) return", CALL),
}


def outputs_of(judgement: Judgement) -> list[str | None]:
    return [test.output for test in judgement.tests]


@pytest.mark.parametrize("mode", ["strict", "auto"])
def test_what_a_program_wrote_is_kept(judged: Any, judge: Judge, mode: str) -> None:
    code = "x = input()\nprint('' if x == '3' else x + '.0')"
    judgement = judged(code, STDIO, isolation_mode=mode, keep_outputs=True, stop="never")
    assert judgement.passed == 4
    wrote = [b"0.0\n", b"1.0\n", b"2.0\n", b"\n", b"4.0\n"]
    assert outputs_of(judgement) == [content_id(each) for each in wrote]
    assert [judge.outputs.get(name or "") for name in outputs_of(judgement)] == wrote


@pytest.mark.parametrize("report", ["tests", "full"])
@pytest.mark.parametrize("mode", ["strict", "auto"])
def test_what_a_function_returned_is_kept_as_it_travelled(
    judged: Any, judge: Judge, mode: str, report: str
) -> None:
    terms = {"isolation_mode": mode, "report": report, "keep_outputs": True}
    judgement = judged("def f(x): return (x,)", CALL, **terms)
    assert judgement.isolation.mode == mode
    packed = [judge.outputs.get(name or "") for name in outputs_of(judgement)]
    assert [values.from_msgpack(each or b"") for each in packed] == [(n,) for n in range(5)]


def test_nothing_is_kept_unless_asked_for(judged: Any, judge: Judge) -> None:
    judgement = judged("print('a word that nobody else prints')", STDIO)
    assert outputs_of(judgement) == [None] * 5
    assert judge.outputs.get(content_id(b"a word that nobody else prints\n")) is None


def test_what_came_to_no_comparison_has_no_output(judged: Any) -> None:
    judgement = judged("print(input() + '.0')\n1/0", STDIO, keep_outputs=True)
    assert outputs_of(judgement) == [None] * 5


def again(judgement: Judgement, problem: Any, judge: Judge, **terms: Any) -> Judgement:
    document = judgement.model_dump(mode="json")
    asked = Rescoring.model_validate({"problem": problem, "judgement": document, **terms})
    assert asked.problem is not None
    name = judgement.problem_id or ""
    return rescore(asked, asked.problem, name, judge, NO_PENALTIES).judgement


def outline(test: TestResult) -> Any:
    return test.index, test.verdict, test.comparison


@pytest.mark.parametrize("reward", get_args(RewardMode))
@pytest.mark.parametrize("name", RUNS)
def test_the_same_terms_say_the_same(judged: Any, judge: Judge, name: str, reward: str) -> None:
    code, problem = RUNS[name]
    terms = {"reward": reward, **({"first_k": 2} if reward == "first_k" else {})}
    judgement = judged(code, problem, keep_outputs=True, **terms)
    assert again(judgement, problem, judge, report="full") == judgement


@pytest.mark.parametrize("name", RUNS)
def test_other_terms_say_what_judging_by_them_says(judged: Any, judge: Judge, name: str) -> None:
    code, problem = RUNS[name]
    everything = judged(code, problem, keep_outputs=True, reward="fraction")
    for profile in ("strict", "flexible"):
        for reward in get_args(RewardMode):
            terms: dict[str, Any] = {"comparison": {"profile": profile}, "reward": reward}
            terms |= {"first_k": 3} if reward == "first_k" else {}
            anew = judged(code, problem, **terms)
            rescored = again(everything, problem, judge, **terms)
            assert (rescored.verdict, rescored.reward) == (anew.verdict, anew.reward)


@pytest.mark.parametrize("program", ["def f(x): return x", "def f(x): return x + (x == 2)"])
def test_what_test_code_decided_stands_whatever_the_comparison(
    judged: Any, judge: Judge, program: str
) -> None:
    problem = {**ASSERTS, "tests": ["assert f(1) == 1", "for n in [1, 2]: assert f(n) == n"]}
    judgement = judged(program, problem, keep_outputs=True)
    assert again(judgement, problem, judge).verdict is judgement.verdict
    assert again(judgement, problem, judge, comparison={"profile": "flexible"}).verdict is (
        judgement.verdict
    )


@pytest.mark.parametrize("kind", ["stdio", "call", "asserts"])
def test_a_group_earns_its_share_only_whole_and_so_it_does_rescored(
    judged: Any, judge: Judge, kind: str
) -> None:
    groups = ["a", "a", "b", None]
    tests: dict[str, list[dict[str, Any]]] = {
        "stdio": [{"input": f"{n}", "expected": f"{n}"} for n in range(4)],
        "call": [{"args": [n], "expected": n} for n in range(4)],
        "asserts": [{"code": f"assert f({n}) == {n}"} for n in range(4)],
    }
    problem: dict[str, Any] = {
        "kind": kind,
        "tests": [
            {**test, "group": group} for test, group in zip(tests[kind], groups, strict=True)
        ],
    }
    code = "x = int(input())\nprint(x + (x == 1))"
    if kind != "stdio":
        problem["entry_point"], code = "f", "def f(x): return x + (x == 1)"
    judgement = judged(code, problem, reward="fraction", keep_outputs=True)
    assert (judgement.passed, judgement.reward) == (3, 0.5)
    assert again(judgement, problem, judge).reward == 0.5


def test_only_the_first_k_tests_run(judged: Any) -> None:
    code = "x = input()\nprint(float(x))\n1 / (x != '2')"
    judgement = judged(code, STDIO, reward="first_k", first_k=2)
    assert (judgement.verdict, judgement.reward) == (Verdict.ACCEPTED, 1.0)
    assert [test.verdict for test in judgement.tests[2:]] == [Verdict.SKIPPED] * 3
    assert judged(code, STDIO, reward="first_k", first_k=4).reward == 3 / 4
