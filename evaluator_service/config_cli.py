"""The command ``microcoder config``: every setting with its value, default and meaning."""

import json
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from evaluator_service.setting_rows import SettingRow

_NARROWEST_TABLE_CHARACTERS = 110
"""In less, meanings wrap so often that plain lines read better."""


def print_settings(rows: Sequence[SettingRow], console: Console) -> None:
    """A table where there is a terminal with room for it, else a line a setting; names are never cut."""
    if console.is_terminal and console.width >= _NARROWEST_TABLE_CHARACTERS:
        console.print(_table(rows))
        return
    for line in lines(rows):
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def lines(rows: Sequence[SettingRow]) -> list[str]:
    """Variable, value, default and meaning of each setting, side by side."""
    cells = [(row.variable, shown(row.value), f"[{shown(row.default)}]") for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            [*(cell.ljust(width) for cell, width in zip(of_row, widths, strict=True)), row.meaning]
        )
        for of_row, row in zip(cells, rows, strict=True)
    ]


def _table(rows: Sequence[SettingRow]) -> Table:
    table = Table(title="Settings, by environment variable")
    table.add_column("setting", no_wrap=True, min_width=max(len(row.variable) for row in rows))
    for heading in ("value", "default", "meaning"):
        table.add_column(heading, overflow="fold")
    for row in rows:
        changed = "bold yellow" if row.value != row.default else None
        cells = (row.variable, shown(row.value), shown(row.default), row.meaning)
        table.add_row(*map(escape, cells), style=changed)
    return table


def shown(value: Any) -> str:
    """A value as the environment would name it; a dash where it is unset."""
    if value is None:
        return "–"
    return json.dumps(value) if isinstance(value, list) else str(value)
