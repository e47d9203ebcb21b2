"""Errors of ours, counted by the boundary that they crossed: where to look when something is not as it should be.

One count for the process, from any thread. A program's errors are no errors here.
"""

from __future__ import annotations

import threading
from collections import Counter
from typing import Literal, get_args

Boundary = Literal["http", "judge", "sandbox", "redis", "audit"]
"""A request that failed; a judge that raised; a jail that died or could not start; Redis that did not answer, or not
as it should; an audit line that could not be written."""

_counts: Counter[str] = Counter()
_lock = threading.Lock()


def note(boundary: Boundary) -> None:
    """An error crossed this boundary."""
    with _lock:
        _counts[boundary] += 1


def errors_count() -> dict[str, int]:
    """How many there were since the process started, by boundary; all boundaries are there."""
    with _lock:
        return {boundary: _counts[boundary] for boundary in get_args(Boundary)}
