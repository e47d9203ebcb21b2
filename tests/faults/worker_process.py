"""A worker with an obedient judge, as a process of its own.

Run: ``python -m tests.faults.worker_process FOLDER LEASE_SECONDS``; a lease of 0 leaves all times as they are.
"""

from __future__ import annotations

import sys
from pathlib import Path

from evaluator_service.distributed import jobs, rq_worker, runner, worker
from evaluator_service.distributed.serving import serve_worker
from evaluator_service.environment import load_settings
from tests.faults.obedient import ObedientJudge


def hurry(lease_seconds: int) -> None:
    """Have this process notice deaths sooner."""
    for module in (rq_worker, worker):
        vars(module)["LEASE_SECONDS"] = lease_seconds
    worker._BEAT_SECONDS = lease_seconds / 4
    jobs._GAP_SECONDS = lease_seconds / 2
    vars(runner)["SILENCE_SECONDS"] = lease_seconds


def main() -> int:
    """Judge until a signal."""
    folder, lease_seconds = Path(sys.argv[1]), int(sys.argv[2])
    if lease_seconds:
        hurry(lease_seconds)
    settings = load_settings()
    return serve_worker(settings, lambda _: ObedientJudge(settings, folder))


if __name__ == "__main__":
    sys.exit(main())
