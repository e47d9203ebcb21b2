"""How long judging takes, learned from what it took: for each problem, within bounds."""

from __future__ import annotations

from collections import OrderedDict

MAX_PROBLEMS_COUNT = 10_000
"""Some hundred bytes each."""

_WEIGHT = 0.2
"""Of the newest time in the mean: a dozen submissions forget what a problem once took."""


class Expected:
    """Moving means, in seconds. Belongs to one thread."""

    def __init__(self, first_seconds: float = 0.1) -> None:
        """Nothing is known yet but that judging takes about ``first_seconds``."""
        self._by_problem: OrderedDict[str, float] = OrderedDict()
        self.mean_seconds = first_seconds
        """Over all problems."""

    def learn(self, problem_id: str, judge_seconds: float) -> None:
        """Judging took this long."""
        before = self._by_problem.pop(problem_id, judge_seconds)
        self._by_problem[problem_id] = before + _WEIGHT * (judge_seconds - before)
        if len(self._by_problem) > MAX_PROBLEMS_COUNT:
            self._by_problem.popitem(last=False)
        self.mean_seconds += _WEIGHT / 2 * (judge_seconds - self.mean_seconds)

    def of(self, problem_id: str) -> float:
        """What to expect of a problem; 0 if it is new."""
        return self._by_problem.get(problem_id, 0.0)
