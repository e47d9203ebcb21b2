"""An event that a thread can wait for together with other things: it has a descriptor."""

from __future__ import annotations

import os
import select
import threading


class PollableEvent:
    """As ``threading.Event``, from any thread, and readable for poll once it is set."""

    __slots__ = ("_descriptor", "_is_set", "_lock")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_set = False
        self._descriptor = -1

    def set(self) -> None:
        """Have it happen; for good."""
        with self._lock:
            self._is_set = True
            if self._descriptor >= 0:
                os.eventfd_write(self._descriptor, 1)

    def is_set(self) -> bool:
        """Whether it has happened."""
        return self._is_set

    def fileno(self) -> int:
        """For poll: readable from when it happens. Opened when it is first asked for, since many never are."""
        with self._lock:
            if self._descriptor < 0:
                self._descriptor = os.eventfd(int(self._is_set), os.EFD_CLOEXEC | os.EFD_NONBLOCK)
            return self._descriptor

    def wait(self, or_else: PollableEvent | None = None) -> None:
        """Until it happens, or the other one does."""
        poll = select.poll()
        for event in filter(None, (self, or_else)):
            poll.register(event, select.POLLIN)
        poll.poll()

    def close(self) -> None:
        """Give the descriptor back, once nobody polls it; the event stays what it is."""
        with self._lock:
            if self._descriptor >= 0:
                os.close(self._descriptor)
                self._descriptor = -1

    def __del__(self) -> None:
        """Closes it."""
        self.close()


NEVER = PollableEvent()
"""For whoever is not to be interrupted; nobody sets or closes it."""
