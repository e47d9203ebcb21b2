"""What stands behind the routes: this process itself, or the workers that share a Redis."""

from __future__ import annotations

from dataclasses import dataclass

from evaluator_service.embedded import EmbeddedEngine
from evaluator_service.engine import Engine
from evaluator_service.judging import JudgeLike
from evaluator_service.outputs import Archive
from evaluator_service.problem_store import ProblemStore
from evaluator_service.results import InMemoryResults, Results
from evaluator_service.settings import Settings


@dataclass(frozen=True, slots=True)
class Backend:
    """Where runs are judged, and where problems, outputs and results are kept."""

    engine: Engine
    archive: Archive
    problems: ProblemStore
    results: Results


def embedded(settings: Settings, judge: JudgeLike) -> Backend:
    """This process judges, with ``judge``, and keeps everything itself."""
    problems = ProblemStore(settings.max_problems_count, settings.max_problems_bytes)
    results = InMemoryResults(settings.max_results_bytes, settings.result_seconds)
    return Backend(EmbeddedEngine(judge, settings), judge, problems, results)


def distributed(settings: Settings) -> Backend:
    """Workers judge, and Redis keeps everything."""
    # a process that judges by itself needs neither Redis nor RQ
    from evaluator_service.distributed.engine import RqEngine  # noqa: PLC0415
    from evaluator_service.distributed.link import connect  # noqa: PLC0415
    from evaluator_service.distributed.results import SharedResults  # noqa: PLC0415
    from evaluator_service.distributed.stores import SharedArchive, SharedProblems  # noqa: PLC0415

    connection = connect(settings)
    engine = RqEngine(settings)
    return Backend(
        engine,
        SharedArchive(connection, settings),
        SharedProblems(connection, settings),
        SharedResults(connection, settings.result_seconds, engine.api_id),
    )
