"""A service at full load for a long time: every verdict right, and nothing that piles up."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields

from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.soak_service import SoakedService, soaked_service
from benchmarks.soak_tasks import Task, some_tasks
from benchmarks.soak_traces import Traces, left_behind
from evaluator_service.verdicts import Verdict
from sandbox.flavours import installed

CLIENTS_PER_SLOT_COUNT = 2
_WARM_COUNT = 2_000
"""Half as many submissions fill all that is kept on purpose; memory that grows after that leaks."""
_MOST_GROWTH_BYTES = 8 << 20
"""What the allocator may be off by, in the second half of a soak."""
_MEBIBYTE_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What came of a soak under load.

    Attributes:
        verdicts: How often each verdict was given.
        wrong: What was wrong with verdicts, in words.
        before: What the service kept before the first submission.
        halfway: What it kept after half of them.
        after: What it kept after the last.
        most_jails_count: Jails that it may have.
        elapsed_seconds: Of the submissions alone.
    """

    verdicts: Counter[Verdict]
    wrong: tuple[str, ...]
    before: Traces
    halfway: Traces
    after: Traces
    most_jails_count: int
    elapsed_seconds: float

    @property
    def leaks(self) -> list[str]:
        """What was left behind, in words."""
        found = list(left_behind(self.before, self.after))
        if self.after.groups_count > self.before.groups_count:
            found.append(f"{self.after.groups_count} control groups of jails that are no more")
        if self.after.jails_count > self.most_jails_count:
            found.append(
                f"{self.after.jails_count} jails, of {self.most_jails_count} that it may have"
            )
        if self.verdicts.total() >= _WARM_COUNT:
            found += _growth(self.halfway, self.after)
        return found


def soak_under_load(
    submissions_count: int, seed: int, slots_count: int | None = None
) -> LoadReport:
    """Submit so many tasks to a service, always two for each of its slots (by default its cores)."""
    slots_count = slots_count or len(os.sched_getaffinity(0))
    with soaked_service(slots_count) as service:
        tasks = some_tasks(service.level(), seed, submissions_count)
        middle = len(tasks) // 2
        before, started = service.traces(), time.monotonic()
        first = list(_judged(service, tasks[:middle], slots_count))
        halfway = service.traces()
        second = list(_judged(service, tasks[middle:], slots_count))
        elapsed_seconds = time.monotonic() - started
        answers = [*first, *second]
        return LoadReport(
            verdicts=Counter(verdict for verdict, _ in answers),
            wrong=tuple(complaint for _, complaints in answers for complaint in complaints),
            before=before,
            halfway=halfway,
            after=service.traces(),
            most_jails_count=slots_count * _JAILS_PER_SLOT_COUNT,
            elapsed_seconds=elapsed_seconds,
        )


_JAILS_PER_SLOT_COUNT = 2 * len(installed(("numpy",)).names)
"""One for programs and one for test code, of each flavour."""


def _judged(
    service: SoakedService, tasks: Sequence[Task], slots_count: int
) -> Iterator[tuple[Verdict, list[str]]]:
    """Verdict of each task, and what is wrong with it; with a progress bar on a terminal."""

    def judge(task: Task) -> tuple[Verdict, list[str]]:
        judgement = service.judge(task)
        complaints = [f"{task.name}: {words}" for words in task.complaints(judgement)]
        return judgement.verdict, complaints

    console = Console(stderr=True)
    with ThreadPoolExecutor(CLIENTS_PER_SLOT_COUNT * slots_count) as clients:
        yield from track(
            clients.map(judge, tasks),
            "judging",
            total=len(tasks),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )


def _growth(halfway: Traces, after: Traces) -> Iterator[str]:
    for name in ("service_bytes", "bytes_per_jail"):
        growth_bytes = getattr(after, name) - getattr(halfway, name)
        if growth_bytes > _MOST_GROWTH_BYTES:
            yield f"{name}: {growth_bytes / _MEBIBYTE_BYTES:.1f} MiB more in the second half alone"


def table_of_load(report: LoadReport) -> Table:
    """What the service kept, before, halfway and after."""
    submissions_count = report.verdicts.total()
    rate = submissions_count / report.elapsed_seconds
    title = f"{submissions_count} submissions, {rate:.0f} a second"
    table = Table(title=title, title_justify="left")
    for heading in ("", "before", "halfway", "after"):
        table.add_column(heading, justify="right" if heading else "left")
    for field in fields(Traces):
        figures = [getattr(t, field.name) for t in (report.before, report.halfway, report.after)]
        table.add_row(*_row(field.name, figures))
    table.add_section()
    for verdict, count in report.verdicts.most_common():
        table.add_row(verdict.value, "", "", str(count))
    table.add_row("wrong", "", "", str(len(report.wrong)))
    return table


def _row(name: str, figures: Sequence[int]) -> list[str]:
    words = name.removesuffix("_count").removesuffix("_bytes").replace("_", " ")
    if name.endswith("_bytes"):
        return [f"{words}, MiB", *(f"{figure / _MEBIBYTE_BYTES:.1f}" for figure in figures)]
    return [words, *map(str, figures)]
