"""What API processes and workers keep in Redis for one another: problems, and outputs that were compared."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection

from evaluator_service.content_folder import content_id
from evaluator_service.distributed import keys
from evaluator_service.distributed.link import RedisClient, RedisError
from evaluator_service.distributed.problems import Problems
from evaluator_service.outputs import Outputs
from evaluator_service.prepare import Prepared, prepare
from evaluator_service.problem_store import ProblemStore
from evaluator_service.refusals import EngineDownError
from evaluator_service.schema import AnyProblem, AssertsProblem
from evaluator_service.settings import Settings
from sandbox.errors import SandboxUnavailableError


class SharedProblems(ProblemStore):
    """Problems in Redis, for every API process; those used lately are at hand here as well."""

    def __init__(self, connection: RedisClient, settings: Settings) -> None:
        """Have as many at hand as the settings say."""
        super().__init__(settings.max_problems_count, settings.max_problems_bytes)
        self._connection = connection
        self._seconds = round(settings.problem_seconds)
        self._fetched = Problems(connection, 0)

    async def load(self, problem_ids: Collection[str]) -> None:
        """Have these at hand for ``get``, if Redis has them.

        Raises:
            EngineDownError: If Redis cannot be reached.
        """
        missing = [name for name in dict.fromkeys(problem_ids) if self.get(name) is None]
        if missing:
            await _reaching(self._fetch, missing)

    def _fetch(self, problem_ids: list[str]) -> None:
        for name, problem in self._fetched.of(problem_ids).items():
            self.put(name, problem, len(problem.model_dump_json(exclude_unset=True)))
            self._connection.expire(keys.problem(name), self._seconds)

    async def save(self, problem_id: str, problem: AnyProblem, size_bytes: int) -> bool:
        """Keep a problem in Redis; say whether it is new there.

        Raises:
            EngineDownError: If Redis cannot be reached.
        """
        self.put(problem_id, problem, size_bytes)
        return bool(await _reaching(self._store, problem_id, problem))

    def _store(self, problem_id: str, problem: AnyProblem) -> bool:
        content = problem.model_dump_json(exclude_unset=True)
        key = keys.problem(problem_id)
        is_new = self._connection.set(key, content, nx=True, ex=self._seconds)
        return bool(is_new) or not self._connection.expire(key, self._seconds)


async def _reaching[**P, T](call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    try:
        return await asyncio.to_thread(call, *args, **kwargs)
    except RedisError as error:
        raise EngineDownError("Redis, which keeps problems, cannot be reached") from error


class SharedOutputs:
    """Outputs in Redis under their content hash, for as long as asynchronous judgements are kept."""

    def __init__(self, connection: RedisClient, settings: Settings) -> None:
        """Keep nothing larger than all outputs together may be in one process."""
        self._connection = connection
        self._seconds = round(settings.result_seconds)
        self._max_bytes = settings.max_outputs_bytes

    def put(self, output: bytes) -> str:
        """Keep an output, if it fits at all; its content hash either way.

        Raises:
            RedisError: If Redis cannot be reached.
        """
        name = content_id(output)
        if len(output) <= self._max_bytes:
            self._connection.set(keys.output(name), output, ex=self._seconds)
        return name

    def get(self, output_id: str) -> bytes | None:
        """The output, or None if it never was here or is no more.

        Raises:
            RedisError: If Redis cannot be reached.
        """
        found: bytes | None = self._connection.get(keys.output(output_id))
        return found


class SharedArchive:
    """What an API process without jails knows of earlier runs."""

    def __init__(self, connection: RedisClient, settings: Settings) -> None:
        """Of the outputs in Redis."""
        self.outputs: Outputs = SharedOutputs(connection, settings)

    def tests_of(self, problem: AnyProblem, problem_id: str) -> list[Prepared]:
        """The tests of a problem whose outputs are data.

        Raises:
            SandboxUnavailableError: If they are test code, which only a jail reads.
        """
        if isinstance(problem, AssertsProblem):
            raise SandboxUnavailableError("test code is read in a jail, and this process has none")
        return prepare(problem)
