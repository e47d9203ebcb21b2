"""Whose time counts: a program close below its CPU limit is accepted, one beyond it is not, however busy it is.

Run: ``.venv/bin/python benchmarks/accounting.py [--rounds 50] [--competitors 8]``, about six minutes on two
cores. A program spins until its own CPU clock shows so many seconds, against a limit of 0.5 s: alone, and
beside busy processes of ordinary priority that this script starts and ends. Exits 1 unless every verdict is
the one that the program's own clock deserves.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import httpx2
from rich.console import Console
from rich.table import Table

from evaluator_service.local_service import running_service
from evaluator_service.schema import Judgement, Submission
from evaluator_service.verdicts import Verdict

LIMIT_SECONDS = 0.5
WANTED = {0.45: Verdict.ACCEPTED, 0.6: Verdict.TIME_LIMIT_EXCEEDED}
"""By the CPU time that a program takes, in seconds."""

ROUNDS_COUNT = 50
COMPETITORS_COUNT = 8

_SPIN = "import time\nwhile time.process_time() < {seconds}: pass\nprint(1)\n"
_COMPETE = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: pass\n"
"""Never outlives whoever started it."""

Judge = Callable[[Submission], Judgement]


class Row(NamedTuple):
    """What came of running one program again and again."""

    spins_seconds: float
    competitors_count: int
    rounds_count: int
    as_wanted_count: int
    cpu_seconds: list[float]
    elapsed_seconds: list[float]

    @property
    def holds(self) -> bool:
        """Whether every verdict was the right one."""
        return self.as_wanted_count == self.rounds_count


@contextmanager
def competitors(count: int) -> Iterator[None]:
    """So many processes that never rest, for the length of the block."""
    busy = [subprocess.Popen([sys.executable, "-c", _COMPETE]) for _ in range(count)]  # noqa: S603
    try:
        yield
    finally:
        for process in busy:
            process.kill()
        for process in busy:
            process.wait()


def measure(judge: Judge, spins_seconds: float, rounds_count: int, competitors_count: int) -> Row:
    """Have a program judged that spins for so long on its own clock; the competitors are the caller's."""
    row = Row(spins_seconds, competitors_count, rounds_count, 0, [], [])
    for _ in range(rounds_count):
        started = time.monotonic()
        judgement = judge(spinning(spins_seconds))
        row.elapsed_seconds.append(time.monotonic() - started)
        row.cpu_seconds.append(judgement.tests[0].cpu_time_seconds or 0.0)
        as_wanted = judgement.verdict is WANTED[spins_seconds]
        row = row._replace(as_wanted_count=row.as_wanted_count + as_wanted)
    return row


def spinning(seconds: float) -> Submission:
    """The program that takes so many seconds of CPU time, and its limit."""
    fields: dict[str, Any] = {
        "code": _SPIN.format(seconds=seconds),
        "problem": {"kind": "stdio", "tests": [{"expected": "1"}]},
        "limits": {"cpu_time_seconds": LIMIT_SECONDS},
        "report": "tests",
    }
    return Submission.model_validate(fields)


def over_http(client: httpx2.Client) -> Judge:
    """A judge behind a service."""

    def judge(submission: Submission) -> Judgement:
        body = submission.model_dump(mode="json", exclude_unset=True)
        answer = client.post("/judge", json=body)
        return Judgement.model_validate_json(answer.raise_for_status().content)

    return judge


def main() -> int:
    """Measure everything and print one table; the exit status."""
    options = _options()
    with (
        running_service({"MICROCODER_SLOTS_COUNT": "1"}) as url,
        httpx2.Client(base_url=url, timeout=300.0, trust_env=False) as client,
    ):
        judge = over_http(client)
        counts = (0, options.competitors)
        rows = [row for count in counts for row in _rows(judge, options.rounds, count)]
    Console().print(_table(rows))
    return 0 if all(row.holds for row in rows) else 1


def _rows(judge: Judge, rounds_count: int, competitors_count: int) -> Iterator[Row]:
    with competitors(competitors_count):
        for seconds in WANTED:
            yield measure(judge, seconds, rounds_count, competitors_count)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Whose CPU time counts, alone and on a busy machine."
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS_COUNT, help="runs of each program")
    parser.add_argument("--competitors", type=int, default=COMPETITORS_COUNT, help="busy processes")
    return parser.parse_args()


def _table(rows: list[Row]) -> Table:
    table = Table(title=f"CPU limit {LIMIT_SECONDS:g} s")
    for name in (
        "spins s",
        "beside",
        "wanted",
        "right",
        "CPU s, least",
        "most",
        "elapsed s, median",
    ):
        table.add_column(name, justify="right")
    for row in rows:
        table.add_row(
            f"{row.spins_seconds:g}",
            f"{row.competitors_count}",
            WANTED[row.spins_seconds].code,
            f"{row.as_wanted_count} of {row.rounds_count}",
            f"{min(row.cpu_seconds):.3f}",
            f"{max(row.cpu_seconds):.3f}",
            f"{statistics.median(row.elapsed_seconds):.2f}",
        )
    return table


if __name__ == "__main__":
    sys.exit(main())
