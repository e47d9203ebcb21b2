"""What the measurements of the service have in common: how they are asked for, what they say of the machine."""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

_SPIN_COUNT = 50_000


class Bound(NamedTuple):
    """Something that a figure has to keep to.

    Attributes:
        what: The figure, in words.
        value: What was measured.
        most: It may not be more; None: it may not be less than ``least``.
        least: It may not be less.
    """

    what: str
    value: float
    most: float | None = None
    least: float | None = None

    @property
    def holds(self) -> bool:
        """Whether it does."""
        within = self.most is None or self.value <= self.most
        return within and (self.least is None or self.value >= self.least)

    def __str__(self) -> str:
        """In a line."""
        limit = f"at most {self.most:g}" if self.most is not None else f"at least {self.least:g}"
        return f"{'holds' if self.holds else 'MISSED'}: {self.what}: {self.value:.3g}, {limit}"


def arguments(document: str | None, **switches: str) -> argparse.Namespace:
    """What a script is asked for: ``--json``, ``--quick`` and further switches with what they mean."""
    parser = argparse.ArgumentParser(description=(document or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print figures as JSON")
    parser.add_argument("--quick", action="store_true", help="seconds rather than minutes")
    for name, meaning in switches.items():
        parser.add_argument(f"--{name}", action="store_true", help=meaning)
    return parser.parse_args()


def spin_milliseconds() -> float:
    """CPU-ms of a loop that is always the same: how slow the cores are just now, whoever else uses them."""
    started = time.thread_time()
    total = 0
    for number in range(_SPIN_COUNT):
        total += number & 7
    return 1000 * (time.thread_time() - started)


def machine(spins: Sequence[float]) -> dict[str, Any]:
    """Where and when something was measured; ``spins`` were taken meanwhile."""
    model = [
        line for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line
    ]
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "processor": model[0].partition(":")[2].strip() if model else platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 2),
        "spin_milliseconds": {
            "least": round(min(spins), 2),
            "median": round(statistics.median(spins), 2),
            "most": round(max(spins), 2),
        },
    }


def table(title: str, rows: Sequence[Mapping[str, Any]]) -> Table:
    """Rows that have the same columns; underscores in their names are spaces."""
    shown = Table(title=title, title_justify="left")
    for place, name in enumerate(rows[0]):
        shown.add_column(name.replace("_", " "), justify="right" if place else "left")
    for row in rows:
        shown.add_row(*map(_cell, row.values()))
    return shown


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.2f}" if abs(value) < 100 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def tell(
    found: Mapping[str, Any], tables: Mapping[str, Sequence[Mapping[str, Any]]], *, as_json: bool
) -> int:
    """Print figures; 1 if one of ``found["bounds"]`` does not hold, else 0."""
    bounds: Sequence[Bound] = found["bounds"]
    if as_json:
        said = {**found, **tables, "bounds": [{**b._asdict(), "holds": b.holds} for b in bounds]}
        sys.stdout.write(json.dumps(said, indent=2) + "\n")
    else:
        console = Console()
        for title, rows in tables.items():
            console.print(table(title.replace("_", " "), rows))
        for bound in bounds:
            console.print(str(bound), highlight=False)
        console.print(found["machine"])
    return 0 if all(bound.holds for bound in bounds) else 1
