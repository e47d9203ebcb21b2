"""From what a process did to a verdict: pure, and in one place.

Does not compare outputs: ``None`` means that the program ended properly and its output decides.
"""

from __future__ import annotations

import re
import signal
from typing import NamedTuple

from evaluator_service.schema import EffectiveLimits
from evaluator_service.verdicts import Verdict
from sandbox.errors import StarvedError
from sandbox.model import Outcome, Reason

_OUT_OF_TIME = frozenset({Reason.CPU_LIMIT, Reason.WALL_LIMIT, Reason.IDLE})

_WHY = {
    Reason.CPU_LIMIT: "used up its CPU time",
    Reason.WALL_LIMIT: "used up its elapsed time",
    Reason.IDLE: "idled far beyond its CPU time",
}


_OUT_OF_MEMORY = re.compile(
    rb"std::bad_alloc|memory allocation of \d++ bytes failed|java\.lang\.OutOfMemoryError"
    rb"|JavaScript heap out of memory|fatal error: runtime: (?:out of memory|cannot allocate)"
)
"""How programs die that were refused memory: of C++, Rust, Java, Node, Go. Python says MemoryError last."""

_AFTER_THE_REASON = re.compile(
    r"\s+(?:at |\.\.\. )|\t|note: run with `RUST_BACKTRACE|Node\.js v"
    r"|goroutine |created by |\[signal |exit status |[\w./]+\(.*\)$"
)
"""Lines that Java, Rust, Node and Go write below the one that says what went wrong."""


class Failure(NamedTuple):
    """A verdict that needs no comparison, and why, in words."""

    verdict: Verdict
    message: str


def failure_of(outcome: Outcome, limits: EffectiveLimits) -> Failure | None:
    """The verdict on a process that did not end properly, or not within ``limits``; None if it did.

    Raises:
        StarvedError: If the program was kept waiting for a CPU beyond all patience.
    """
    if outcome.reason is Reason.STARVED:
        raise StarvedError("the program waited for a CPU beyond all patience")
    written_bytes = max(len(outcome.stdout), len(outcome.result))
    if written_bytes > limits.output_bytes or outcome.signal == signal.SIGXFSZ:
        message = f"wrote more than {limits.output_bytes} bytes"
        return Failure(Verdict.OUTPUT_LIMIT_EXCEEDED, message)
    if outcome.reason in _OUT_OF_TIME:
        return Failure(Verdict.TIME_LIMIT_EXCEEDED, _WHY[outcome.reason])
    if outcome.cpu_time_seconds > limits.cpu_time_seconds or outcome.signal == signal.SIGXCPU:
        return Failure(Verdict.TIME_LIMIT_EXCEEDED, _WHY[Reason.CPU_LIMIT])
    if outcome.out_of_memory:
        return Failure(Verdict.MEMORY_LIMIT_EXCEEDED, "took more memory than allowed")
    if outcome.signal is not None or outcome.exit_code != 0:
        refused = _OUT_OF_MEMORY.search(outcome.stderr_tail)
        if refused is not None:
            return Failure(Verdict.MEMORY_LIMIT_EXCEEDED, refused[0].decode())
    if outcome.signal is not None:
        return Failure(Verdict.RUNTIME_ERROR, f"was ended by {_signal_name(outcome.signal)}")
    if outcome.exit_code != 0:
        return _failed_exit(outcome)
    return None


def _failed_exit(outcome: Outcome) -> Failure:
    last = last_line(outcome.stderr_tail)
    if "MemoryError" in last.partition(":")[0]:
        return Failure(Verdict.MEMORY_LIMIT_EXCEEDED, last)
    return Failure(Verdict.RUNTIME_ERROR, last or f"exited with status {outcome.exit_code}")


def last_line(stderr: bytes) -> str:
    """The last line that says what went wrong, printable, at most 300 characters."""
    lines = [line for line in stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    telling = (line for line in reversed(lines) if not _AFTER_THE_REASON.match(line))
    line = next(telling, lines[-1] if lines else "")
    return "".join(c if c.isprintable() else "\ufffd" for c in line.strip()[:300])


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
