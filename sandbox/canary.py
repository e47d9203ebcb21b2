"""A program known to be good: whether a slot can still judge at all."""

from __future__ import annotations

from .errors import SandboxError
from .model import Mode, Program, Reason, RunLimits
from .slot import Slot

_PROGRAM = Program(mode=Mode.STDIO, source=b"print(sum(map(int, input().split())))\n")
_INPUT = b"20 22\n"
_OUTPUT = b"42\n"
_LIMITS = RunLimits(
    cpu_time_seconds=5.0,
    wall_time_seconds=60.0,
    memory_bytes=256 << 20,
    output_bytes=1 << 20,
    processes_count=8,
    compile_time_seconds=10.0,
)


def passes_canary(slot: Slot) -> bool:
    """Run the canary; False if it does not come through, for whatever reason."""
    try:
        with slot.program().open_session(_PROGRAM, _LIMITS) as session:
            if not session.compiled().ok:
                return False
            (outcome,) = session.run_all([_INPUT])
    except SandboxError:
        return False
    return outcome.reason is Reason.BY_ITSELF and outcome.stdout == _OUTPUT
