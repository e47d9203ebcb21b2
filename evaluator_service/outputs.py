"""Outputs kept under their content hash, for submissions that asked for it: in memory, or in a folder.

What is kept is what was compared: standard output, or a returned value as it came out of the jail.
"""

from typing import Protocol

from evaluator_service.content_folder import content_id
from evaluator_service.prepare import Prepared
from evaluator_service.recently_used import RecentlyUsed
from evaluator_service.schema import AnyProblem

ENTRY_BYTES = 512
"""Beside its bytes, what keeping one output takes at most: its name, its place, the objects around both."""


class Outputs(Protocol):
    """Where outputs are kept."""

    def put(self, output: bytes) -> str:
        """Keep an output; its content hash, ``sha256:…``."""

    def get(self, name: str) -> bytes | None:
        """The output, or None if it never was here or is no more."""


class Archive(Protocol):
    """What a judge knows of earlier runs, and what there is to compare it with."""

    outputs: Outputs

    def tests_of(self, problem: AnyProblem, problem_id: str) -> list[Prepared]:
        """The tests of a problem, with what they expect; blocks; from any thread.

        Raises:
            BadProblemError: If the problem cannot be judged, whatever the program.
            SandboxError: If test code cannot be read now.
        """


class OutputStore:
    """A bounded map from ``sha256:…`` to bytes; the least recently used go first. Safe to use from several threads."""

    def __init__(self, max_bytes: int) -> None:
        """Take at most this much memory, an output of one byte counted as ``ENTRY_BYTES`` more."""
        self._kept: RecentlyUsed[bytes] = RecentlyUsed(max_bytes)

    def put(self, output: bytes) -> str:
        """Keep an output, if it fits at all; its content hash either way."""
        name = content_id(output)
        self._kept.put(name, output, len(output) + ENTRY_BYTES)
        return name

    def get(self, name: str) -> bytes | None:
        """The output, or None if it never was here or is no more."""
        return self._kept.get(name)
