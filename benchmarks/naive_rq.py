"""The queue path that one would write first, to measure ours beside it.

A job for each submission, with all it needs in its arguments; the route is a plain function in the framework's thread
pool that waits for each result. It is given what can be had for nothing: one process per worker that does not fork, one
round trip for all jobs of a batch, JSON rather than pickle, problems that are named once in the request, no logging.

Run: ``python -m benchmarks.naive_rq api|worker URL``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import uvicorn
from fastapi import FastAPI
from redis import Redis
from rq import Queue, SimpleWorker
from rq.job import Job
from rq.serializers import JSONSerializer

from benchmarks.processes import START_SECONDS
from benchmarks.stub_judge import StubJudge
from evaluator_service.schema import BatchRequest, BatchSubmission, Judgement, Submission
from evaluator_service.server import listening_sockets
from evaluator_service.settings import Settings
from evaluator_service.work import Work

ANSWER_SECONDS = 60

_judge = StubJudge(Settings())
_PROBLEM_ID = "sha256:" + "0" * 64


def judge(submission: dict[str, Any]) -> dict[str, Any]:
    """The job."""
    sent = Submission.model_validate(submission)
    assert sent.problem is not None
    work = Work(sent, sent.problem, _PROBLEM_ID, 0.0)
    return _judge.judge(work).model_dump(mode="json")


def create_app(url: str) -> FastAPI:
    """The API."""
    app = FastAPI()
    connection = Redis.from_url(url, socket_timeout=2 * ANSWER_SECONDS)
    queue = Queue("naive", connection=connection, serializer=JSONSerializer)

    @app.post("/judge/batch", response_model=list[Judgement])
    def judge_batch(batch: BatchRequest) -> list[Any]:
        jobs = queue.enqueue_many(
            [
                Queue.prepare_data(judge, [_whole(batch, submission)], result_ttl=ANSWER_SECONDS)
                for submission in batch.submissions
            ]
        )
        return _results(jobs)

    return app


def _whole(batch: BatchRequest, submission: BatchSubmission) -> dict[str, Any]:
    assert isinstance(submission.problem, str)
    problem = batch.problems[submission.problem]
    sent = submission.model_dump(mode="json", exclude_unset=True)
    return sent | {"problem": problem.model_dump(mode="json", exclude_unset=True)}


def _results(jobs: Sequence[Job]) -> list[Any]:
    results = [job.latest_result(timeout=ANSWER_SECONDS) for job in jobs]
    return [result.return_value for result in results if result is not None]


def main() -> int:
    """Be an API process or a worker."""
    role, url = sys.argv[1:]
    if role == "worker":
        connection = Redis.from_url(url, socket_timeout=START_SECONDS)
        queue = Queue("naive", connection=connection, serializer=JSONSerializer)
        worker = SimpleWorker([queue], connection=connection, serializer=JSONSerializer)
        sys.stdout.write("naive worker works for Redis\n")
        sys.stdout.flush()
        worker.work(logging_level="WARNING")
        return 0
    listeners = listening_sockets("127.0.0.1", 0)
    listeners[0].listen()
    port = listeners[0].getsockname()[1]
    sys.stdout.write(f"naive API listens on http://127.0.0.1:{port}\n")
    sys.stdout.flush()
    config = uvicorn.Config(create_app(url), log_level="warning", access_log=False)
    uvicorn.Server(config).run(listeners)
    return 0


if __name__ == "__main__":
    sys.exit(main())
