"""Which test of a problem is likeliest to fail, learned from what failed of late, within bounds.

Most wrong programs for a problem fail the same few tests: where the first failure decides, the likeliest goes first.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable

from evaluator_service.schema import TestResult
from evaluator_service.verdicts import Verdict

MAX_PROBLEMS_COUNT = 10_000
MAX_TESTS_COUNT = 16
"""Per problem; some kilobytes at most."""

_KEPT_RATIO = 0.9
"""Of what failures count, whenever another program fails: two dozen of them forget one."""


class LikelyFailures:
    """Failures of tests, by problem. Safe to use from several threads."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._by_problem: OrderedDict[str, dict[int, float]] = OrderedDict()
        self._lock = threading.Lock()

    def learn(self, problem_id: str, results: Iterable[TestResult]) -> None:
        """A program was run on these tests; of those that did not run nothing is known."""
        failed = [result.index for result in results if result.verdict is not Verdict.ACCEPTED]
        if not failed:
            return
        with self._lock:
            before = self._by_problem.pop(problem_id, {})
            counts = {index: _KEPT_RATIO * count for index, count in before.items()}
            for index in failed:
                counts[index] = counts.get(index, 0.0) + 1.0
            most = sorted(counts, key=lambda index: (-counts[index], index))[:MAX_TESTS_COUNT]
            self._by_problem[problem_id] = {index: counts[index] for index in most}
            if len(self._by_problem) > MAX_PROBLEMS_COUNT:
                self._by_problem.popitem(last=False)

    def likeliest(self, problem_id: str) -> int | None:
        """Index of the test that failed most often of late; of several, the first declared. None if none did."""
        with self._lock:
            return next(iter(self._by_problem.get(problem_id, ())), None)
