"""The limits of one submission: from what it and its problem ask, the settings, and how fast the machine is."""

from __future__ import annotations

from typing import Any

from evaluator_service.schema import EffectiveLimits, Limits
from evaluator_service.settings import ENFORCED, Settings
from sandbox.speed import Speed


def effective_limits(
    settings: Settings,
    problem: Limits | None,
    submission: Limits | None,
    speed: Speed,
) -> EffectiveLimits:
    """The limits that apply: the submission's over the problem's over the defaults, then clamped.

    Reference seconds become this machine's before that. A wall time that nobody asked for is at least twice the
    CPU time: the backstop must not end a program before its CPU limit does.
    """
    asked: dict[str, Any] = {}
    for limits in (problem, submission):
        if limits is not None:
            asked |= _of_this_machine(limits, speed)
    chosen = {name: asked.get(name, getattr(settings, f"default_{name}")) for name in ENFORCED}
    if "wall_time_seconds" not in asked:
        twice_cpu_seconds = 2 * min(chosen["cpu_time_seconds"], settings.max_cpu_time_seconds)
        chosen["wall_time_seconds"] = max(chosen["wall_time_seconds"], twice_cpu_seconds)
    clamped = {name: min(value, getattr(settings, f"max_{name}")) for name, value in chosen.items()}
    return EffectiveLimits(
        **clamped,
        cpu_time_reference_seconds=in_reference_seconds(clamped["cpu_time_seconds"], speed),
    )


def in_reference_seconds(machine_seconds: float, speed: Speed) -> float:
    """How long the reference machine takes for what takes this one so many seconds; to the microsecond."""
    return round(machine_seconds / speed.machine_seconds_per_reference_second, 6)


def _of_this_machine(limits: Limits, speed: Speed) -> dict[str, Any]:
    """The limits that are set, with one clock: whichever was named, it is the CPU time."""
    named = limits.model_dump(exclude_none=True)
    reference_seconds = named.pop("cpu_time_reference_seconds", None)
    if reference_seconds is not None:
        named["cpu_time_seconds"] = reference_seconds * speed.machine_seconds_per_reference_second
    return named
