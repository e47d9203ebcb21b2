"""A worker answers probes, and says the truth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from evaluator_service.distributed.health import WorkerHealth
from evaluator_service.refusals import EngineDownError
from evaluator_service.settings import Settings
from sandbox.pool import Pool


class Worker:
    """What a worker would say."""

    def __init__(self) -> None:
        self.obstacle: str | None = None
        self.pool = Pool(3)

    def figures(self) -> Any:
        """Three slots, two of them at work."""
        return self.pool.figures(), 2


@pytest.fixture
def worker() -> Worker:
    return Worker()


@pytest.fixture
def client(worker: Worker) -> Iterator[httpx2.Client]:
    health = WorkerHealth(Settings(worker_port=0), lambda: worker.obstacle, worker.figures)
    health.start()
    with httpx2.Client(base_url=f"http://127.0.0.1:{health.port}", trust_env=False) as found:
        yield found
    health.stop()


def test_it_is_ready_as_long_as_nothing_stands_in_its_way(
    client: httpx2.Client, worker: Worker
) -> None:
    assert client.get("/readyz").status_code == 200
    worker.obstacle = "the self-check failed: no network"
    answer = client.get("/readyz")
    assert (answer.status_code, answer.text) == (503, "the self-check failed: no network\n")
    assert client.get("/healthz").status_code == 200


def test_its_metrics_are_those_of_its_slots_and_not_of_the_queue(client: httpx2.Client) -> None:
    text = client.get("/metrics").text
    assert "\nmicrocoder_slots 3.0\n" in text
    assert "\nmicrocoder_running_submissions 2.0\n" in text
    assert "microcoder_waiting_submissions" not in text


def test_it_takes_no_work(client: httpx2.Client) -> None:
    assert client.get("/judge").status_code == 404
    assert client.post("/judge", json={}).status_code == 501


def test_a_port_that_is_taken_is_named(client: httpx2.Client, worker: Worker) -> None:
    with pytest.raises(EngineDownError, match=r"MICROCODER_WORKER_PORT: 127\.0\.0\.1:"):
        WorkerHealth(
            Settings(worker_port=client.base_url.port), lambda: worker.obstacle, worker.figures
        )
