"""``microcoder doctor``: what this machine can isolate and what it cannot, in words."""

import json as json_module
import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from evaluator_service.cli import read_settings
from evaluator_service.judge import pool_of
from evaluator_service.settings import Settings
from sandbox import cgroup
from sandbox.binary import find_nsjail
from sandbox.canary import passes_canary
from sandbox.errors import SandboxError
from sandbox.flavours import Flavours
from sandbox.hello import sum_fails
from sandbox.inside.seccomp import filter_of_jail
from sandbox.isolation import Plan
from sandbox.pool import Pool
from sandbox.selfcheck import SelfCheck


class Line(NamedTuple):
    """One thing that was looked at."""

    name: str
    state: str
    """``ok``, ``weaker`` (works, with less), or ``failed``."""
    words: str


_MARKS = {"ok": "[green]✓[/]", "weaker": "[yellow]![/]", "failed": "[red]✗[/]"}


def run(json: bool = False) -> int:
    """Look, print, and return 0 if this machine can judge, else 1."""
    lines = list(look(read_settings()))
    if json:
        sys.stdout.write(json_module.dumps([line._asdict() for line in lines], indent=2) + "\n")
    else:
        print_lines(lines, Console())
    return 1 if any(line.state == "failed" for line in lines) else 0


def look(settings: Settings) -> Iterator[Line]:
    """Everything worth knowing, cheapest first; stops where nothing after it could work."""
    yield Line("Python", "ok", f"{platform.python_version()} at {sys.base_prefix}")
    try:
        yield Line("nsjail", "ok", str(find_nsjail(settings.nsjail_path)))
    except SandboxError as error:
        yield Line("nsjail", "failed", str(error))
        return
    yield _system_calls()
    yield _scheduler()
    yield from _jails(settings)


def _system_calls() -> Line:
    try:
        filter_of_jail()
    except RuntimeError as error:
        return Line("system calls", "failed", str(error))
    return Line("system calls", "ok", f"filtered, by the table for {platform.machine()}")


def _scheduler() -> Line:
    if Path("/proc/self/schedstat").exists():
        words = "time spent waiting for a CPU can be told from time spent idling"
        return Line("scheduler statistics", "ok", words)
    words = "missing: on an overloaded machine, waiting for a CPU counts as idling"
    return Line("scheduler statistics", "weaker", words)


def _jails(settings: Settings) -> Iterator[Line]:
    pool = pool_of(settings, 1)
    try:
        pool.start()
    except SandboxError as error:
        yield Line("jail", "failed", f"{error}. {_advice()}")
        return
    try:
        assert pool.plan is not None  # a pool that started has chosen
        yield from _walls(pool.plan)
        yield _packages(settings, pool.flavours)
        check = pool.wait_until_checked()
        yield from _self_check(check)
        if check.passed:
            yield _speed(settings, pool)
            yield _canary(pool)
            yield from _languages(pool)
    finally:
        pool.close()


def _self_check(check: SelfCheck) -> Iterator[Line]:
    for finding in check.findings:
        words = finding.promise if finding.held else f"{finding.promise}: NOT SO ({finding.seen})"
        yield Line(finding.name, "ok" if finding.held else "failed", words)
    if check.obstacle:
        yield Line("self-check", "failed", f"it did not come to its end: {check.obstacle}")


def _speed(settings: Settings, pool: Pool) -> Line:
    if obstacle := pool.obstacle():
        return Line("speed", "failed", obstacle)
    speed = pool.speed()
    words = f"one second of the reference machine is {speed.machine_seconds_per_reference_second:g} s here, "
    if settings.machine_seconds_per_reference_second is not None:
        return Line("speed", "ok", words + "as it was set")
    by_loop = f"{speed.integers:.2f} for integers, {speed.memory:.2f} for memory"
    return Line("speed", "ok", f"{words}as measured: {by_loop}")


def _canary(pool: Pool) -> Line:
    with pool.borrow() as slot:
        good = passes_canary(slot)
    return Line("canary", "ok" if good else "failed", "a program known to be good gets through")


def _languages(pool: Pool) -> Iterator[Line]:
    """A program in each language that was found; those that were not, together."""
    with pool.borrow() as slot:
        for name, toolchain in pool.languages.toolchains.items():
            why = sum_fails(slot, toolchain)
            words = f"{toolchain.language.title}: {toolchain.version}"
            yield Line(name, "failed" if why else "ok", f"{words}: {why}" if why else words)
    missing = pool.languages.missing
    if missing:
        words = "; ".join(f"{name}: {why}" for name, why in missing.items())
        yield Line("not here", "weaker", f"programs in these languages are refused: {words}")


def _walls(plan: Plan) -> Iterator[Line]:
    yield Line("isolation", "ok", f"jails start as `{plan.level}`; judgements report it")
    if plan.two_ids:
        yield Line(
            "user ids", "ok", "tests run under an id of their own, apart from their watcher's"
        )
    else:
        words = "one id only (not root here): the system-call filter alone protects the watcher"
        yield Line("user ids", "weaker", words)
    if plan.cgroup_version is not None:
        words = (
            f"control groups v{plan.cgroup_version}: memory is bounded for all processes together"
        )
        yield Line("memory", "ok", words)
    else:
        words = (
            "no control groups can be written here: memory is bounded for each process by itself, and for all "
            "together by a look at what they hold, twenty times a second"
        )
        if cgroup.ROOT.joinpath("cgroup.controllers").exists():
            words += "; run as root, or in a unit with Delegate=yes, to have the kernel bound it for all together"
        yield Line("memory", "weaker", words)


def _packages(settings: Settings, flavours: Flavours) -> Line:
    there = ", ".join(flavours.packages) or "none"
    missing = [name for name in settings.packages if name not in flavours.packages]
    if not missing:
        return Line("packages", "ok", f"programs may import the standard library and: {there}")
    words = f"{there}; not installed beside the judge: {', '.join(missing)} (pip install them)"
    return Line("packages", "weaker", words)


def _advice() -> str:
    """What usually keeps jails from starting, as far as this machine shows it."""
    hints = []
    for knob, blocks, mend in (
        (
            "/proc/sys/kernel/unprivileged_userns_clone",
            "0",
            "sysctl kernel.unprivileged_userns_clone=1",
        ),
        ("/proc/sys/user/max_user_namespaces", "0", "sysctl user.max_user_namespaces=10000"),
        (
            "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
            "1",
            "sysctl kernel.apparmor_restrict_unprivileged_userns=0, or run as root",
        ),
    ):
        path = Path(knob)
        if path.exists() and path.read_text().strip() == blocks:
            hints.append(f"{knob} is {blocks}: {mend}")
    if not hints:
        hints.append(
            "in a container, allow user namespaces: seccomp=unconfined and systempaths=unconfined"
        )
    return "; ".join(hints)


def print_lines(lines: list[Line], console: Console) -> None:
    """A table where there is a terminal, else plain lines; nothing is cut."""
    console.print("[bold]microcoder doctor[/]")
    if console.is_terminal:
        console.print(_table(lines))
    else:
        width = max(len(line.name) for line in lines)
        for line in lines:
            text = f"{_MARKS[line.state]} {line.name.ljust(width)}  {escape(line.words)}"
            console.print(text, highlight=False, soft_wrap=True)
    if any(line.state == "failed" for line in lines):
        console.print("[red]This machine cannot judge yet: mend what is marked ✗.[/]")
    else:
        console.print("[green]This machine can judge.[/]")


def _table(lines: list[Line]) -> Table:
    table = Table(show_header=False, box=None)
    for _ in Line._fields:
        table.add_column(overflow="fold")  # a path that does not fit goes on in the next line
    for line in lines:
        table.add_row(_MARKS[line.state], f"[bold]{line.name}[/]", escape(line.words))
    return table
