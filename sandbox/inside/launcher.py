"""Starting a compiled program by the launcher (``sandbox/launcher/launch.c``), which saves a fork of the interpreter."""

from __future__ import annotations

import os

from .child import Confinement
from .command import IGNORED_BY_PYTHON
from .wire import LAUNCHER_PATH, Command


class Launcher:
    """Starts one command's executable, as often as there are tests.

    Args:
        command: Whose first argument and environment it gets.
        confinement: What it gives up.
    """

    def __init__(self, command: Command, confinement: Confinement) -> None:
        self._words = [LAUNCHER_PATH, *confinement.in_words()]
        variables = [f"{name}={value}" for name, value in command.environment.items()]
        self._rest = [command.steps[0][0], *variables]

    @staticmethod
    def is_there() -> bool:
        """Whether this jail has it."""
        return os.path.exists(LAUNCHER_PATH)

    def start(self, descriptors: list[int], executable: int) -> int:
        """Start it with these descriptors as 0, 1, 2, …; its pid."""
        moves = [*descriptors, executable]
        # the session's own numbers are all above those that a test gets (``wire.LOWEST_FD``)
        actions = [(os.POSIX_SPAWN_DUP2, number, place) for place, number in enumerate(moves)]
        return os.posix_spawn(
            LAUNCHER_PATH,
            [*self._words, str(len(descriptors)), *self._rest],
            {},
            file_actions=actions,
            setsigdef=IGNORED_BY_PYTHON,
        )
