"""From what a process did to a verdict."""

from __future__ import annotations

import signal
from typing import Any

import pytest

from evaluator_service.classify import failure_of
from evaluator_service.schema import EffectiveLimits
from evaluator_service.verdicts import Verdict
from sandbox.errors import StarvedError
from sandbox.model import Outcome, Reason

LIMIT_BYTES = 10
LIMITS = EffectiveLimits(
    cpu_time_seconds=1.0,
    wall_time_seconds=30.0,
    memory_bytes=1 << 20,
    output_bytes=LIMIT_BYTES,
    processes_count=1,
    compile_time_seconds=1.0,
)


def outcome(**changes: Any) -> Outcome:
    facts: dict[str, Any] = {
        "reason": Reason.BY_ITSELF,
        "exit_code": 0,
        "signal": None,
        "cpu_time_seconds": 0.1,
        "wall_time_seconds": 0.1,
        "peak_memory_bytes": 1,
        "out_of_memory": False,
        "stdout": b"",
        "stderr_tail": b"",
        "stderr_cut": False,
        "result": b"",
    }
    return Outcome(**{**facts, **changes})


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({"reason": Reason.CPU_LIMIT, "exit_code": None, "signal": 9}, "time_limit_exceeded"),
        ({"reason": Reason.IDLE, "exit_code": None, "signal": 9}, "time_limit_exceeded"),
        ({"reason": Reason.WALL_LIMIT, "exit_code": None, "signal": 9}, "time_limit_exceeded"),
        ({"exit_code": None, "signal": signal.SIGXCPU}, "time_limit_exceeded"),
        ({"cpu_time_seconds": 1.0001}, "time_limit_exceeded"),
        ({"cpu_time_seconds": 1.0001, "exit_code": 1}, "time_limit_exceeded"),
        ({"stdout": b"x" * 11}, "output_limit_exceeded"),
        ({"stdout": b"x" * 11, "reason": Reason.CPU_LIMIT}, "output_limit_exceeded"),
        ({"exit_code": None, "signal": 9, "out_of_memory": True}, "memory_limit_exceeded"),
        ({"exit_code": 1, "stderr_tail": b"...\nMemoryError"}, "memory_limit_exceeded"),
        ({"exit_code": 1, "stderr_tail": b"numpy.ArrayMemoryError: no"}, "memory_limit_exceeded"),
        ({"exit_code": None, "signal": signal.SIGSEGV}, "runtime_error"),
        ({"exit_code": 1, "stderr_tail": b"ValueError: MemoryError"}, "runtime_error"),
        ({"exit_code": 3}, "runtime_error"),
    ],
)
def test_a_process_that_did_not_end_properly_has_its_verdict(
    changes: dict[str, Any], verdict: str
) -> None:
    failure = failure_of(outcome(**changes), LIMITS)
    assert failure is not None
    assert failure.verdict is Verdict(verdict)


def test_output_up_to_the_last_allowed_byte_is_no_failure() -> None:
    assert failure_of(outcome(stdout=b"x" * LIMIT_BYTES), LIMITS) is None


def test_a_program_that_was_starved_gets_no_mark_at_all() -> None:
    with pytest.raises(StarvedError):
        failure_of(outcome(reason=Reason.STARVED, signal=9, exit_code=None), LIMITS)


def test_words_of_a_program_are_shown_printable_and_short() -> None:
    failure = failure_of(outcome(exit_code=1, stderr_tail=b"\x1b[31m" + b"x" * 5000), LIMITS)
    assert failure is not None
    assert failure.message.isprintable()
    assert len(failure.message) <= 300
