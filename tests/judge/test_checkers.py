"""A problem's own checker decides, by each protocol; whatever goes wrong with it is the problem's fault."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from evaluator_service.asserts import TESTER_LIMITS
from evaluator_service.judge import Judge
from evaluator_service.rescore import rescore
from evaluator_service.schema import Judgement, Rescoring, problem_id
from evaluator_service.verdicts import NO_PENALTIES, Verdict

pytestmark = pytest.mark.nsjail

Judged = Callable[..., Judgement]

FUNCTION = """
def check(input, expected, got):
    words = got.split()
    if words[:1] == ["crash"]:
        return 1 / 0
    if words[:1] == ["loop"]:
        while True: pass
    if words[:1] == ["exit"]:
        raise SystemExit(0)
    if words[:1] == ["nonsense"]:
        return "well"
    if words[:1] == ["share"]:
        return float(words[1]), "a share"
    return sum(map(int, words)) == int(input), f"they make {sum(map(int, words))}"
"""

KATTIS = """
import os, sys, time
wanted = int(open(sys.argv[1]).read())
words = sys.stdin.read().split()
feedback = sys.argv[3]
def say(name, text):
    with open(os.path.join(feedback, name), "w") as file:
        file.write(text)
if words[:1] == ["crash"]:
    raise RuntimeError("crashed")
if words[:1] == ["loop"]:
    while True: pass
if words[:1] == ["exit"]:
    sys.exit(int(words[1]))
if words[:1] == ["signal"]:
    os.abort()
if words[:1] == ["nonsense"]:
    say("score.txt", "many")
    sys.exit(42)
if words[:1] == ["share"]:
    say("score.txt", words[1])
    sys.exit(42)
say("judgemessage.txt", f"they make {sum(map(int, words))}, {sys.argv[4:]}")
sys.exit(42 if sum(map(int, words)) == wanted else 43)
"""

TESTLIB = """
#include <fstream>
#include <iostream>
#include <string>
int main(int, char **files) {
    std::ifstream input(files[1]), output(files[2]), answer(files[3]);
    int wanted, sum = 0;
    std::string word, next;
    input >> wanted;
    while (output >> word) {
        if (word == "crash") return *(volatile int *)0;
        if (word == "loop") for (;;) asm volatile("");
        if (word == "exit") { output >> next; return std::stoi(next); }
        if (word == "share") { output >> next; std::cerr << "points " << next << " a share" << std::endl; return 7; }
        if (word == "nonsense") { std::cerr << "points none" << std::endl; return 7; }
        sum += std::stoi(word);
    }
    std::cerr << (sum == wanted ? "ok they make " : "wrong answer they make ") << sum << std::endl;
    return sum == wanted ? 0 : 1;
}
"""

CHECKERS: dict[str, dict[str, Any]] = {
    "function": {"protocol": "function", "code": FUNCTION},
    "kattis": {"protocol": "kattis", "code": KATTIS, "arguments": ["seven", "eight"]},
    "testlib": {"protocol": "testlib", "language": "cpp", "code": TESTLIB},
}


def problem(checker: dict[str, Any], *tests: dict[str, Any]) -> dict[str, Any]:
    return {
        "kind": "stdio",
        "tests": list(tests) or [{"input": "6\n", "expected": "1 2 3\n"}],
        "checker": checker,
    }


def says(text: str) -> str:
    return f"print({text!r})"


each_protocol = pytest.mark.parametrize("protocol", CHECKERS)


@each_protocol
@pytest.mark.parametrize("answer", ["1 2 3", "3 3", "6"])
def test_every_right_answer_is_accepted(judged: Judged, protocol: str, answer: str) -> None:
    judgement = judged(says(answer), problem(CHECKERS[protocol]))
    assert judgement.verdict is Verdict.ACCEPTED, judgement
    assert judgement.methods == {"checker": 1}


@each_protocol
def test_a_wrong_answer_is_told_what_the_checker_says(judged: Judged, protocol: str) -> None:
    judgement = judged(says("3 4"), problem(CHECKERS[protocol]))
    assert judgement.verdict is Verdict.WRONG_ANSWER
    comparison = judgement.tests[0].comparison
    assert comparison is not None
    assert "they make 7" in (comparison.detail or "")


def test_what_the_checker_says_is_kept_from_those_who_did_not_ask_for_all(judged: Judged) -> None:
    judgement = judged(says("3 4"), problem(CHECKERS["function"]), report="tests")
    assert judgement.tests[0].comparison is not None
    assert judgement.tests[0].comparison.detail is None


@each_protocol
@pytest.mark.parametrize("failure", ["crash", "nonsense", "exit 3", "exit 99"])
def test_a_checker_that_fails_is_a_judge_error_and_never_a_wrong_answer(
    judged: Judged, protocol: str, failure: str
) -> None:
    judgement = judged(says(failure), problem({**CHECKERS[protocol], "max_score": 1}))
    assert judgement.verdict is Verdict.JUDGE_ERROR
    assert judgement.reward is None
    assert judgement.error is not None
    assert (judgement.error.kind, judgement.error.retryable) == ("bad_problem", False)


def test_a_checker_that_hangs_is_a_judge_error(
    judged: Judged, monkeypatch: pytest.MonkeyPatch
) -> None:
    shorten_patience(monkeypatch)
    for protocol, checker in CHECKERS.items():
        judgement = judged(says("loop"), problem(checker))
        assert judgement.verdict is Verdict.JUDGE_ERROR, protocol
        assert "ran out of time" in str(judgement.error)


def shorten_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """The problem's own programs get half a second in place of twenty."""
    limits = dataclasses.replace(TESTER_LIMITS, cpu_time_seconds=0.5)
    monkeypatch.setattr("evaluator_service.checking.TESTER_LIMITS", limits)


@each_protocol
def test_a_share_counts_in_a_partial_reward_and_is_not_accepted(
    judged: Judged, protocol: str
) -> None:
    scored = problem({**CHECKERS[protocol], "max_score": 4})
    judgement = judged(says("share 1"), scored, reward="fraction")
    assert judgement.verdict is Verdict.WRONG_ANSWER
    assert (judgement.tests[0].score, judgement.reward) == (0.25, 0.25)
    assert judged(says("share 1"), scored).reward == 0.0
    whole = judged(says("share 4"), scored, reward="fraction")
    assert (whole.verdict, whole.reward) == (Verdict.ACCEPTED, 1.0)


@each_protocol
@pytest.mark.parametrize("share", ["nan", "inf"])
def test_a_score_that_is_no_number_is_a_judge_error(
    judged: Judged, protocol: str, share: str
) -> None:
    scored = problem({**CHECKERS[protocol], "max_score": 1})
    judgement = judged(says(f"share {share}"), scored, reward="fraction")
    assert judgement.verdict is Verdict.JUDGE_ERROR


def test_a_checker_is_not_asked_about_a_program_that_crashed(judged: Judged) -> None:
    judgement = judged("print('crash')\n1/0", problem(CHECKERS["function"]))
    assert judgement.verdict is Verdict.RUNTIME_ERROR


@pytest.mark.parametrize(
    "checker",
    [
        {"protocol": "function", "code": "def check(:"},
        {"protocol": "function", "code": "def other(): pass"},
        {"protocol": "kattis", "language": "cpp", "code": "int main( {"},
    ],
    ids=["function", "function missing", "compiled"],
)
def test_a_checker_that_cannot_run_is_a_judge_error(
    judged: Judged, checker: dict[str, Any]
) -> None:
    judgement = judged(says("6"), problem(checker))
    assert judgement.verdict is Verdict.JUDGE_ERROR
    assert "checker" in str(judgement.error)


def test_a_checker_sees_the_output_as_it_was_written(judged: Judged) -> None:
    code = "def check(input, expected, got):\n    return got == 'a\\r\\n b\\ufffd\\n\\n'"
    write = "import sys\nsys.stdout.buffer.write(b'a\\r\\n b\\xff\\n\\n')"
    judgement = judged(write, problem({"protocol": "function", "code": code}))
    assert judgement.verdict is Verdict.ACCEPTED


def test_nothing_that_a_checker_leaves_meets_its_next_run(judged: Judged) -> None:
    code = """
import os, sys
left = os.path.exists("/tmp/left") or os.listdir(sys.argv[3])
open("/tmp/left", "w").close()
open(os.path.join(sys.argv[3], "judgemessage.txt"), "w").close()
sys.exit(43 if left else 42)
"""
    tests = [{"input": "", "expected": ""}] * 3
    judgement = judged("print(1)", problem({"protocol": "kattis", "code": code}, *tests))
    assert judgement.verdict is Verdict.ACCEPTED


def test_a_program_and_its_checker_share_no_files(judged: Judged) -> None:
    code = "import os\ndef check(input, expected, got):\n    return not os.path.exists('/tmp/from-program')"
    leave = "open('/tmp/from-program', 'w').close()"
    judgement = judged(leave, problem({"protocol": "function", "code": code}))
    assert judgement.verdict is Verdict.ACCEPTED


def test_a_program_in_any_language_meets_the_checker(judged: Judged) -> None:
    code = '#include <cstdio>\nint main() { puts("2 4"); }'
    judgement = judged(code, problem(CHECKERS["kattis"]), language="cpp")
    assert judgement.verdict is Verdict.ACCEPTED


def test_several_files_make_a_checker(judged: Judged) -> None:
    checker = {
        "protocol": "kattis",
        "language": "cpp",
        "code": '#include "help.h"\nint main() { return accepted; }',
        "files": {"help.h": "const int accepted = 42;"},
    }
    assert judged("print(1)", problem(checker)).verdict is Verdict.ACCEPTED


def test_a_kattis_score_counts_only_where_the_problem_has_scores(judged: Judged) -> None:
    judgement = judged(says("share 1"), problem(CHECKERS["kattis"]), reward="fraction")
    assert (judgement.verdict, judgement.tests[0].score) == (Verdict.ACCEPTED, None)


def test_each_test_adds_its_own_arguments(judged: Judged) -> None:
    code = (
        "import sys\nsys.exit(42 if sys.argv[4:] == ['of all', sys.stdin.read().strip()] else 43)"
    )
    checker = {"protocol": "kattis", "code": code, "arguments": ["of all"]}
    tests = [{"input": word, "expected": "", "arguments": [word]} for word in ("a", "b")]
    judgement = judged("print(input())", problem(checker, *tests))
    assert judgement.verdict is Verdict.ACCEPTED


def test_a_checker_may_name_its_main_file(judged: Judged) -> None:
    code = "public class Check { public static void main(String[] files) { System.exit(42); } }"
    checker = {"protocol": "kattis", "language": "java", "code": code, "file_name": "Check.java"}
    assert judged("print(1)", problem(checker)).verdict is Verdict.ACCEPTED


def test_rescoring_leaves_what_a_checker_decided_and_counts_its_shares(
    judge: Judge, judged: Judged
) -> None:
    scored = problem({**CHECKERS["function"], "max_score": 4}, *[{"input": "", "expected": ""}] * 2)
    judgement = judged("print('share 1')", scored, stop="never")
    asked = Rescoring.model_validate(
        {"judgement": judgement.model_dump(), "problem": scored, "reward": "fraction"}
    )
    assert asked.problem is not None
    again = rescore(asked, asked.problem, problem_id(asked.problem), judge, NO_PENALTIES).judgement
    assert (judgement.reward, again.reward) == (0.0, 0.25)
    assert [test.score for test in again.tests or judgement.tests] == [0.25, 0.25]


def test_a_score_beyond_all_numbers_is_the_problems_fault(judged: Judged) -> None:
    checker = {"protocol": "function", "code": "def check(i, e, got): return int(got)"}
    judgement = judged("print('9' * 4000)", problem(checker))
    assert judgement.error is not None
    assert judgement.error.kind == "bad_problem"
