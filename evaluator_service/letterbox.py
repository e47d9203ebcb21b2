"""What threads tell the event loop: one wake-up for all that has gathered until the loop comes to read it.

Waking the loop for each message costs more than most messages: threads and loop would take the interpreter from each
other again and again.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable


class Letterbox[T]:
    """Threads put messages in; the loop reads them in that order."""

    def __init__(self, loop: asyncio.AbstractEventLoop, read: Callable[[T], None]) -> None:
        """Have ``loop`` call ``read`` with each message."""
        self._loop = loop
        self._read = read
        self._messages: deque[T] = deque()
        self._is_rung = False

    def put(self, message: T) -> None:
        """Leave a message, from any thread; it is lost if the loop has closed, since nobody waits any more."""
        self._messages.append(message)
        if not self._is_rung:
            self._is_rung = True
            with contextlib.suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self._empty)

    def _empty(self) -> None:
        self._is_rung = False  # before the first is read: what comes from now on rings again
        while self._messages:
            self._read(self._messages.popleft())
