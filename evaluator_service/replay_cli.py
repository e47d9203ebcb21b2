"""The command ``microcoder judge --replay``: does what the audit log says come out the same here?"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from evaluator_service.audit import AuditFolder
from evaluator_service.audit_record import Marks
from evaluator_service.cli import cannot_judge, complain, quieter, read_settings
from evaluator_service.judge import Judge
from evaluator_service.logs import configure
from evaluator_service.replay import Replayed, Status, replay
from evaluator_service.reuse import package_versions
from evaluator_service.settings import Settings
from evaluator_service.terminal import judging_progress, table_console
from sandbox.errors import SandboxUnavailableError

_FILE_WIDTH_CHARACTERS = 160
_MARKS = {
    Status.SAME: "[green]✓ same[/]",
    Status.DIFFERS: "[bold red]✗ differs[/]",
    Status.OTHER_VERSIONS: "[yellow]? other versions[/]",
    Status.LOST: "[bold red]✗ lost[/]",
    Status.SKIPPED: "[dim]– skipped[/]",
}


def run(path: str, as_json: bool = False) -> int:
    """Judge every line of a log again; a table of what was then and what is now.

    Args:
        path: The folder of the log.
        as_json: A JSON object a line instead of a table.

    Returns:
        The exit status: 0 if all came out the same, 1 if one did not or nobody can say, 2 if there was nothing to
        replay.
    """
    settings = read_settings().model_copy(update={"audit_directory": None})
    configure(quieter(settings))
    folder = AuditFolder(Path(path))
    try:
        if not folder.files():
            return complain(f"{path}: there is no audit log")
        replayed = _shown(_replayed(folder, settings), as_json)
    except SandboxUnavailableError as error:
        return cannot_judge(error, settings)
    except OSError as error:
        return complain(f"{error.filename or path}: {error.strerror or error}")
    if not replayed.total() - replayed[Status.SKIPPED]:
        return complain(f"{path}: there is nothing to replay")
    return 0 if replayed[Status.SAME] + replayed[Status.SKIPPED] == replayed.total() else 1


def _replayed(folder: AuditFolder, settings: Settings) -> Iterator[Replayed]:
    judge = Judge(settings)
    judge.start()
    try:
        with judging_progress() as progress:
            task = progress.add_task("judging", total=None)
            packages = package_versions(settings)
            for each in replay(folder, judge, packages, settings.slots_count):
                progress.advance(task)
                yield each
    finally:
        judge.close()


def _shown(replayed: Iterable[Replayed], as_json: bool) -> Counter[Status]:
    """Print what came of each line; how many came out in which way."""
    counts: Counter[Status] = Counter()
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for column in ("line", "submission", "then", "now", "", "why"):
        table.add_column(column, no_wrap=column != "why")
    for each in replayed:
        counts[each.status] += 1
        if as_json:
            print(json.dumps(_as_json(each), ensure_ascii=False), flush=True)  # noqa: T201
        else:
            table.add_row(*_cells(each))
    if not as_json:
        console = table_console(_FILE_WIDTH_CHARACTERS)
        console.print(table)
        said = ", ".join(
            f"{count} {status.value.replace('_', ' ')}" for status, count in counts.items()
        )
        console.print(said, highlight=False)
    return counts


def _cells(each: Replayed) -> Iterator[str]:
    yield each.where
    yield escape((each.record.submission_id if each.record else None) or "–")
    yield _mark(each.record.outcome if each.record else None)
    yield _mark(each.now)
    yield _MARKS[each.status]
    yield escape("; ".join(each.why))


def _mark(marks: Marks | None) -> str:
    if marks is None:
        return "–"
    reward = "" if marks.reward is None else f" {marks.reward:g}"
    return f"{marks.verdict.code}{reward}"


def _as_json(each: Replayed) -> dict[str, Any]:
    record = each.record
    return {
        "line": each.where,
        "status": each.status,
        "why": list(each.why),
        "submission_id": record.submission_id if record else None,
        "problem_id": record.problem_id if record else None,
        "program": record.program if record else None,
        "then": record.outcome.model_dump(mode="json") if record else None,
        "now": each.now.model_dump(mode="json") if each.now else None,
    }
