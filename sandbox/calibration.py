"""How fast this machine is, so that a limit in reference seconds means the same work on every machine.

Two fixed loops, one over integers and one over memory, run in a jail like any program that is judged: by the same
interpreter, on the same clock. The time that each takes here, over its time on the reference machine, says how much
slower this one is. That takes up to 0.4 s of CPU time, once.
"""

from __future__ import annotations

from .errors import SandboxError, SandboxUnavailableError, StarvedError
from .model import Mode, Outcome, Program, Reason, RunLimits
from .slot import Slot
from .speed import Speed

_INTEGERS = b"""
def walk(steps_count):
    number = 1
    for _ in range(steps_count):
        number = (number * 29 + 12345) & 0xFFFFFF
    return number
print(walk(100_000))
"""

_MEMORY = b"""
def walk(data, steps_count):
    place = 1
    for _ in range(steps_count):
        place = (place * 29 + data[place] + 12345) & 0xFFFFFF
    return place
data = bytearray(range(256))
data *= 1 << 16
print(walk(data, 50_000))
"""
"""16 MiB, more than a core's own caches hold; where a step leads depends on what the one before has read."""

_REFERENCE_INTEGERS_SECONDS = 0.0082
_REFERENCE_MEMORY_SECONDS = 0.0210
"""The reference machine is where these were measured, the best that starts of a worker find while it is quiet: a
virtual machine on an AMD EPYC of the Zen 4 generation at 2.6 GHz, with CPython 3.12. To change them, or a loop, is to
change what every limit in reference seconds means."""

_RUNS_COUNT = 8
"""The best counts: nothing makes a loop quicker than the machine is, and much makes it slower. Many short runs find a
quiet moment where a few long ones do not."""
_ATTEMPTS_COUNT = 3
"""A jail may die, or find no CPU, for reasons that say nothing of the machine's speed."""

_LIMITS = RunLimits(
    cpu_time_seconds=5.0,
    wall_time_seconds=60.0,
    memory_bytes=128 << 20,
    output_bytes=1 << 10,
    processes_count=8,
    compile_time_seconds=10.0,
)


def measure(slot: Slot) -> Speed:
    """Run both loops in the slot's jail, again where the jail died or was starved.

    Raises:
        SandboxError: If they do not come to their end.
    """
    for _ in range(_ATTEMPTS_COUNT - 1):
        try:
            return _measured(slot)
        except SandboxError:
            slot.drop_dead()
    return _measured(slot)


def _measured(slot: Slot) -> Speed:
    return Speed(
        integers=_best_seconds(slot, _INTEGERS) / _REFERENCE_INTEGERS_SECONDS,
        memory=_best_seconds(slot, _MEMORY) / _REFERENCE_MEMORY_SECONDS,
    )


def _best_seconds(slot: Slot, source: bytes) -> float:
    with slot.open_program(Program(mode=Mode.STDIO, source=source), _LIMITS) as session:
        compiled = session.compiled()
        if not compiled.ok:
            raise SandboxUnavailableError(f"a measuring loop was not compiled: {compiled.message}")
        return min(map(_seconds, session.run_all([b""] * _RUNS_COUNT)))


def _seconds(outcome: Outcome) -> float:
    if outcome.reason is Reason.STARVED:
        raise StarvedError("no CPU was there to measure how fast the machine is")
    if outcome.reason is not Reason.BY_ITSELF or outcome.exit_code != 0:
        raise SandboxUnavailableError(
            f"a measuring loop did not come to its end: {outcome} {outcome.stderr_tail[-300:]!r}"
        )
    return outcome.cpu_time_seconds
