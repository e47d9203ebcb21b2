"""Outputs kept under their content hash, for submissions that asked for it: in memory, or in a folder.

What is kept is what was compared: standard output, or a returned value as it came out of the jail.
"""

import hashlib
import os
import threading
from pathlib import Path
from typing import Protocol

from evaluator_service.prepare import Prepared
from evaluator_service.recently_used import RecentlyUsed
from evaluator_service.schema import AnyProblem

ENTRY_BYTES = 512
"""Beside its bytes, what keeping one output takes at most: its name, its place, the objects around both."""

_PREFIX = "sha256:"


class Outputs(Protocol):
    """Where outputs are kept."""

    def put(self, output: bytes) -> str:
        """Keep an output; its content hash, ``sha256:…``."""

    def get(self, output_id: str) -> bytes | None:
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


def output_id(output: bytes) -> str:
    """The content hash of an output."""
    return _PREFIX + hashlib.sha256(output).hexdigest()


class OutputStore:
    """A bounded map from ``sha256:…`` to bytes; the least recently used go first. Safe to use from several threads."""

    def __init__(self, max_bytes: int) -> None:
        """Take at most this much memory, an output of one byte counted as ``ENTRY_BYTES`` more."""
        self._kept: RecentlyUsed[bytes] = RecentlyUsed(max_bytes)

    def put(self, output: bytes) -> str:
        """Keep an output, if it fits at all; its content hash either way."""
        name = output_id(output)
        self._kept.put(name, output, len(output) + ENTRY_BYTES)
        return name

    def get(self, output_id: str) -> bytes | None:
        """The output, or None if it never was here or is no more."""
        return self._kept.get(output_id)


class OutputFolder:
    """One file an output, named by its content hash; nothing is ever removed."""

    def __init__(self, folder: Path) -> None:
        """Keep outputs in ``folder``, which exists."""
        self._folder = folder

    def put(self, output: bytes) -> str:
        """Write an output, unless it is there already.

        Raises:
            OSError: If it cannot be written.
        """
        name = output_id(output)
        path = self._path(name)
        if not path.exists():
            # whole or not at all: a reader may come, or the power go, at any moment
            part = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.part")
            part.write_bytes(output)
            part.replace(path)
        return name

    def get(self, output_id: str) -> bytes | None:
        """The output, or None if it is not there, or is no longer what its name says."""
        try:
            output = self._path(output_id).read_bytes()
        except FileNotFoundError:
            return None
        return output if _is_named(output, output_id) else None

    def _path(self, name: str) -> Path:
        return self._folder / name.removeprefix(_PREFIX)


def _is_named(output: bytes, name: str) -> bool:
    return output_id(output) == name
