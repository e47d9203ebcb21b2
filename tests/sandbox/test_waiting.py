"""Waiting for several things at once, and for none longer than it is wanted."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from select import POLLIN, poll
from types import SimpleNamespace
from typing import Any

import pytest

from sandbox.errors import InterruptionError
from sandbox.pollable_event import PollableEvent
from sandbox.waiting import speaking


def is_readable(event: PollableEvent) -> bool:
    waiting = poll()
    waiting.register(event, POLLIN)
    return bool(waiting.poll(0))


def test_an_event_is_readable_from_when_it_happens() -> None:
    early, late = PollableEvent(), PollableEvent()
    early.set()
    assert not is_readable(late)
    late.set()
    assert (is_readable(early), is_readable(late)) == (True, True)


def test_an_event_outlives_its_descriptor() -> None:
    event = PollableEvent()
    descriptor = event.fileno()
    event.close()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)
    event.set()
    assert (event.is_set(), is_readable(event)) == (True, True)


def test_an_event_that_nobody_polled_takes_no_descriptor() -> None:
    before = os.listdir("/proc/self/fd")
    events = [PollableEvent() for _ in range(10)]
    for event in events:
        event.set()
    assert os.listdir("/proc/self/fd") == before


@pytest.fixture
def session() -> Iterator[Any]:
    """What looks like a session that says nothing."""
    with ExitStack() as stack:
        near, far = map(stack.enter_context, socket.socketpair())
        yield SimpleNamespace(fileno=near.fileno, interruption=PollableEvent(), far=far)


def test_who_speaks_is_heard(session: Any) -> None:
    session.far.send(b"!")
    assert speaking([session], 30) == [session]
    assert speaking([session, session], 30) == [session, session]


def test_an_interruption_is_no_silence(session: Any) -> None:
    assert speaking([session], 0) == []
    session.interruption.set()
    with pytest.raises(InterruptionError):
        speaking([session], 30)
