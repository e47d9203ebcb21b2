"""What a service keeps, counted from outside: jails, strays, control groups, descriptors, files, memory."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from sandbox import cgroup
from sandbox.isolation import FIRST_OUTSIDE_ID

SESSIONS_END_SECONDS = 30.0
"""How long sessions that were closed may take to be gone."""
_GROUPS_END_SECONDS = 5.0
"""How long groups of jails that just died may be there; of those that die unused, until they are wanted."""

_DESCRIPTORS_PER_JAIL_COUNT = 2
"""A jail's control socket and its log."""
_SCRATCH = (Path("/tmp"), Path("/dev/shm"))  # noqa: S108 - where files of jails would be, had they got out


@dataclass(frozen=True, slots=True)
class Traces:
    """What a service keeps while it judges nothing.

    Attributes:
        jails_count: Its nsjails.
        strays_count: Other processes below it, but for one zygote in each jail.
        groups_count: Control groups, on the whole machine, of jails that live no more.
        descriptors_count: Open descriptors of the service, less those of its jails and its clients.
        files_count: Files in its own directories but for the builds it keeps, and those of jails' users in the machine's
            scratch space.
        service_bytes: Memory of the service that is its alone (unique set size).
        jails_bytes: Memory of its jails, nsjails included, that they share counted once (proportional set size).
    """

    jails_count: int
    strays_count: int
    groups_count: int
    descriptors_count: int
    files_count: int
    service_bytes: int
    jails_bytes: int

    @property
    def bytes_per_jail(self) -> int:
        """Memory of one jail, on average."""
        return self.jails_bytes // max(1, self.jails_count)


def settled_traces(service: psutil.Process, folders: Sequence[Path] = ()) -> Traces:
    """Look once nothing runs any more and nothing is being cleared away; after a while anyway."""
    wait_until(lambda: not strays(service), SESSIONS_END_SECONDS)
    wait_until(lambda: not deserted_groups(), _GROUPS_END_SECONDS)
    return _look(service, folders)


def wait_until(holds: Callable[[], bool], seconds: float) -> None:
    """Return when something holds, or after so many seconds."""
    deadline = time.monotonic() + seconds
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.05)


def _look(service: psutil.Process, folders: Sequence[Path]) -> Traces:
    jails = service.children()
    return Traces(
        jails_count=len(jails),
        strays_count=len(strays(service)),
        groups_count=len(deserted_groups()),
        descriptors_count=service.num_fds()
        - len(service.net_connections("tcp"))
        - _DESCRIPTORS_PER_JAIL_COUNT * len(jails),
        files_count=sum(1 for _ in _files(folders)),
        service_bytes=service.memory_full_info().uss,
        jails_bytes=sum(map(_share_bytes, service.children(recursive=True))),
    )


def left_behind(before: Traces, after: Traces) -> Iterator[str]:
    """Of a service that lives: what is there after work that was not there before, in words."""
    if after.strays_count:
        yield f"{after.strays_count} processes that are neither a jail nor its zygote"
    for name in ("descriptors_count", "files_count"):
        was, now = getattr(before, name), getattr(after, name)
        if now > was:
            yield f"{name}: {was} before, {now} after"


def strays(service: psutil.Process) -> set[psutil.Process]:
    """Processes below the service that are neither an nsjail nor the one zygote in it."""
    found = set(service.children(recursive=True))
    for jail in service.children():
        found -= {jail, *_children(jail)[:1]}
    return found


def deserted_groups() -> set[str]:
    """Names of control groups of jails whose first process is gone, of whatever service."""
    folders = [
        *cgroup.ROOT.glob(f"*/{cgroup.PARENT}/NSJAIL.*"),
        *cgroup.ROOT.glob(f"{cgroup.PARENT}/NSJAIL.*"),
    ]
    names = {folder.name for folder in folders}
    return {name for name in names if not Path("/proc", name.partition(".")[2]).exists()}


def _files(folders: Sequence[Path]) -> Iterator[Path]:
    for folder in folders:
        yield from (path for path in folder.rglob("*") if not _is_kept(path.relative_to(folder)))
    if os.geteuid() == 0:  # else jails run under the very user whose other files lie there
        for folder in _SCRATCH:
            yield from (entry for entry in folder.iterdir() if _is_of_a_jail(entry))


def _is_kept(path: Path) -> bool:
    """Whether it is meant to stay: a build, rather than one that was never finished."""
    folder, *below = path.parts
    return folder == "builds" and not (below and below[0].startswith("."))


def _is_of_a_jail(path: Path) -> bool:
    try:
        return FIRST_OUTSIDE_ID <= path.lstat().st_uid < FIRST_OUTSIDE_ID + 2048
    except FileNotFoundError:
        return False


def _children(process: psutil.Process) -> list[psutil.Process]:
    try:
        return process.children()
    except psutil.NoSuchProcess:
        return []


def _share_bytes(process: psutil.Process) -> int:
    try:
        return int(process.memory_full_info().pss)
    except psutil.AccessDenied:  # a zygote, to anybody but root
        return int(process.memory_info().rss)
    except psutil.NoSuchProcess:
        return 0
