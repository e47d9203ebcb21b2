"""What the jail costs a compiled program: run in a slot beside started by hand, in turn, in one run.

Usage: python -m benchmarks.native [rounds]
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import track
from rich.table import Table

from sandbox.builds import Build, Sources, command_of
from sandbox.hello import sum_in
from sandbox.kept import Executable
from sandbox.model import RunLimits
from sandbox.pool import Pool
from sandbox.session import Session
from sandbox.slot import Slot

LIMITS = RunLimits(4.0, 30.0, 1 << 30, 16 << 20, 64, 60.0)
INPUT = b"20 22\n"
TESTS_COUNT = 20


def main() -> None:
    """Measure, print one table: medians in milliseconds."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    pool = Pool(1)
    pool.start()
    try:
        with pool.borrow() as slot:
            Console().print(_table(slot, rounds))
    finally:
        pool.close()


def _table(slot: Slot, rounds: int) -> Table:
    table = Table(
        "language", "by hand", "in the jail", "more by", "cache hit", "session", title="ms"
    )
    for name in ("c", "cpp", "rust", "go"):
        if name not in slot.languages.toolchains:
            continue
        table.add_row(name, *(f"{1000 * seconds:.2f}" for seconds in _measured(slot, name, rounds)))
    return table


def _measured(slot: Slot, name: str, rounds: int) -> tuple[float, ...]:
    """Medians in seconds: by hand, in the jail, the difference, a hit of the cache, opening a session."""
    build = _built(slot, name)
    assert isinstance(build.files, Executable)  # these languages make one
    path = build.files.path
    command = command_of(slot.toolchain(name), build, LIMITS)
    by_hand: list[float] = []
    jailed: list[float] = []
    hits: list[float] = []
    opened: list[float] = []
    for _ in track(range(rounds), name, transient=True):
        hits.append(_seconds(lambda: _built(slot, name)))
        with _timed_session(slot, command, opened) as session:
            for _ in range(TESTS_COUNT):
                by_hand.append(_seconds(lambda: _start(path)))
                jailed.append(_seconds(lambda: _run(session)))
    median = statistics.median
    return (
        median(by_hand),
        median(jailed),
        median(jailed) - median(by_hand),
        median(hits),
        median(opened),
    )


def _built(slot: Slot, name: str) -> Build:
    toolchain = slot.toolchain(name)
    main_file = toolchain.language.main_file
    return slot.build(toolchain, Sources(main_file, {main_file: sum_in(name).encode()}), LIMITS)


@contextmanager
def _timed_session(slot: Slot, command: object, opened: list[float]) -> Iterator[Session]:
    started = time.perf_counter()
    with slot.open_program(command, LIMITS) as session:  # type: ignore[arg-type]
        _run(session)
        opened.append(time.perf_counter() - started)
        yield session


def _run(session: Session) -> None:
    (outcome,) = session.run_all([INPUT])
    assert outcome.stdout == b"42\n", outcome


def _start(executable: object) -> None:
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out:
        given.write(INPUT)
        given.seek(0)
        actions = [(os.POSIX_SPAWN_DUP2, given.fileno(), 0), (os.POSIX_SPAWN_DUP2, out.fileno(), 1)]
        pid = os.posix_spawn(str(executable), ["program"], {}, file_actions=actions)
        os.waitpid(pid, 0)


def _seconds(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
