"""The command ``compare``: JSON lines in, results out, and errors that name their line."""

from __future__ import annotations

import json

import pytest

from evaluator_service.compare_cli import CompareLineError, compare_lines


def test_each_line_gets_its_result_under_its_own_name() -> None:
    lines = [
        json.dumps({"id": "a", "kind": "stdio", "expected": "1\n", "actual": "1"}),
        "",
        json.dumps({"kind": "call", "expected": {"$tuple": [1]}, "actual": [2]}),
    ]
    first, second = compare_lines(lines)
    assert first == {"id": "a", "matched": True, "method": "whitespace", "detail": None}
    assert second["id"] == 3
    assert second["detail"] == "at [0]: expected 1, got 2"


def test_a_profile_for_all_lines_overrides_theirs() -> None:
    line = json.dumps({"kind": "stdio", "expected": "1 2", "actual": "1  2"})
    assert [result["matched"] for result in compare_lines([line], "strict")] == [False]


@pytest.mark.parametrize(
    "line",
    [
        "{", "[]", "1", "[" * 100_000, '{"kind": "stdio"}', '{"kind": "x", "expected": "", "actual": ""}',
        '{"kind": "call", "expected": {"$nope": 1}, "actual": 1}',
        '{"kind": "stdio", "expected": "1", "actual": "1", "comparison": {"nope": 1}}',
        '{"kind": "stdio", "expected": "1", "actual": "1", "comparison": 7}',
    ],
)  # fmt: skip
@pytest.mark.parametrize("profile", [None, "flexible"])
def test_a_malformed_line_is_named(line: str, profile: str | None) -> None:
    good = json.dumps({"kind": "stdio", "expected": "1", "actual": "1"})
    with pytest.raises(CompareLineError, match=r"^line 2: "):
        list(compare_lines([good, line], profile))


def test_an_unknown_profile_is_refused_with_those_there_are() -> None:
    with pytest.raises(CompareLineError, match="flexible, strict"):
        list(compare_lines([], "nope"))


WORDS = {
    '{"kind": "stdio", "expected": "1"}': "actual: field required",
    '{"kind": "x"}': "kind: unknown kind 'x'; there are: stdio, call",
    '{"kind": "stdio", "expected": "", "actual": "", "comparison": {"profile": "strict", "order": "lines"}}': (
        "comparison: profile 'strict' allows none of: order"
    ),
    '{"kind": "stdio", "expected": "", "actual": "", "comparison": {"odrer": "lines"}}': (
        "comparison.odrer: unknown field; there are: profile, absolute_tolerance"
    ),
    '{"kind" "stdio"}': "not JSON: Expecting ':' delimiter at column 9",
}


@pytest.mark.parametrize("line", WORDS)
def test_the_words_name_the_place_and_nothing_of_our_making(line: str) -> None:
    with pytest.raises(CompareLineError) as raised:
        list(compare_lines([line]))
    assert str(raised.value).startswith(f"line 1: {WORDS[line]}")
