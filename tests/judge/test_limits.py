"""Limits, rewards and reports, judged for real."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from evaluator_service.schema import Judgement
from evaluator_service.verdicts import Verdict

pytestmark = pytest.mark.nsjail

Judged = Callable[..., Judgement]


def stdio(*expected: str, **more: Any) -> dict[str, Any]:
    tests = [{"input": f"{place}\n", "expected": text} for place, text in enumerate(expected)]
    return {"kind": "stdio", "tests": tests, **more}


@pytest.mark.parametrize("size", [1, 1000, 65_536, 65_537, 3_000_000])
def test_output_is_counted_to_the_byte(judged: Judged, size: int) -> None:
    problem = stdio("x" * size, limits={"output_bytes": size})
    write = "import os\nleft = {}\nwhile left: left -= os.write(1, b'x' * left)\n"
    assert judged(write.format(size), problem).verdict is Verdict.ACCEPTED
    flood = f"print(end='x' * {size + 1})"
    assert judged(flood, problem).verdict is Verdict.OUTPUT_LIMIT_EXCEEDED


def test_cpu_time_below_a_second_is_limited_by_the_programs_own_clock(judged: Judged) -> None:
    spin = "import time\nwhile time.process_time() < {}: pass\nprint(1)"
    problem = stdio("1", limits={"cpu_time_seconds": 0.5})
    within = judged(spin.format(0.4), problem)
    beyond = judged(spin.format(0.7), problem)
    assert within.verdict is Verdict.ACCEPTED, within
    assert beyond.verdict is Verdict.TIME_LIMIT_EXCEEDED
    assert beyond.tests[0].cpu_time_seconds is not None
    assert 0.5 <= beyond.tests[0].cpu_time_seconds < 0.6


def test_cpu_time_of_children_counts(judged: Judged) -> None:
    code = "import os, time\nif os.fork() == 0:\n    while True: pass\nos.wait()\n"
    problem = stdio("1", limits={"cpu_time_seconds": 0.3})
    assert judged(code, problem).verdict is Verdict.TIME_LIMIT_EXCEEDED


def test_a_sleeper_is_ended_soon_after_its_cpu_limit(judged: Judged) -> None:
    problem = stdio("1", limits={"cpu_time_seconds": 0.2})
    judgement = judged("import time\ntime.sleep(60)", problem)
    assert judgement.verdict is Verdict.TIME_LIMIT_EXCEEDED
    assert judgement.tests[0].wall_time_seconds is not None
    assert judgement.tests[0].wall_time_seconds >= 2.2


def test_memory_is_limited_for_one_process_and_for_all_together(judged: Judged) -> None:
    problem = stdio("1", limits={"memory_bytes": 64 << 20})
    assert judged("x = bytearray(80 << 20)", problem).verdict is Verdict.MEMORY_LIMIT_EXCEEDED
    assert judged("x = bytearray(40 << 20)\nprint(1)", problem).verdict is Verdict.ACCEPTED


def test_output_that_is_no_text_is_a_wrong_answer(judged: Judged) -> None:
    judgement = judged("import os\nos.write(1, b'\\xff\\xfe')", stdio("\ufffd\ufffd"))
    assert judgement.verdict is Verdict.WRONG_ANSWER
    assert judgement.model_dump_json()


def test_stopping_early_skips_and_partial_rewards_do_not(judged: Judged) -> None:
    problem = stdio("0", "x", "2", "x")
    all_or_nothing = judged("print(input())", problem)
    assert [t.verdict.code for t in all_or_nothing.tests] == ["AC", "WA", "SK", "SK"]
    fraction = judged("print(input())", problem, reward="fraction")
    assert [t.verdict.code for t in fraction.tests] == ["AC", "WA", "AC", "WA"]
    assert (all_or_nothing.reward, fraction.reward) == (0.0, 0.5)
    assert (fraction.passed, fraction.total) == (2, 4)


@pytest.mark.parametrize("report", ["summary", "tests"])
def test_only_a_full_report_shows_outputs_and_what_was_expected(
    judged: Judged, report: str
) -> None:
    problem = stdio("secret-8675309")
    text = judged("print('mine-24601')", problem, report=report).model_dump_json()
    assert "8675309" not in text
    assert "24601" not in text
    full = judged("print('mine-24601')", problem).model_dump_json()
    assert "8675309" in full
    assert "24601" in full


def test_a_text_that_breaks_off_is_told_from_one_that_is_wrong(judged: Judged) -> None:
    for code, complete in (
        ("def f(:\n    pass\nprint(1)", True),
        ("print(1", False),
        ("for x in range(3):\n", False),
        ("x = '''abc\n", False),
        ("if True:\n    print('ab", False),
        ("print(1))", True),
    ):
        judgement = judged(code, stdio("1"))
        assert judgement.verdict is Verdict.COMPILE_ERROR
        assert judgement.extraction.complete is complete, code


def test_line_numbers_are_the_programs_own_whatever_the_prelude(judged: Judged) -> None:
    problem = stdio("1", prelude="import math\n\n\n")
    judgement = judged("\nx = 1 / 0\n", problem)
    assert 'solution.py", line 2' in (judgement.tests[0].stderr_tail or "")
    assert "x = 1 / 0" in (judgement.tests[0].stderr_tail or "")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("class Solution:\n    def f(self, x): return x + 1", 2),
        ("def f(x): return x + 1", 2),
        ("f = lambda x: x + 1", 2),
        ("from functools import cache\n@cache\ndef f(x): return x + 1", 2),
        ("def f(x: 'List[int]') -> Optional[int]: return Counter([x])[1] + 1", 2),
        ("def f(x): return {(1, 2): {3}}", {"$dict": [[{"$tuple": [1, 2]}, {"$set": [3]}]]}),
        ("def f(x): return 10 ** 40", {"$int": "1" + "0" * 40}),
        ("def f(x): return float('nan')", {"$float": "nan"}),
        ("def f(x): return (n for n in range(2))", [0, 1]),
        ("import collections\ndef f(x): return collections.deque([x])", [1]),
    ],
)
def test_functions_in_every_style_are_called(judged: Judged, code: str, expected: Any) -> None:
    tests = [{"args": [1], "expected": expected}]
    judgement = judged(code, {"kind": "call", "entry_point": "f", "tests": tests})
    assert judgement.verdict is Verdict.ACCEPTED, judgement.tests


def test_keyword_arguments_reach_the_function(judged: Judged) -> None:
    tests = [{"args": [1], "kwargs": {"k": [2]}, "expected": [1, [2]]}]
    problem = {"kind": "call", "entry_point": "f", "tests": tests}
    assert judged("def f(x, *, k): return x, k", problem).verdict is Verdict.ACCEPTED


def test_trees_and_linked_lists_go_in_and_out_as_their_values(judged: Judged) -> None:
    flip = (
        "class Solution:\n    def flip(self, root: Optional[TreeNode]) -> Optional[TreeNode]:\n"
        "        if root: root.left, root.right = self.flip(root.right), self.flip(root.left)\n"
        "        return root\n"
    )
    tests = [
        {"args": [[4, 2, 7, 1]], "expected": [4, 7, 2, None, None, None, 1]},
        {"args": [[]], "expected": []},
    ]
    problem = {"kind": "call", "entry_point": "flip", "tests": tests}
    assert judged(flip, problem).verdict is Verdict.ACCEPTED
    merge = (
        "class Solution:\n    def merge(self, lists: List[Optional[ListNode]]) -> Optional[ListNode]:\n"
        "        values = []\n        for node in lists:\n            while node:\n"
        "                values.append(node.val)\n                node = node.next\n"
        "        head = None\n        for value in sorted(values, reverse=True):\n"
        "            head = ListNode(value, head)\n        return head\n"
    )
    tests = [{"args": [[[1, 4], [], [2]]], "expected": [1, 2, 4]}]
    problem = {"kind": "call", "entry_point": "merge", "tests": tests}
    assert judged(merge, problem).verdict is Verdict.ACCEPTED


def test_a_program_may_be_given_more_cpu_time_than_its_compiler(judged: Judged) -> None:
    limits = {"cpu_time_seconds": 50, "wall_time_seconds": 60, "compile_time_seconds": 5}
    assert judged("print(1)", stdio("1", "1", limits=limits)).verdict is Verdict.ACCEPTED
