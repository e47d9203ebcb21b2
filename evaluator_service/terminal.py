"""What commands print to: a console wide enough for their tables, and a bar while submissions are judged."""

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


def table_console(width_characters: int) -> Console:
    """Standard output; so wide where no terminal sets the width."""
    console = Console()
    return console if console.is_terminal else Console(width=width_characters)


def judging_progress() -> Progress:
    """A bar on standard error, on a terminal alone."""
    console = Console(stderr=True)
    columns = (TextColumn("judging"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
