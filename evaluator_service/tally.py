"""What was answered so far: verdicts, kinds of judge errors, methods that matched, and how long each phase took.

Plain counts, kept on the event loop alone; ``metrics`` and ``stats`` show them.
"""

from bisect import bisect_left
from collections import Counter
from itertools import accumulate

from evaluator_service.comparison import TEXT_PROFILES, VALUE_PROFILES
from evaluator_service.schema import Judgement
from evaluator_service.verdicts import NOT_MATCHED, Verdict

JUDGE_ERROR_KINDS = ("sandbox", "overload", "deadline", "bad_problem", "internal")
PHASES = ("queue", "compile", "run", "compare")
METHODS = tuple(
    dict.fromkeys(
        [name for profile in TEXT_PROFILES.values() for name, _ in profile]
        + [name for profile in VALUE_PROFILES.values() for name, _ in profile]
        + ["test_code", NOT_MATCHED]
    )
)
"""All that can be counted, so that each is there from the start."""
BUCKETS_SECONDS = (
    *(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5),
    *(1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0),
)
"""From a comparison of a few bytes to a program that takes all the time that can be asked for."""


class Histogram:
    """How often a time fell within each bucket, and the sum of all."""

    def __init__(self) -> None:
        self._counts = [0] * (len(BUCKETS_SECONDS) + 1)
        self.sum_seconds = 0.0

    def add(self, seconds: float) -> None:
        """Count one time; a bucket includes its upper bound."""
        self._counts[bisect_left(BUCKETS_SECONDS, seconds)] += 1
        self.sum_seconds += seconds

    @property
    def count(self) -> int:
        """How many times were counted."""
        return sum(self._counts)

    @property
    def cumulative_counts(self) -> list[int]:
        """For each bucket, how many times were at most its upper bound; the last has none."""
        return list(accumulate(self._counts))


class Tally:
    """Counts every answer it is shown."""

    def __init__(self) -> None:
        self.verdicts: Counter[Verdict] = Counter()
        self.verdicts.update({verdict: 0 for verdict in Verdict if verdict is not Verdict.SKIPPED})
        self.judge_errors = Counter(dict.fromkeys(JUDGE_ERROR_KINDS, 0))
        self.methods = Counter(dict.fromkeys(METHODS, 0))
        self.reused_count = 0
        self.phases = {phase: Histogram() for phase in PHASES}

    def observe(self, judgement: Judgement) -> None:
        """Count one answer; methods and times of those alone for which something ran."""
        self.verdicts[judgement.verdict] += 1
        if judgement.cached:
            self.reused_count += 1
            return
        for method, count in judgement.methods.items():
            self.methods[method] += count
        if judgement.error is not None:
            self.judge_errors[judgement.error.kind] += 1
            return
        for phase, histogram in self.phases.items():
            histogram.add(getattr(judgement.timing, f"{phase}_seconds"))
