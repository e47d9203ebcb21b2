"""Problems by content hash: how a worker, or another API process, finds them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pydantic import TypeAdapter

from evaluator_service.distributed import keys
from evaluator_service.distributed.link import RedisClient
from evaluator_service.recently_used import RecentlyUsed
from evaluator_service.schema import AnyProblem, Problem

_PROBLEM: TypeAdapter[AnyProblem] = TypeAdapter(Problem)
_ENTRY_BYTES = 2_000
_PARSED_RATIO = 4
"""What a parsed problem takes, to its JSON: strings of text about as much, small values many times as much."""


class Problems:
    """Those used lately are kept parsed, the least used go first. Safe from several threads."""

    def __init__(self, connection: RedisClient, max_bytes: int) -> None:
        """Keep at most about so many bytes of problems."""
        self._connection = connection
        self._problems: RecentlyUsed[AnyProblem] = RecentlyUsed(max_bytes)

    def of(self, problem_ids: Collection[str]) -> Mapping[str, AnyProblem]:
        """The problems with these hashes; those that are gone are left out."""
        here = {name: self._problems.get(name) for name in problem_ids}
        missing = [name for name, problem in here.items() if problem is None]
        found = self._connection.mget([keys.problem(name) for name in missing]) if missing else []
        for name, content in zip(missing, found, strict=True):
            if content is not None:
                here[name] = problem = _PROBLEM.validate_json(content)
                self._problems.put(name, problem, _ENTRY_BYTES + _PARSED_RATIO * len(content))
        return {name: problem for name, problem in here.items() if problem is not None}
