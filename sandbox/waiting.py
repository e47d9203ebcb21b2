"""Waiting for several sessions at once."""

from __future__ import annotations

import select
from collections.abc import Sequence

from .session import Session


def speaking(sessions: Sequence[Session], patience_seconds: float) -> list[Session]:
    """Those that have something to say by then; for any number of descriptors, which select is not."""
    poll = select.poll()
    for session in sessions:
        poll.register(session, select.POLLIN)
    ready = {fd for fd, _ in poll.poll(max(0.0, patience_seconds) * 1000)}
    return [session for session in sessions if session.fileno() in ready]
