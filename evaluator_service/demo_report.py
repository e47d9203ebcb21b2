"""What the demo shows: one row a rollout, the figures of the run, and the mismatches.

Owns presentation only: for people (a table) and for machines (``as_json``).
"""

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from evaluator_service.samples import Rollout
from evaluator_service.schema import Judgement, TestResult
from evaluator_service.verdicts import Verdict

__all__ = ["Figures", "Report", "Row", "as_json", "print_report"]

_COLOURS = {
    Verdict.ACCEPTED: "green",
    Verdict.WRONG_ANSWER: "red",
    Verdict.TIME_LIMIT_EXCEEDED: "yellow",
    Verdict.MEMORY_LIMIT_EXCEEDED: "yellow",
    Verdict.OUTPUT_LIMIT_EXCEEDED: "yellow",
    Verdict.RUNTIME_ERROR: "magenta",
    Verdict.COMPILE_ERROR: "cyan",
    Verdict.NO_CODE: "blue",
    Verdict.JUDGE_ERROR: "white on red",
}
_BAR_CHARACTERS = 40
_ROLLOUT_CHARACTERS = 28
_DETAIL_CHARACTERS = 400


@dataclass(frozen=True, slots=True)
class Row:
    """One rollout and its judgement."""

    problem: str
    kind: str
    rollout: Rollout
    judgement: Judgement

    @property
    def is_as_expected(self) -> bool:
        """Whether the verdict is one that the rollout names."""
        return self.judgement.verdict in self.rollout.expected

    @property
    def tests_run(self) -> list[TestResult]:
        """The tests that were run, in order."""
        return [test for test in self.judgement.tests if test.verdict is not Verdict.SKIPPED]

    @property
    def cpu_ms(self) -> float:
        """CPU time of all its tests, in milliseconds."""
        return sum((test.cpu_time_seconds or 0.0) * 1000 for test in self.tests_run)

    @property
    def methods(self) -> list[str]:
        """The comparison methods that matched, each once, in the order of their first use."""
        compared = (test.comparison for test in self.tests_run)
        return list(dict.fromkeys(c.method for c in compared if c is not None and c.method))


@dataclass(frozen=True, slots=True)
class Report:
    """All rows of one run, and the seconds from sending the batch to the last judgement.

    Attributes:
        rows: One per rollout that was judged.
        elapsed_seconds: From sending the batch to the last judgement.
        missing_languages: Those whose rollouts were left out: their toolchains are not here.
    """

    rows: Sequence[Row]
    elapsed_seconds: float
    missing_languages: tuple[str, ...] = ()

    @property
    def mismatches(self) -> list[Row]:
        """The rows whose verdict is not the expected one."""
        return [row for row in self.rows if not row.is_as_expected]

    @property
    def is_as_expected(self) -> bool:
        """Whether there was something to judge, and every verdict is the expected one."""
        return bool(self.rows) and not self.mismatches


@dataclass(frozen=True, slots=True)
class Figures:
    """The summary of a run. Latencies leave out the wait for a slot: the batch is sent all at once."""

    submissions_count: int
    mismatches_count: int
    elapsed_seconds: float
    submissions_per_second: float
    tests_per_second: float
    latency_seconds_p50: float
    latency_seconds_p95: float
    rewards: dict[str, int]
    isolation: list[str]

    @classmethod
    def of(cls, report: Report) -> "Figures":
        """Summarise a report of at least one row."""
        rows, seconds = report.rows, report.elapsed_seconds
        timings = [row.judgement.timing for row in rows]
        latencies = [timing.total_seconds - timing.queue_seconds for timing in timings]
        twentieths = statistics.quantiles([*latencies, *latencies], n=20, method="inclusive")
        rewards = Counter(_reward(row.judgement.reward) for row in rows)
        return cls(
            submissions_count=len(rows),
            mismatches_count=len(report.mismatches),
            elapsed_seconds=seconds,
            submissions_per_second=len(rows) / seconds,
            tests_per_second=sum(len(row.tests_run) for row in rows) / seconds,
            latency_seconds_p50=statistics.median(latencies),
            latency_seconds_p95=twentieths[-1],
            rewards=dict(sorted(rewards.items())),
            isolation=sorted({row.judgement.isolation.level for row in rows}),
        )


def _reward(reward: float | None) -> str:
    return "null" if reward is None else f"{reward:.2f}"


# --- for machines ---------------------------------------------------------------------------------


def as_json(report: Report) -> dict[str, Any]:
    """The report as plain data: ``{as_expected, figures, rows}``."""
    return {
        "as_expected": report.is_as_expected,
        "figures": asdict(Figures.of(report)),
        "missing_languages": list(report.missing_languages),
        "rows": [_json_row(row) for row in report.rows],
    }


def _json_row(row: Row) -> dict[str, Any]:
    return {
        "problem": row.problem,
        "kind": row.kind,
        "rollout": row.rollout.name,
        "expected": list(row.rollout.expected),
        "why": row.rollout.why,
        "cpu_ms": row.cpu_ms,
        "methods": row.methods,
        "as_expected": row.is_as_expected,
        "judgement": row.judgement.model_dump(mode="json", exclude={"tests"}),
    }


# --- for people -----------------------------------------------------------------------------------


def print_report(report: Report, console: Console) -> None:
    """Print the table, the figures, and whatever did not come out as expected."""
    console.print(_table(report.rows))
    for line in _summary(Figures.of(report)):
        console.print(line, highlight=False)
    if report.missing_languages:
        names = ", ".join(report.missing_languages)
        console.print(
            f"left out, since they are not here (make languages): {names}", highlight=False
        )
    for row in report.mismatches:
        console.print(_mismatch(row), highlight=False)


def _table(rows: Sequence[Row]) -> Table:
    table = Table(
        title="Sample rollouts, judged over HTTP",
        title_justify="left",
        box=SIMPLE_HEAD,
        collapse_padding=True,
        pad_edge=False,
    )
    table.add_column("rollout", no_wrap=True, min_width=_ROLLOUT_CHARACTERS)
    for heading in ("expected", "verdict"):
        table.add_column(heading, no_wrap=True, min_width=len(heading))
    for heading in ("reward", "tests", "CPU ms"):
        table.add_column(heading, justify="right", no_wrap=True, min_width=len(heading))
    table.add_column("compared by", overflow="ellipsis", no_wrap=True)
    for (problem, kind), group in groupby(rows, key=lambda row: (row.problem, row.kind)):
        table.add_row(f"[bold]{escape(problem)}[/] ({kind})")
        for row in group:
            table.add_row(*_cells(row))
        table.add_section()
    return table


def _cells(row: Row) -> tuple[str, ...]:
    judgement = row.judgement
    mark = "[green]✓[/]" if row.is_as_expected else "[bold red]✗[/]"
    return (
        f"{mark} {escape(row.rollout.name.partition('/')[2])}",
        " ".join(map(_coloured, row.rollout.expected)),
        _coloured(judgement.verdict),
        _reward(judgement.reward),
        f"{judgement.passed}/{judgement.total}",
        f"{row.cpu_ms:.0f}" if row.tests_run else "–",
        " ".join(row.methods) or "–",
    )


def _coloured(verdict: Verdict) -> str:
    return f"[{_COLOURS.get(verdict, 'default')}]{verdict.code}[/]"


def _summary(figures: Figures) -> Iterator[str]:
    count, wrong = figures.submissions_count, figures.mismatches_count
    outcome = f"[bold red]{wrong} of {count} not" if wrong else f"[bold green]all {count}"
    yield (
        f"{outcome} as expected[/] in {figures.elapsed_seconds:.1f} s: "
        f"{figures.submissions_per_second:.1f} submissions/s, {figures.tests_per_second:.1f} tests/s, "
        f"p50 {figures.latency_seconds_p50 * 1000:.0f} ms, "
        f"p95 {figures.latency_seconds_p95 * 1000:.0f} ms (without waiting for a slot), "
        f"isolation {escape(', '.join(figures.isolation))}"
    )
    for reward, frequency in figures.rewards.items():
        bar = "█" * max(1, round(_BAR_CHARACTERS * frequency / count))
        yield f"reward {reward:>4} {bar} {frequency}"


def _mismatch(row: Row) -> str:
    judgement = row.judgement
    expected = " or ".join(row.rollout.expected)
    lines = [
        f"[bold red]✗ {escape(row.rollout.name)}[/]: expected {expected}, got {judgement.verdict}"
    ]
    lines.append(f"  why it should be: {escape(row.rollout.why)}")
    if judgement.error is not None:
        lines.append(f"  the judge: {escape(judgement.error.message)}")
    if judgement.message is not None:
        lines.append(f"  nothing ran: {escape(judgement.message[:_DETAIL_CHARACTERS])}")
    lines += [f"  {escape(line)}" for test in row.tests_run[-1:] for line in _test_lines(test)]
    return "\n".join(lines)


def _test_lines(test: TestResult) -> Iterator[str]:
    yield f"test {test.index} ({test.id or 'unnamed'}): {test.verdict}"
    detail = test.comparison.detail if test.comparison is not None else None
    told = {
        "comparison": detail,
        "message": test.message,
        "exit status": test.exit_code,
        "signal": test.signal,
        "standard output": test.stdout_head,
        "standard error": test.stderr_tail,
    }
    for name, content in told.items():
        if content not in (None, ""):
            yield f"  {name}: {str(content)[-_DETAIL_CHARACTERS:]}"
