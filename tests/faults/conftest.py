"""What tests of faults share: a cluster of their own, since they break it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from evaluator_service.distributed import lookout
from tests.faults.cluster import HASTY_LEASE_SECONDS, Cluster
from tests.faults.cluster import cluster as running_cluster


@pytest.fixture(autouse=True, scope="session")
def _quiet() -> Iterator[None]:
    """Keep the service's events out of the tests' output."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    yield
    structlog.reset_defaults()


@pytest.fixture
def anyio_backend() -> str:
    """The event loop of asynchronous tests."""
    return "asyncio"


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """API processes in this one notice deaths and losses as soon as hasty workers do."""
    monkeypatch.setattr(lookout, "SILENCE_SECONDS", HASTY_LEASE_SECONDS)
    monkeypatch.setattr(lookout, "_LOST_SECONDS", HASTY_LEASE_SECONDS / 4)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A Redis with nothing around it yet."""
    with running_cluster(tmp_path) as found:
        yield found
