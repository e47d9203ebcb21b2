"""Test code against programs, in real jails: what is right is accepted, what is wrong is not."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import pytest

from evaluator_service.schema import Judgement
from evaluator_service.verdicts import Verdict

pytestmark = pytest.mark.nsjail

Judged = Callable[..., Judgement]

RAISED = sorted(
    name
    for name, kind in vars(builtins).items()
    if isinstance(kind, type)
    and issubclass(kind, Exception)
    and not issubclass(kind, (Warning, ExceptionGroup, StopIteration))
    and kind.__name__ == name
)


PROBLEMS: dict[str, dict[str, Any]] = {
    "stdio": {"kind": "stdio", "tests": [{"expected": "1"}]},
    "call": {"kind": "call", "entry_point": "f", "tests": [{"args": [1], "expected": 1}]},
    "asserts": {"kind": "asserts", "tests": ["assert f(1) == 1", "assert f(2) > 1"]},
}


RAISES = """
import builtins

def f(name, message):
    kind = getattr(builtins, name)
    made = kind.__new__(kind)  # some are made of more than a message
    made.args = (message,) if message else ()
    raise made
"""


@pytest.mark.parametrize("message", ["", "why"], ids=["without a message", "with a message"])
def test_an_exception_that_the_tests_expect_is_a_right_answer(judged: Judged, message: str) -> None:
    tests = [
        f"import pytest\nwith pytest.raises({name}):\n    f({name!r}, {message!r})"
        for name in RAISED
    ]
    judgement = judged(RAISES, {"kind": "asserts", "tests": tests}, stop="never")
    wrong = [
        (name, test.verdict, test.message)
        for name, test in zip(RAISED, judgement.tests, strict=True)
        if test.verdict is not Verdict.ACCEPTED
    ]
    assert wrong == []


def test_an_exception_that_nobody_expects_is_a_runtime_error(judged: Judged) -> None:
    tests = ["x = f(1)\nassert x"]
    problem = {"kind": "asserts", "tests": tests}
    judgement = judged("def f(x):\n    raise ValueError('neg')\n", problem)
    assert judgement.verdict is Verdict.RUNTIME_ERROR
    assert judgement.tests[0].message == "ValueError: neg"


@pytest.mark.parametrize(
    "prelude", ["1/0", "import surely_not_there", "raise SystemExit(0)", "def f(:"]
)
@pytest.mark.parametrize("kind", ["stdio", "call", "asserts"])
def test_a_prelude_that_fails_is_the_problems_fault(
    judged: Judged, prelude: str, kind: str
) -> None:
    problem = PROBLEMS[kind]
    judgement = judged("def f(x): return x\nprint(1)\n", {**problem, "prelude": prelude})
    assert judgement.verdict is Verdict.JUDGE_ERROR
    assert judgement.reward is None
    assert judgement.error is not None
    assert (judgement.error.kind, judgement.error.retryable) == ("bad_problem", False)


def test_a_prelude_that_never_ends_is_the_problems_fault(judged: Judged) -> None:
    problem = {"kind": "stdio", "tests": [{"expected": "1"}], "prelude": "while True: pass"}
    judgement = judged("print(1)", problem)
    assert judgement.error is not None
    assert judgement.error.kind == "bad_problem"


@pytest.mark.parametrize("kind", ["call", "asserts"])
def test_the_last_lines_of_a_script_do_not_run_where_a_function_is_called(
    judged: Judged, kind: str
) -> None:
    code = "def f(x):\n    return x\nif __name__ == '__main__':\n    print(f(input()))\n"
    problem = PROBLEMS[kind]
    assert judged(code, problem).verdict is Verdict.ACCEPTED


def test_a_script_is_the_main_module(judged: Judged) -> None:
    code = "if __name__ == '__main__':\n    print(7)\n"
    problem = {"kind": "stdio", "tests": [{"expected": "7"}]}
    assert judged(code, problem).verdict is Verdict.ACCEPTED


@pytest.mark.parametrize(
    "test_code",
    [
        "def test_a():\n    assert f(1) == 2\n    yield\n",
        "async def test_a():\n    assert f(1) == 2\n",
        "class TestA:\n    def test_a(self):\n        yield f(1) == 2\n",
    ],
)
def test_tests_that_a_call_does_not_run_are_refused(judged: Judged, test_code: str) -> None:
    judgement = judged("def f(x): return 0", {"kind": "asserts", "test_code": test_code})
    assert judgement.error is not None
    assert judgement.error.kind == "bad_problem"


def test_arguments_changed_in_place_are_seen_by_the_tests(judged: Judged) -> None:
    tests = ["x = [3, 1, {'a': [2]}]\ny = x[2]['a']\nf(x)\nassert x[0] == 9 and y == [2, 5]"]
    code = "def f(x):\n    x[0] = 9\n    x[2]['a'].append(5)\n"
    judgement = judged(code, {"kind": "asserts", "tests": tests})
    assert judgement.verdict is Verdict.ACCEPTED
    assert not judgement.forgeable


def test_a_function_as_an_argument_runs_beside_the_program_and_says_so(judged: Judged) -> None:
    tests = ["assert f(lambda x: x + 1, 2) == 3 and True"]
    judgement = judged("def f(g, x): return g(x)", {"kind": "asserts", "tests": tests})
    assert judgement.verdict is Verdict.ACCEPTED
    assert judgement.forgeable


def test_numpy_is_there_for_programs_and_for_tests(judged: Judged) -> None:
    pytest.importorskip("numpy")
    code = "import numpy as np\ndef f(x):\n    return np.array(x) * np.float64(2)\n"
    tests = [
        "assert f([1, 2]) == [2.0, 4.0]",
        "import numpy as np\nassert np.allclose(f([1, 2]), [2, 4])",
    ]
    judgement = judged(code, {"kind": "asserts", "tests": tests})
    assert judgement.verdict is Verdict.ACCEPTED, judgement
