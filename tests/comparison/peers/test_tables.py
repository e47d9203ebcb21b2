"""What each peer is known to accept and to reject, right or wrong: a table a peer, in the file of its name."""

from __future__ import annotations

from types import ModuleType

import pytest

from evaluator_service.comparison import compare_text, compare_values
from evaluator_service.profiles import Profile
from evaluator_service.schema import Comparison
from evaluator_service.values import Value
from tests.comparison.peers import apps, livecodebench, microcoder, sandboxfusion, taco, verl

PEERS: dict[Profile, ModuleType] = {
    "apps": apps,
    "livecodebench": livecodebench,
    "microcoder": microcoder,
    "sandboxfusion": sandboxfusion,
    "taco": taco,
    "verl": verl,
}


def rows(table: str) -> list[tuple[object, ...]]:
    """The rows of all peers that have such a table, each after the peer's name."""
    return [(name, *row) for name, peer in PEERS.items() for row in getattr(peer, table, ())]


@pytest.mark.parametrize(("profile", "method", "expected", "actual"), rows("ACCEPTS"))
def test_it_accepts_and_names_its_step(
    profile: Profile, method: str, expected: str, actual: str
) -> None:
    assert compare_text(expected, actual.encode(), Comparison(profile=profile)).method == method


@pytest.mark.parametrize(("profile", "expected", "actual"), rows("REJECTS"))
def test_it_rejects(profile: Profile, expected: str, actual: str) -> None:
    assert compare_text(expected, actual.encode(), Comparison(profile=profile)).method is None


@pytest.mark.parametrize(("profile", "method", "expected", "actual"), rows("ACCEPTED_VALUES"))
def test_it_accepts_a_value_and_names_its_step(
    profile: Profile, method: str, expected: Value, actual: Value
) -> None:
    assert compare_values(expected, actual, Comparison(profile=profile)).method == method


@pytest.mark.parametrize(("profile", "expected", "actual"), rows("REJECTED_VALUES"))
def test_it_rejects_a_value(profile: Profile, expected: Value, actual: Value) -> None:
    assert compare_values(expected, actual, Comparison(profile=profile)).method is None


def test_case_counts_for_sandboxfusion_where_the_policy_says_so() -> None:
    policy = Comparison(profile="sandboxfusion", case="strict")
    assert compare_text("YES", b"yes", policy).method is None
    assert compare_text("YES", b"YES ", policy).method == "lines"
