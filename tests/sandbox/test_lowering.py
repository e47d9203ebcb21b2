"""Which way test code is run: decided by the test code alone."""

from __future__ import annotations

import pytest

from sandbox.inside.lowering import BadTestError, Request, lower
from sandbox.inside.values import Decoder
from sandbox.inside.wire import Piece, PieceKind

CALL, UNIT, BESIDE = PieceKind


def pieces(*texts: str, module: str = "", entry_point: str = "", prelude: str = "") -> list[Piece]:
    return lower(Request(list(texts), module, entry_point, prelude))


def kinds(*texts: str, module: str = "", entry_point: str = "", prelude: str = "") -> list[int]:
    return [p.kind for p in pieces(*texts, module=module, entry_point=entry_point, prelude=prelude)]


@pytest.mark.parametrize(
    ("text", "arguments", "expected"),
    [
        ("assert f(1, 'a') == [2]", [[1, "a"], {}], [2]),
        ("assert f(x=-1) == (1, {2: 3})", [[], {"x": -1}], (1, {2: 3})),
        ("assert {1, 2} == f()", [[], {}], {1, 2}),
        ("assert f(set(), float('inf'), 1j) == None", [[set(), float("inf"), 1j], {}], None),
        ("assert f([1.5]) == 1.5, 'why'", [[[1.5]], {}], 1.5),
    ],
)
def test_a_plain_assert_becomes_a_call(text: str, arguments: object, expected: object) -> None:
    (piece,) = pieces(text)
    assert piece.kind == CALL
    assert piece.entry_point == "f"
    assert Decoder().decode(piece.arguments) == arguments
    assert Decoder().decode(piece.expected) == expected


@pytest.mark.parametrize(
    "text",
    [
        "assert abs(f(1) - 2) < 1e-6",
        "assert f(1)",
        "assert not f(1)",
        "assert f(1) is True",
        "assert f(1) != 2",
        "assert f(1) == f(2)",
        "assert f(g(1)) == 1",
        "assert set(f(1)) == {1}",
        "for n in range(3):\n    assert f(n) == n",
        "import math\nassert math.isclose(f(1), 2)",
        "x = [3, 1]\nf(x)\nassert x == [1, 3]",
        "assert Sorted([2, 1]) == [1, 2] and True",
    ],
)
def test_other_code_runs_in_a_jail_of_its_own(text: str) -> None:
    assert kinds(text) == [UNIT]


@pytest.mark.parametrize(
    "text",
    [
        "s = Stack()\ns.push(1)\nassert s.pop() == 1",
        "assert Stack().size == 0",
        "assert isinstance(f(1), Point)",
        "assert f.calls == 0",
        "from unittest.mock import patch\nwith patch('builtins.input', lambda: '1'):\n    assert f() == 1",
        "import sys\nsys.stdin = None\nassert f() == 1",
        "class Mine(Base):\n    pass\nassert f(Mine()) == 1",
    ],
)
def test_what_a_stand_in_cannot_serve_runs_beside_the_program(text: str) -> None:
    assert kinds(text) == [BESIDE]


def test_a_capital_letter_alone_makes_no_class() -> None:
    assert kinds("assert Find_Max([[1]]) == [1]") == [CALL]


def test_a_builtin_under_test_is_the_programs() -> None:
    (piece,) = pieces("assert sum(10, 15) == 6")
    assert (piece.kind, piece.entry_point) == (CALL, "sum")


def test_a_variable_named_input_is_just_a_variable() -> None:
    assert kinds("input = [1]\nassert len(f(input)) == 1") == [UNIT]


def test_check_is_one_unit_or_as_many_calls_as_it_has_plain_asserts() -> None:
    plain = "def check(candidate):\n    '''doc'''\n    assert candidate(1) == 1\n    assert candidate(2) == 2\n"
    assert kinds(module=plain + "check(f)", entry_point="f") == [CALL, CALL]
    loop = "def check(candidate):\n    for n in range(3):\n        assert candidate(n) == n\n"
    (piece,) = pieces(module=loop, entry_point="f")
    assert (piece.kind, piece.name, piece.passes_entry_point) == (UNIT, "check", True)


def test_every_test_function_and_method_is_a_test() -> None:
    module = (
        "from solution import f\n"
        "def test_a():\n    assert f(1) == 1\n"
        "def helper():\n    pass\n"
        "class TestB:\n    def test_b(self):\n        assert f(2) == 2\n"
    )
    assert [piece.name for piece in pieces(module=module)] == ["test_a", "TestB.test_b"]


def test_names_of_the_prelude_are_not_the_programs() -> None:
    (piece,) = pieces("assert same(f(1), 1)", prelude="def same(a, b):\n    return a == b\n")
    assert piece.solution_names == ["f"]


@pytest.mark.parametrize(
    ("module", "words"),
    [
        ("", "no assert"),
        ("x = 1\n", "no assert"),
        ("import surely_not_there\nassert f(1) == f(2)\n", "surely_not_there"),
        ("def check(candidate):\n    assert candidate(1) > 1\n", "entry_point"),
    ],
)
def test_test_code_that_can_never_work_is_the_problems_fault(module: str, words: str) -> None:
    with pytest.raises(BadTestError, match=words):
        pieces(module=module)
