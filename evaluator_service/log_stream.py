"""Lines on their way to standard error: a thread writes them, together what has gathered meanwhile.

A write lets other threads have the interpreter, and whoever logs would wait to get it back: with a line for each
answer that took as long as all else. Nor does a slow reader of the log hold up judging.
"""

from __future__ import annotations

import atexit
import contextlib
import queue
import threading
import time
from typing import TextIO

MAX_WAITING_COUNT = 100_000
"""Lines that wait for a reader of the log that does not read; what comes beyond is dropped."""

_GATHER_SECONDS = 0.01
"""From the first of some lines until they are written; waking the thread for each costs as much as making the line."""


class LogStream:
    """A stream whose failures cost log lines, and never the answers that they are about."""

    def __init__(self, stream: TextIO) -> None:
        """Write to ``stream`` as long as that works, the last lines at the exit of the process."""
        self._stream = stream
        self._waiting: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._carry, name="log", daemon=True)
        self._thread.start()
        atexit.register(self.close)

    def write(self, text: str) -> None:
        """Have this written soon, or drop it when nobody reads."""
        if self._waiting.qsize() < MAX_WAITING_COUNT:
            self._waiting.put(text)

    def flush(self) -> None:
        """Nothing to do: what waits is written as soon as it can be."""

    def close(self, timeout_seconds: float = 5.0) -> None:
        """Write what waits, unless that takes too long."""
        self._waiting.put(None)
        self._thread.join(timeout_seconds)

    def _carry(self) -> None:
        while (text := self._waiting.get()) is not None:
            time.sleep(_GATHER_SECONDS)
            gathered = [text]
            while not self._waiting.empty():
                following = self._waiting.get()
                if following is None:
                    self._waiting.put(None)
                    break
                gathered.append(following)
            self._write("".join(gathered))

    def _write(self, text: str) -> None:
        # The stream may be closed, or its reader gone.
        with contextlib.suppress(OSError, ValueError):
            self._stream.write(text)
            self._stream.flush()
