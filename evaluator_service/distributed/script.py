"""Scripts that Redis runs in one step."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from redis.exceptions import NoScriptError

from evaluator_service.distributed.link import RedisClient


class Script:
    """A script beside this file, sent by its hash."""

    def __init__(self, connection: RedisClient, name: str) -> None:
        """The file of that name."""
        self._connection = connection
        self._text = files(__package__).joinpath(name).read_text()
        self.digest = ""

    def load(self) -> None:
        """Have Redis know it, again after a restart.

        Raises:
            RedisError: If Redis cannot be reached.
        """
        self.digest = self._connection.script_load(self._text)

    def run(self, names: Sequence[str], arguments: Sequence[Any]) -> Any:
        """Run it with these keys and arguments.

        Raises:
            RedisError: If Redis cannot be reached.
        """
        if not self.digest:
            self.load()
        try:
            return self._connection.evalsha(self.digest, len(names), *names, *arguments)
        except NoScriptError:
            self.load()
            return self._connection.evalsha(self.digest, len(names), *names, *arguments)
