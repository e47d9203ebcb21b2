"""The self-check: whether a jail holds what it should, by the list in ``checks``.

Used three ways: by tests, by ``microcoder doctor``, and by the pool, which lends nothing before its first
jail has passed. A check is a program, run like any submission, and what must be seen of it; or a look at
the jail from outside. A jail that lets something out fails, and so does one that stops an honest program.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from .checks import CHECKS, LOOKS, Check, Look
from .errors import JailDiedError, SandboxError, StarvedError
from .model import Mode, Outcome, Program, Reason
from .slot import Slot

_ATTEMPTS_COUNT = 3
"""A jail may die, or find no CPU, for reasons that say nothing of its walls."""


class Finding(NamedTuple):
    """How one check came out."""

    name: str
    promise: str
    held: bool
    seen: str
    """May quote what the program should not have seen: for the operator, not for clients."""


@dataclass(frozen=True, slots=True)
class SelfCheck:
    """How the whole list came out.

    Attributes:
        findings: One for each check, in order; fewer if the list did not come to its end.
        ended_at: When, in UTC.
        elapsed_seconds: How long it took.
        obstacle: What kept it from its end, for the operator; empty if nothing did.
    """

    findings: tuple[Finding, ...]
    ended_at: datetime
    elapsed_seconds: float
    obstacle: str = ""

    @property
    def failed(self) -> tuple[Finding, ...]:
        """The checks that did not hold."""
        return tuple(finding for finding in self.findings if not finding.held)

    @property
    def passed(self) -> bool:
        """Whether every check was made, and held."""
        return bool(self.findings) and not self.failed and not self.obstacle

    @property
    def complaint(self) -> str:
        """What is wrong, for anybody to read; empty if nothing is."""
        if self.obstacle:
            return "the self-check of the sandbox did not come to its end; the log says why"
        named = ", ".join(f"{finding.name} ({finding.promise})" for finding in self.failed)
        return f"the self-check of the sandbox failed; not so: {named}" if named else ""


def self_check(slot: Slot) -> SelfCheck:
    """Run the list in the slot's jail, again where the jail died or was starved."""
    started = time.monotonic()
    findings: tuple[Finding, ...] = ()
    obstacle = ""
    for _ in range(_ATTEMPTS_COUNT):
        try:
            findings, obstacle = tuple(run_checks(slot)), ""
            break
        except SandboxError as error:
            obstacle = str(error)
            slot.drop_dead()
    return SelfCheck(findings, datetime.now(UTC), time.monotonic() - started, obstacle)


def run_checks(
    slot: Slot, checks: tuple[Check, ...] = CHECKS, looks: tuple[Look, ...] = LOOKS
) -> Iterator[Finding]:
    """Make every check in the slot's jail, each program as a submission of its own.

    A look that this user may not take is left out.

    Raises:
        SandboxError: If the jail itself fails, or no CPU was there.
    """
    for look in looks:
        breaches = _breaches(slot, look)
        if breaches is not None:
            yield Finding(look.name, look.promise, not breaches, ", ".join(breaches))
    for check in checks:
        yield _tried(slot, check)


def _breaches(slot: Slot, look: Look) -> list[str] | None:
    """What is wrong; None where an ordinary user may not look at a process that refuses inspection."""
    try:
        return look.breaches(slot.program().zygote_pid, slot.plan)
    except PermissionError:
        return None
    except (FileNotFoundError, ProcessLookupError) as error:
        raise JailDiedError("the jail ended while it was looked at") from error


def _tried(slot: Slot, check: Check) -> Finding:
    program = Program(mode=Mode.STDIO, source=check.source.encode())
    with slot.program().open_session(program, check.limits) as session:
        compiled = session.compiled()
        if not compiled.ok:
            seen = f"its program was not even compiled: {compiled.message}"
            return Finding(check.name, check.promise, held=False, seen=seen)
        (outcome,) = session.run_all(["\n".join(slot.mounted).encode()])
    if outcome.reason is Reason.STARVED:
        raise StarvedError(f"no CPU was there for the check {check.name!r}")
    return Finding(check.name, check.promise, check.holds(outcome), _seen(outcome))


def _seen(outcome: Outcome) -> str:
    out = outcome.stdout[:200].decode("utf-8", "replace").strip()
    error = outcome.stderr_tail[-200:].decode("utf-8", "replace").strip()
    return (
        f"{outcome.reason.name.lower()}, exit {outcome.exit_code}, wrote {out!r} {error!r}".strip()
    )
