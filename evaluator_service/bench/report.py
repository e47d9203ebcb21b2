"""``microcoder bench NAME``: run a measurement and show its table."""

from __future__ import annotations

import json as json_module
import sys
from collections.abc import Callable
from itertools import groupby
from typing import Any

from rich.console import Console
from rich.table import Table

from evaluator_service.bench import compare, sandbox
from sandbox.errors import SandboxError

BENCHES: dict[str, Callable[[], dict[str, Any]]] = {
    "sandbox": sandbox.measure,
    "compare": compare.measure,
}


def run(name: str, *, json: bool = False) -> int:
    """Measure and print; 2 if there is no such measurement or no jail."""
    if name not in BENCHES:
        sys.stderr.write(f"microcoder: no bench {name!r}; there is: {', '.join(BENCHES)}\n")
        return 2
    try:
        found = BENCHES[name]()
    except SandboxError as error:
        sys.stderr.write(f"microcoder: {error}\n")
        return 2
    if json:
        sys.stdout.write(json_module.dumps(found, indent=2) + "\n")
    else:
        Console().print(table(found))
    return 0


def table(found: dict[str, Any]) -> Table:
    """Rows by workload; the last column is how many times the slowest grader's rate.

    Where every workload is a single test, what is said per test is left out.
    """
    per_test = any(row["tests_count"] > 1 for row in found["rows"])
    headings = ["submissions/s", "tests/s", "latency ms", "CPU ms a test"] if per_test else ["ms"]
    shown = Table(title=f"bench {found['name']}", title_justify="left")
    for heading in ("workload", "grader"):
        shown.add_column(heading, no_wrap=True)
    for heading in (*headings, "times slowest"):
        shown.add_column(heading, justify="right")
    for workload, group in groupby(found["rows"], lambda row: row["workload"]):
        rows = list(group)
        slowest = min(row["submissions_per_second"] for row in rows)
        for place, row in enumerate(rows):
            shown.add_row(
                workload if place == 0 else "",
                row["grader"],
                *(_figures(row) if per_test else [f"{row['latency_seconds_median'] * 1000:,.2f}"]),
                f"{row['submissions_per_second'] / slowest:,.1f}",
                end_section=place == len(rows) - 1,
            )
    return shown


def _figures(row: dict[str, Any]) -> list[str]:
    return [
        f"{row['submissions_per_second']:,.1f}",
        f"{row['tests_per_second']:,.0f}",
        f"{row['latency_seconds_median'] * 1000:,.2f}",
        f"{row['cpu_seconds_per_test'] * 1000:,.3f}",
    ]
