"""Which results were close, so that another run of the same program might come out otherwise.

The one definition of ``near_limit``. A process is stopped a margin beyond its CPU limit rather than at it:
what ends by itself in between was close, and what had to be stopped would have gone on. Its verdict is by
the limit all the same.
"""

from collections.abc import Iterable
from dataclasses import replace

from evaluator_service.schema import EffectiveLimits, TestResult
from evaluator_service.verdicts import Verdict
from sandbox.model import Compiled, Outcome, Reason, RunLimits

CPU_MARGIN_RATIO = 0.1
"""Of the CPU limit, on either side: more than the clocks of two runs of one program differ."""

MEMORY_MARGIN_RATIO = 0.05
"""Of the memory limit, below it; above it nothing is granted."""

_BY_ELAPSED_TIME = frozenset({Reason.IDLE, Reason.WALL_LIMIT})
_OVER_A_LIMIT = frozenset(
    {
        Verdict.TIME_LIMIT_EXCEEDED,
        Verdict.MEMORY_LIMIT_EXCEEDED,
        Verdict.OUTPUT_LIMIT_EXCEEDED,
    }
)


def with_margin(limits: RunLimits) -> RunLimits:
    """The limits at which a process is stopped."""
    return replace(limits, cpu_time_seconds=limits.cpu_time_seconds * (1 + CPU_MARGIN_RATIO))


def is_near_limit(outcome: Outcome, limits: EffectiveLimits) -> bool:
    """Whether a limit was close to deciding otherwise than it did.

    That is: CPU time within the margin, on either side; or elapsed time decided, in which the machine always has
    a share; or memory within the margin, or refused by the kernel to all processes together.
    """
    if outcome.reason in _BY_ELAPSED_TIME or outcome.out_of_memory:
        return True
    if outcome.peak_memory_bytes >= limits.memory_bytes * (1 - MEMORY_MARGIN_RATIO):
        return True
    beyond_ratio = outcome.cpu_time_seconds / limits.cpu_time_seconds - 1
    return outcome.reason is not Reason.CPU_LIMIT and abs(beyond_ratio) <= CPU_MARGIN_RATIO


def any_near_limit(
    results: Iterable[TestResult], compiled: Compiled | None, limits: EffectiveLimits
) -> bool:
    """Whether any test was close, in the run that counts or in the one before it, or compiling was."""
    if compiled is not None and _compiled_near_limit(compiled, limits):
        return True
    return any(result.near_limit or result.rerun for result in results)


def _compiled_near_limit(compiled: Compiled, limits: EffectiveLimits) -> bool:
    """Whether a limit ended the compiler, which has no margin beyond it, or nearly did."""
    used_ratio = compiled.cpu_time_seconds / limits.compile_time_seconds
    return compiled.stopped or used_ratio >= 1 - CPU_MARGIN_RATIO


def deserves_second_run(result: TestResult) -> bool:
    """Whether time ran out, and only just."""
    return result.verdict is Verdict.TIME_LIMIT_EXCEEDED and result.near_limit


def settled(first: TestResult, second: TestResult) -> TestResult:
    """Of two runs of one test the second, if it stayed within all limits."""
    kept = first if second.verdict in _OVER_A_LIMIT else second
    return kept.model_copy(update={"rerun": True})
