"""Who descends from whom, from ``/proc/<pid>/task/<tid>/children``: cheap where psutil reads all of /proc."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path


def children_of(pid: int) -> list[int]:
    """Pids of the children of all threads of a process; none if it is gone."""
    found: list[int] = []
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    except (FileNotFoundError, ProcessLookupError):
        return found
    return found


def descendants_of(pid: int) -> Iterator[int]:
    """Pids of children, their children, and so on."""
    for child in children_of(pid):
        yield child
        yield from descendants_of(child)


def tests_of(nsjail_pid: int) -> Iterator[tuple[int, list[int]]]:
    """Of each session in a jail (below nsjail → zygote): its pid, and the pids of its direct children."""
    for zygote in children_of(nsjail_pid):
        for session in children_of(zygote):
            yield session, children_of(session)
