"""The judge under load, and under fire, for a long time: ``make soak``.

Run: ``.venv/bin/python -m benchmarks.soak [--submissions N] [--kills N] [--seed N]``, from the root of the
checkout; about 15 minutes on two cores. Exits with 1 after any wrong verdict, or if anything is left behind.
"""

from __future__ import annotations

import argparse
import secrets
import sys

from rich.console import Console

from benchmarks.soak_kill_report import table_of_kills
from benchmarks.soak_kills import soak_with_kills
from benchmarks.soak_load import soak_under_load, table_of_load

_SHOWN_COUNT = 50


def main() -> int:
    """Run both parts, print a table of each and what was wrong; returns the exit status."""
    asked = _arguments()
    console = Console()
    console.print(f"seed {asked.seed}")
    faults: list[str] = []
    if asked.submissions:
        load = soak_under_load(asked.submissions, asked.seed)
        console.print(table_of_load(load))
        faults += [*load.wrong, *load.leaks]
    if asked.kills:
        kills = soak_with_kills(asked.kills, asked.seed)
        console.print(table_of_kills(kills))
        faults += [*kills.wrong, *kills.left]
    for fault in faults[:_SHOWN_COUNT]:
        console.print(fault, markup=False, highlight=False)
    console.print(f"{len(faults)} faults" if faults else "nothing wrong, nothing left behind")
    return 1 if faults else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="soak", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--submissions", type=int, default=10_000, help="judged under load; 0 leaves the part out"
    )
    parser.add_argument(
        "--kills", type=int, default=500, help="parts of a service killed; 0 leaves the part out"
    )
    parser.add_argument(
        "--seed", type=int, default=secrets.randbelow(1 << 32), help="of the order and the kills"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
