"""How fast a machine is, beside the reference machine: a value; ``calibration`` measures it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class Speed:
    """CPU seconds that a machine takes for each second of the reference machine: 2 where it is half as fast.

    Attributes:
        integers: For a loop over integers.
        memory: For a loop over memory.
    """

    integers: float
    memory: float

    @classmethod
    def fixed(cls, machine_seconds_per_reference_second: float) -> Self:
        """That of a machine whose figure is given."""
        return cls(machine_seconds_per_reference_second, machine_seconds_per_reference_second)

    @property
    def machine_seconds_per_reference_second(self) -> float:
        """What counts: the geometric mean of both, to three digits after the point, since finer ones say nothing."""
        return round(math.sqrt(self.integers * self.memory), 3)


REFERENCE = Speed.fixed(1.0)
"""The reference machine's own; also that of a machine on which nothing has run yet."""
