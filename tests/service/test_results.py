"""Results in memory: bounded in bytes and in time, by a clock of the test's own."""

from __future__ import annotations

import asyncio

import pytest

from evaluator_service.fault import fault_judgement
from evaluator_service.results import Claim, InMemoryResults, Kept
from evaluator_service.reuse import size_bytes
from evaluator_service.schema import JudgeFault, TestResult
from evaluator_service.settings import Settings
from evaluator_service.verdicts import Verdict
from tests.service.executors import work

pytestmark = pytest.mark.anyio

JUDGEMENT = fault_judgement(
    work(), Settings(), JudgeFault(kind="bad_problem", message="-", retryable=False)
)
SIZE_BYTES = size_bytes(JUDGEMENT)


class Clock:
    """Stands still until it is moved."""

    seconds = 0.0

    def now(self) -> float:
        """What it shows."""
        return self.seconds


async def kept(results: InMemoryResults, *names: str) -> None:
    for name in names:
        claim = Claim(name, "f", "turn")
        await results.claim([claim])
        await results.keep(claim.place, JUDGEMENT)


async def found(results: InMemoryResults, *names: str) -> list[str]:
    return [name for name in names if await results.wait(name) is not None]


async def test_the_time_counts_from_when_it_was_done() -> None:
    clock = Clock()
    results = InMemoryResults(1 << 20, keep_seconds=10, now=clock.now)
    claim = Claim("a", "f", "turn")
    await results.claim([claim])
    clock.seconds = 100.0
    await results.keep(claim.place, JUDGEMENT)
    clock.seconds = 109.9
    assert await found(results, "a") == ["a"]
    clock.seconds = 110.0
    assert await found(results, "a") == []


async def test_the_oldest_go_when_room_is_short() -> None:
    results = InMemoryResults(2 * SIZE_BYTES, keep_seconds=10)
    await kept(results, "a", "b", "c")
    assert await found(results, "a", "b", "c") == ["b", "c"]


async def test_what_is_dropped_gives_its_room_back() -> None:
    results = InMemoryResults(2 * SIZE_BYTES, keep_seconds=10)
    await kept(results, "a", "b")
    await results.drop(["b"])
    await kept(results, "c")
    assert await found(results, "a", "b", "c") == ["a", "c"]


async def test_what_never_fits_drives_nothing_out_and_still_reaches_who_waits() -> None:
    results = InMemoryResults(2 * SIZE_BYTES, keep_seconds=10)
    await kept(results, "a")
    test = TestResult(index=0, verdict=Verdict.ACCEPTED, stdout_head="x" * SIZE_BYTES)
    large = JUDGEMENT.model_copy(update={"tests": [test]})
    claim = Claim("b", "f", "turn")
    await results.claim([claim])
    waiting = asyncio.ensure_future(results.wait("b", None))
    await asyncio.sleep(0)
    await results.keep(claim.place, large)
    assert await waiting == Kept("f", large)
    assert await found(results, "a", "b") == ["a"]
