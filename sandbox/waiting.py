"""Waiting for several sessions at once, and for none longer than somebody waits for what they do."""

from __future__ import annotations

import select
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .errors import InterruptionError
from .pollable_event import PollableEvent

if TYPE_CHECKING:
    from .session import Session


def speaking(sessions: Sequence[Session], patience_seconds: float) -> list[Session]:
    """Those that have something to say by then; for any number of descriptors, which select is not.

    Raises:
        InterruptionError: If what they do is not wanted any more.
    """
    poll = select.poll()
    for session in sessions:
        poll.register(session, select.POLLIN)
        poll.register(session.interruption, select.POLLIN)
    ready = {fd for fd, _ in poll.poll(max(0.0, patience_seconds) * 1000)}
    for session in sessions:
        go_on(session.interruption)
    return [session for session in sessions if session.fileno() in ready]


def go_on(interruption: PollableEvent) -> None:
    """Do nothing, unless there was an interruption.

    Raises:
        InterruptionError: If there was.
    """
    if interruption.is_set():
        raise InterruptionError
