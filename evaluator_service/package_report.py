"""What came of a package's submissions: expected against got, for people and for machines."""

from collections.abc import Iterator
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from evaluator_service.package_judge import Outcome, PackageReport

_COLUMNS = ("submission", "language", "expected", "got")


def as_json(report: PackageReport) -> dict[str, Any]:
    """The report as plain data."""
    return {
        "package": report.name,
        "reproduced": not report.not_reproduced,
        "time_limit_seconds": report.time_limit_seconds,
        "time_limit_is_found": report.time_limit_is_found,
        "points": report.all_points,
        "departures": list(report.departures),
        "submissions": [_json_outcome(outcome) for outcome in report.outcomes],
    }


def _json_outcome(outcome: Outcome) -> dict[str, Any]:
    judgement = outcome.judgement
    return {
        "submission": outcome.path,
        "language": outcome.language,
        "expected": outcome.expected,
        "got": judgement.verdict if judgement is not None else None,
        "reproduced": None if judgement is None else outcome.unmet is None,
        "points": outcome.points,
        "cpu_time_seconds": outcome.cpu_time_seconds,
        "why": outcome.unmet or outcome.skipped,
    }


def print_report(report: PackageReport, console: Console) -> None:
    """Print the table, and under it what was not reproduced, skipped, or is not as the package says."""
    console.print(_table(report))
    for line in _lines(report):
        console.print(line, highlight=False, soft_wrap=True)


def _table(report: PackageReport) -> Table:
    found = " (from the slowest accepted submission)" if report.time_limit_is_found else ""
    title = f"{escape(report.name)}: time limit {report.time_limit_seconds:g} s{found}"
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    for column in _COLUMNS:
        table.add_column(column, no_wrap=True)
    if report.all_points is not None:
        table.add_column("points", justify="right", no_wrap=True)
    table.add_column("time", justify="right", no_wrap=True)
    for outcome in report.outcomes:
        table.add_row(*_cells(outcome, report))
    return table


def _cells(outcome: Outcome, report: PackageReport) -> Iterator[str]:
    yield f"{_mark(outcome)} {escape(outcome.path)}"
    yield outcome.language or "–"
    yield outcome.expected or "–"
    yield outcome.judgement.verdict if outcome.judgement is not None else "skipped"
    if report.all_points is not None:
        yield "–" if outcome.points is None else f"{outcome.points:g}/{report.all_points:g}"
    seconds = outcome.cpu_time_seconds
    yield "–" if seconds is None else f"{seconds:.2f} s"


def _mark(outcome: Outcome) -> str:
    if outcome.skipped is not None:
        return "[dim]–[/]"
    return "[green]✓[/]" if outcome.unmet is None else "[bold red]✗[/]"


def _lines(report: PackageReport) -> Iterator[str]:
    for outcome in report.not_reproduced:
        yield f"[bold red]✗ {escape(outcome.path)}[/]: expected {outcome.expected}; {escape(outcome.unmet or '')}"
    for outcome in report.outcomes:
        if outcome.skipped is not None:
            yield f"– {escape(outcome.path)}: skipped: {escape(outcome.skipped)}"
    for departure in report.departures:
        yield f"not as in the package: {escape(departure)}"
    wrong_count, count = len(report.not_reproduced), report.judged_count
    skipped_count = len(report.outcomes) - count
    skipped = f", {skipped_count} skipped" if skipped_count else ""
    if wrong_count:
        yield f"[bold red]{wrong_count} of {count} labels not reproduced[/]{skipped}"
    elif count:
        yield f"[bold green]all {count} labels reproduced[/]{skipped}"
