"""Many at work together, or one of them alone."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Alone:
    """Whoever wants to be alone waits until the others have ended, and keeps new ones from beginning."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._at_work_count = 0
        self._wants_alone_count = 0

    @contextmanager
    def together(self) -> Iterator[None]:
        """Be at work beside others."""
        with self._changed:
            self._changed.wait_for(lambda: not self._wants_alone_count)
            self._at_work_count += 1
        try:
            yield
        finally:
            self._end()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Be at work with nothing beside it."""
        with self._changed:
            self._wants_alone_count += 1
            self._changed.wait_for(lambda: not self._at_work_count)
            self._at_work_count += 1
        try:
            yield
        finally:
            with self._changed:
                self._wants_alone_count -= 1
            self._end()

    def _end(self) -> None:
        with self._changed:
            self._at_work_count -= 1
            self._changed.notify_all()
