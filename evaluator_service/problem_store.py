"""Problems kept in memory under their content hash, so that tests travel once.

Bounded by count and by bytes; the least recently used go first. Safe to use from several threads.
"""

import threading
from collections import OrderedDict
from collections.abc import Collection
from typing import NamedTuple

from evaluator_service.schema import AnyProblem


class _Entry(NamedTuple):
    problem: AnyProblem
    size_bytes: int


class ProblemStore:
    """A bounded map from ``sha256:…`` to problem."""

    def __init__(self, max_problems_count: int, max_problems_bytes: int) -> None:
        """Hold at most this many problems, and at most this many bytes of their JSON."""
        self._max_count = max_problems_count
        self._max_bytes = max_problems_bytes
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._size_bytes = 0
        self._lock = threading.Lock()

    async def load(self, problem_ids: Collection[str]) -> None:
        """Have these at hand for ``get``, if they are kept anywhere; here they are or they are not."""

    async def save(self, problem_id: str, problem: AnyProblem, size_bytes: int) -> bool:
        """Keep a problem wherever problems are kept; say whether it is new there."""
        return self.put(problem_id, problem, size_bytes)

    def put(self, problem_id: str, problem: AnyProblem, size_bytes: int) -> bool:
        """Keep a problem; say whether it is new. ``size_bytes`` is the size of its JSON."""
        with self._lock:
            if problem_id in self._entries:
                self._entries.move_to_end(problem_id)
                return False
            self._entries[problem_id] = _Entry(problem, size_bytes)
            self._size_bytes += size_bytes
            self._evict()
            return True

    def _evict(self) -> None:
        while len(self._entries) > self._max_count or self._size_bytes > self._max_bytes:
            _, entry = self._entries.popitem(last=False)
            self._size_bytes -= entry.size_bytes

    def get(self, problem_id: str) -> AnyProblem | None:
        """The problem, or None if it never was here or is no more."""
        with self._lock:
            entry = self._entries.get(problem_id)
            if entry is None:
                return None
            self._entries.move_to_end(problem_id)
            return entry.problem
