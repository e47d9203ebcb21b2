"""The store of problems is bounded by count and by bytes; what was used last stays."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evaluator_service.problem_store import ProblemStore
from evaluator_service.schema import StdioProblem

PROBLEM = StdioProblem.model_validate({"kind": "stdio", "tests": [{"expected": "7"}]})


def test_the_least_recently_used_goes_first() -> None:
    store = ProblemStore(max_problems_count=2, max_problems_bytes=100)
    for name in ("a", "b"):
        store.put(name, PROBLEM, 1)
    store.get("a")
    store.put("c", PROBLEM, 1)
    assert [store.get(name) is not None for name in "abc"] == [True, False, True]


def test_a_problem_stored_again_is_not_new_and_counts_once() -> None:
    store = ProblemStore(max_problems_count=9, max_problems_bytes=10)
    assert [store.put("a", PROBLEM, 6), store.put("a", PROBLEM, 6)] == [True, False]
    assert store.get("a") is not None


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 12))))
def test_it_never_holds_more_than_it_may(puts: list[tuple[int, int]]) -> None:
    store = ProblemStore(max_problems_count=4, max_problems_bytes=12)
    sizes: dict[str, int] = {}
    for number, size_bytes in puts:
        if store.put(str(number), PROBLEM, size_bytes):
            sizes[str(number)] = size_bytes
        held = [size for name, size in sizes.items() if store.get(name)]
        assert len(held) <= 4
        assert sum(held) <= 12
