"""A real service, over real HTTP, with real jails."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from evaluator_service.local_service import running_service

SHARED_DATA = Path(
    os.environ.get("MICROCODER_SHARED_DATA") or Path(__file__).parents[2].parent / "shared" / "data"
)


@pytest.fixture(scope="session")
def client() -> Iterator[httpx2.Client]:
    """Speaks to a service that judges for real."""
    with (
        running_service() as url,
        httpx2.Client(base_url=url, timeout=600.0, trust_env=False) as client,
    ):
        yield client


@pytest.fixture(scope="session")
def records() -> Path:
    """The folder of public records, if it is there."""
    folder = SHARED_DATA / "records"
    if not folder.is_dir():
        pytest.skip("no folder of public problems beside the checkout (MICROCODER_SHARED_DATA)")
    return folder
