"""Rescoring over HTTP: a recorded judgement under other terms, and never a verdict that nobody knows."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, get_args

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaluator_service import values
from evaluator_service.openapi import EXAMPLES
from evaluator_service.profiles import TRAITS
from evaluator_service.schema import Profile
from evaluator_service.verdicts import Verdict

Ask = Callable[..., dict[str, Any]]
NEARLY = b"1.00000000001"
EXPECTED = {"accepted": "1.0", "wrong_answer": "2.0"}


def stdio(*expected: str) -> dict[str, Any]:
    return {"kind": "stdio", "tests": [{"expected": text, "weight": 3} for text in expected]}


def judgement(*tests: Any, **fields: Any) -> dict[str, Any]:
    """A judgement of these tests: verdicts alone, or verdict and output."""
    pairs = [test if isinstance(test, tuple) else (test, None) for test in tests]
    results = [
        {"index": index, "verdict": verdict, "output": output, "wall_time_seconds": 0.1}
        for index, (verdict, output) in enumerate(pairs)
    ]
    verdict = next((each for each, _ in pairs if each != "accepted"), "accepted")
    known: dict[str, Any] = EXAMPLES["Rescoring"]["judgement"]
    return known | {"verdict": verdict, "tests": results, "total": len(results)} | fields


@pytest.fixture
def ask(client: httpx2.Client) -> Ask:
    """``ask(problem, judgement, **terms)``: the answer of a rescoring that makes sense."""

    def rescored(problem: Any, judgement: Any, **terms: Any) -> dict[str, Any]:
        body = {"problem": problem, "judgement": judgement, **terms}
        answer = client.post("/rescore", json=body)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    return rescored


def outline(answer: dict[str, Any]) -> tuple[str, float | None, str | None]:
    found = answer["judgement"]
    return found["verdict"], found["reward"], (found["error"] or {}).get("kind")


# --- another policy -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("profile", "verdict"), [("flexible", "accepted"), ("strict", "wrong_answer")]
)
def test_another_policy_gives_another_verdict(
    ask: Ask, judge: Any, profile: str, verdict: str
) -> None:
    told = judgement(("accepted", judge.outputs.put(NEARLY)), id="mine")
    answer = ask(stdio("1.0"), told, comparison={"profile": profile})
    assert outline(answer) == (verdict, float(verdict == "accepted"), None)
    assert answer["judgement"]["comparison"]["profile"] == profile
    assert answer["judgement"]["id"] == "mine"
    assert judge.began == []


def test_a_returned_value_is_compared_as_a_value(ask: Ask, judge: Any) -> None:
    problem = {"kind": "call", "entry_point": "f", "tests": [{"expected": [1, 2]}]}
    told = judgement(("accepted", judge.outputs.put(values.to_msgpack((1, 2)))))
    assert outline(ask(problem, told))[0] == "accepted"
    assert outline(ask(problem, told, comparison={"profile": "strict"}))[0] == "wrong_answer"


def test_a_stored_problem_is_found(client: httpx2.Client, judge: Any) -> None:
    name = client.post("/problems", json=stdio("1.0")).json()["problem_id"]
    told = judgement(("accepted", judge.outputs.put(NEARLY)), problem_id=name)
    answer = client.post("/v1/rescore", json={"problem_id": name, "judgement": told})
    assert answer.json()["judgement"]["verdict"] == "accepted"


@pytest.mark.parametrize(
    "verdict",
    ["runtime_error", "time_limit_exceeded", "memory_limit_exceeded", "output_limit_exceeded"],
)
def test_what_ended_otherwise_than_by_a_comparison_keeps_its_verdict(
    ask: Ask, judge: Any, verdict: str
) -> None:
    right = ("accepted", judge.outputs.put(b"1.0"))
    forged = (verdict, judge.outputs.put(b"1.0"))
    assert outline(ask(stdio("1.0", "1.0"), judgement(right, forged)))[0] == verdict


@pytest.mark.parametrize("verdict", ["no_code", "compile_error"])
def test_what_could_not_be_run_gets_this_services_penalty(
    serve: Callable[..., Any], verdict: str
) -> None:
    client, _ = serve(no_code_reward=-0.25, compile_error_reward=-0.25)
    body = {"problem": stdio("1"), "judgement": judgement(verdict=verdict), "ladder": True}
    answer = client.post("/rescore", json=body).json()
    assert outline(answer) == (verdict, -0.25, None)
    assert {rung["reward"] for rung in answer["ladder"]} == {-0.25}


def test_details_are_said_only_when_asked_for(ask: Ask, judge: Any) -> None:
    told = judgement(("wrong_answer", judge.outputs.put(b"3")))
    for report, detail in (("tests", None), ("full", "line 1, token 1: expected '4', got '3'")):
        (test,) = ask(stdio("4"), told, report=report)["judgement"]["tests"]
        assert test["comparison"]["detail"] == detail
    assert ask(stdio("4"), told, report="summary")["judgement"]["tests"] == []


# --- another reward -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("terms", "reward"),
    [
        ({}, 0.0),
        ({"reward": "fraction"}, 2 / 3),
        ({"reward": "weighted"}, 2 / 3),
        ({"reward": "first_k", "first_k": 2}, 0.5),
        ({"reward": "first_k", "first_k": 1}, 1.0),
    ],
)
def test_another_reward_counts_otherwise(
    ask: Ask, judge: Any, terms: dict[str, Any], reward: float
) -> None:
    right, wrong = (
        (verdict, judge.outputs.put(text))
        for verdict, text in (("accepted", b"1"), ("wrong_answer", b"2"))
    )
    answer = ask(stdio("1", "1", "1"), judgement(right, wrong, right), **terms)
    assert answer["judgement"]["reward"] == reward
    assert answer["judgement"]["reward_mode"] == terms.get("reward", "all_or_nothing")


def test_the_judgements_own_terms_hold_where_none_are_given(ask: Ask, judge: Any) -> None:
    right = ("accepted", judge.outputs.put(b"1.0"))
    wrong = ("wrong_answer", judge.outputs.put(NEARLY))
    own = {"reward_mode": "first_k", "first_k": 2, "comparison": {"profile": "strict"}}
    answer = ask(stdio("1.0", "1.0", "1.0"), judgement(right, wrong, "skipped", **own))
    assert outline(answer) == ("wrong_answer", 0.5, None)


# --- what nobody knows ----------------------------------------------------------------------------


def test_a_skipped_test_that_counts_now_leaves_no_mark(ask: Ask, judge: Any) -> None:
    told = judgement(("wrong_answer", judge.outputs.put(NEARLY)), "skipped")
    answer = ask(stdio("1.0", "1.0"), told)
    assert outline(answer) == ("judge_error", None, "incomplete")
    assert answer["judgement"]["error"]["retryable"] is False
    assert "test 1 " in answer["judgement"]["error"]["message"]
    assert [test["verdict"] for test in answer["judgement"]["tests"]] == ["accepted", "skipped"]


def test_one_failure_is_enough_where_tests_before_it_were_skipped(ask: Ask, judge: Any) -> None:
    told = judgement("skipped", ("wrong_answer", judge.outputs.put(NEARLY)), "skipped")
    problem = stdio("1.0", "1.0", "1.0")
    assert outline(ask(problem, told, comparison={"profile": "strict"}))[:2] == (
        "wrong_answer",
        0.0,
    )
    assert outline(ask(problem, told))[2] == "incomplete"


def test_a_partial_reward_needs_what_was_skipped(ask: Ask, judge: Any) -> None:
    told = judgement(("wrong_answer", judge.outputs.put(b"3")), "skipped")
    assert outline(ask(stdio("1", "1"), told)) == ("wrong_answer", 0.0, None)
    assert outline(ask(stdio("1", "1"), told, reward="fraction"))[2] == "incomplete"
    assert outline(ask(stdio("1", "1"), told, reward="first_k", first_k=1))[1] == 0.0


def test_an_incomplete_answer_can_be_looked_at_again(ask: Ask, judge: Any) -> None:
    told = judgement(("wrong_answer", judge.outputs.put(NEARLY)), "skipped")
    incomplete = ask(stdio("1.0", "1.0"), told)["judgement"]
    again = ask(stdio("1.0", "1.0"), incomplete, comparison={"profile": "strict"})
    assert outline(again) == ("wrong_answer", 0.0, None)


def test_a_program_that_broke_the_judge_stays_without_reward(ask: Ask) -> None:
    told = judgement("runtime_error", "skipped")
    told["tests"][0]["wall_time_seconds"] = None
    assert outline(ask(stdio("1", "1"), told, reward="fraction")) == ("runtime_error", 0.0, None)


def test_an_output_that_is_gone_leaves_no_mark(ask: Ask, judge: Any) -> None:
    kept = ("accepted", judge.outputs.put(b"1"))
    told = judgement(kept, ("accepted", "sha256:" + "0" * 64))
    answer = ask(stdio("1", "1"), told, ladder=True)
    assert outline(answer) == ("judge_error", None, "outputs_gone")
    assert {(rung["verdict"], rung["reward"]) for rung in answer["ladder"]} == {
        ("judge_error", None)
    }
    assert answer["judgement"]["tests"] == []


def test_an_output_pushed_out_by_others_is_gone(
    serve: Callable[..., Any],
) -> None:
    client, judge = serve(max_outputs_bytes=1024)
    told = judgement(("accepted", judge.outputs.put(b"1")))
    judge.outputs.put(b"2" * 500)
    answer = client.post("/rescore", json={"problem": stdio("1"), "judgement": told}).json()
    assert outline(answer)[2] == "outputs_gone"


def test_a_judge_error_stays_one_for_its_own_reason(ask: Ask) -> None:
    error = {"kind": "overload", "message": "-", "retryable": True}
    told = judgement(verdict="judge_error", reward=None, error=error)
    assert ask(stdio("1"), told)["judgement"]["error"] == error


def test_test_code_that_cannot_be_read_now_is_our_fault(ask: Ask) -> None:
    problem = {"kind": "asserts", "tests": ["assert f(1) == 1"]}
    answer = ask(problem, judgement("accepted"))
    assert outline(answer) == ("judge_error", None, "sandbox")
    assert answer["judgement"]["error"]["retryable"] is True


# --- the ladder -----------------------------------------------------------------------------------


def test_a_ladder_has_every_profile_once() -> None:
    assert sorted(TRAITS) == sorted(get_args(Profile))


def test_a_ladder_says_what_each_profile_would_have_said(ask: Ask, judge: Any) -> None:
    tests = [("accepted", judge.outputs.put(text)) for text in (b"1.0\n", NEARLY)]
    own = {"comparison": {"absolute_tolerance": 0.5}, "reward_mode": "fraction"}
    answer = ask(stdio("1.0", "1.0"), judgement(*tests, **own), ladder=True)
    rungs = {rung["profile"]: rung for rung in answer["ladder"]}
    fitting = [name for name in TRAITS if "texts" in TRAITS[name].outputs]
    assert [rung["profile"] for rung in answer["ladder"]] == fitting
    assert rungs["strict"] == {
        "profile": "strict",
        "verdict": "wrong_answer",
        "reward": 0.5,
        "passed": 1,
        "methods": {"trailing": 1, "none": 1},
    }
    assert (rungs["flexible"]["reward"], rungs["flexible"]["passed"]) == (1.0, 2)


def test_no_ladder_is_said_unless_asked_for(ask: Ask, judge: Any) -> None:
    told = judgement(("accepted", judge.outputs.put(b"1")))
    assert ask(stdio("1"), told)["ladder"] is None


# --- judgements that make no sense ----------------------------------------------------------------

OTHER = "sha256:" + "1" * 64
MISFITS: dict[str, tuple[dict[str, Any], str]] = {
    "another number of tests": (judgement("accepted", "accepted"), "tests"),
    "no tests": (judgement(), "tests"),
    "an output that was not kept": (judgement("accepted"), "tests[0].output"),
    "an output that is no hash": (judgement(("accepted", "../../etc/passwd")), "tests[0].output"),
    "another problem": (judgement("accepted", problem_id=OTHER), "problem_id"),
    "a profile that cannot compare texts": (
        judgement("accepted", comparison={"profile": "evalplus"}),
        "comparison.profile",
    ),
    "an unknown verdict": (judgement("excellent", verdict="accepted"), "tests[0].verdict"),
    "an unknown field": (judgement("accepted", colour="red"), "colour"),
    "a place that is not its own": (
        judgement("accepted", tests=[{"index": 7, "verdict": "accepted"}]),
        "tests[0].index",
    ),
}


@pytest.mark.parametrize("name", MISFITS)
def test_a_judgement_that_does_not_fit_is_422_and_the_place_is_named(
    shared_client: httpx2.Client, name: str
) -> None:
    told, where = MISFITS[name]
    answer = shared_client.post("/rescore", json={"problem": stdio("1"), "judgement": told})
    assert answer.status_code == 422, answer.text
    assert [entry["where"] for entry in answer.json()["errors"]] == [f"judgement.{where}"]


@pytest.mark.parametrize(
    "terms",
    [
        {"reward": "first_k"},
        {"first_k": 2},
        {"reward": "fraction", "first_k": 2},
        {"comparison": {"profile": "strict", "absolute_tolerance": 1.0}},
        {"problem_id": OTHER},
        {"comparison": {"profile": "evalplus"}},
    ],
    ids=json.dumps,
)
def test_terms_that_contradict_themselves_are_422(
    shared_client: httpx2.Client, terms: dict[str, Any]
) -> None:
    body = {"problem": stdio("1"), "judgement": judgement("accepted")} | terms
    assert shared_client.post("/rescore", json=body).status_code == 422


def test_an_unknown_problem_is_404(shared_client: httpx2.Client) -> None:
    body = {"problem_id": OTHER, "judgement": judgement("accepted")}
    assert shared_client.post("/rescore", json=body).status_code == 404


def test_a_giant_judgement_is_refused_and_the_next_one_served(
    shared_client: httpx2.Client,
) -> None:
    giant = judgement(*["accepted"] * 9_000)
    body = {"problem": stdio("1"), "judgement": giant}
    assert shared_client.post("/rescore", json=body).status_code == 422
    body["judgement"]["tests"] *= 9
    assert shared_client.post("/rescore", json=body).status_code == 413
    assert shared_client.get("/healthz").status_code == 200


verdicts = st.lists(st.sampled_from([verdict.value for verdict in Verdict]), min_size=3, max_size=3)


@given(
    verdicts,
    st.sampled_from([verdict.value for verdict in Verdict]),
    st.sampled_from(["all_or_nothing", "fraction", "weighted"]),
    st.binary(max_size=9),
)
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
def test_forged_verdicts_are_answered_and_a_judge_error_is_the_one_without_reward(
    ask: Ask, judge: Any, tests: list[str], verdict: str, mode: str, output: bytes
) -> None:
    name = judge.outputs.put(output)
    problem = {"kind": "call", "entry_point": "f", "tests": [{"expected": 1}] * 3}
    told = judgement(*((each, name) for each in tests), verdict=verdict)
    answer = ask(problem, told, reward=mode, ladder=True)
    found = answer["judgement"]
    assert (found["verdict"] == "judge_error") == (found["reward"] is None)
    assert (found["verdict"] == "judge_error") == (found["error"] is not None)
