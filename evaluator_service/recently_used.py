"""A bounded map in memory: what was used least recently goes first. Safe to use from several threads."""

import threading
from collections import OrderedDict
from typing import NamedTuple


class _Entry[V](NamedTuple):
    value: V
    size_bytes: int


class RecentlyUsed[V]:
    """Values under their names, as many as fit."""

    def __init__(self, max_bytes: int) -> None:
        """Hold at most this many bytes, by the sizes that are given."""
        self._max_bytes = max_bytes
        self._size_bytes = 0
        self._entries: OrderedDict[str, _Entry[V]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, name: str) -> V | None:
        """The value, or None if it never was here or is no more."""
        with self._lock:
            entry = self._entries.get(name)
            if entry is None:
                return None
            self._entries.move_to_end(name)
            return entry.value

    def put(self, name: str, value: V, size_bytes: int) -> None:
        """Keep a value, if it fits at all, unless there is one under this name already."""
        with self._lock:
            if name in self._entries:
                self._entries.move_to_end(name)
            else:
                self._add(name, value, size_bytes)

    def replace(self, name: str, value: V, size_bytes: int) -> None:
        """Keep a value, if it fits at all, in place of the one under this name."""
        with self._lock:
            former = self._entries.pop(name, None)
            if former is not None:
                self._size_bytes -= former.size_bytes
            self._add(name, value, size_bytes)

    def _add(self, name: str, value: V, size_bytes: int) -> None:
        if size_bytes <= self._max_bytes:
            self._entries[name] = _Entry(value, size_bytes)
            self._size_bytes += size_bytes
            self._evict()

    def _evict(self) -> None:
        while self._size_bytes > self._max_bytes:
            _, entry = self._entries.popitem(last=False)
            self._size_bytes -= entry.size_bytes
