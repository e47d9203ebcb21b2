"""A judge that runs nothing and accepts everything, to measure the service around it.

Run: ``python -m benchmarks.stub_judge api|worker``, with settings by ``MICROCODER_*`` as in production, and how long
each submission sleeps in its slot by ``STUB_JUDGE_SECONDS``.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any

from evaluator_service.distributed.serving import serve_worker
from evaluator_service.environment import load_settings
from evaluator_service.fault import fault_judgement
from evaluator_service.outputs import Outputs, OutputStore
from evaluator_service.prepare import Prepared, prepare
from evaluator_service.schema import AnyProblem, AssertsProblem, JudgeFault, Judgement
from evaluator_service.server import serve
from evaluator_service.settings import Settings
from evaluator_service.verdicts import Verdict
from evaluator_service.work import Work
from sandbox.errors import SandboxUnavailableError
from sandbox.figures import PoolFigures
from sandbox.languages import LANGUAGES
from sandbox.toolchains import Found, find

SECONDS_VARIABLE = "STUB_JUDGE_SECONDS"


class StubJudge:
    """Accepts after a while; what a judge does is no cost of the service."""

    def __init__(
        self, settings: Settings, seconds: float = 0.0, outputs: Outputs | None = None
    ) -> None:
        """Sleep ``seconds`` over each submission."""
        self._settings = settings
        self._seconds = seconds
        self._found = Found({"python": find(LANGUAGES["python"])}, {})
        self._made: dict[str, Judgement] = {}
        self.outputs: Outputs = outputs or OutputStore(settings.max_outputs_bytes)

    def start(self) -> None:
        """Nothing to warm."""

    def judge(self, work: Work) -> Judgement:
        """Accept."""
        if self._seconds:
            time.sleep(self._seconds)
        made = self._made.get(work.problem_id)
        if made is None:
            made = self._made[work.problem_id] = self._accepted(work)
        if work.submission.id is None:
            return made
        return made.model_copy(update={"id": work.submission.id})

    def condemned(self, work: Work) -> Judgement:
        """Accept all the same."""
        return self.judge(work)

    def _accepted(self, work: Work) -> Judgement:
        fault = JudgeFault(kind="internal", message="-", retryable=True)
        total = len(work.problem.tests)
        changes: dict[str, Any] = {
            "verdict": Verdict.ACCEPTED,
            "reward": 1.0,
            "passed": total,
            "methods": {"exact": total},
            "error": None,
        }
        return fault_judgement(work, self._settings, fault).model_copy(update=changes)

    def tests_of(self, problem: AnyProblem, _: str) -> list[Prepared]:
        """Those of a problem whose outputs are data; there is no jail to read test code in."""
        if isinstance(problem, AssertsProblem):
            raise SandboxUnavailableError("the stub has no jail")
        return prepare(problem)

    def languages(self) -> Found:
        """Python alone."""
        return self._found

    def obstacle(self) -> str | None:
        """None, ever."""
        return None

    def figures(self) -> PoolFigures | None:
        """It has no jails."""
        return None

    def close(self) -> None:
        """Nothing to release."""


def main() -> int:
    """Be an API process or a worker; returns the exit status."""
    settings = load_settings()
    seconds = float(os.environ.get(SECONDS_VARIABLE, "0"))
    if sys.argv[1:] == ["worker"]:
        return serve_worker(settings, lambda outputs: StubJudge(settings, seconds, outputs))
    return serve(settings, StubJudge(settings, seconds) if settings.redis_url is None else None)


if __name__ == "__main__":
    sys.exit(main())
