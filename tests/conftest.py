"""What all tests share: how Hypothesis runs, and which skips are not allowed."""

from __future__ import annotations

import os
from collections.abc import Generator
from functools import cache

import pytest
from hypothesis import settings

# A busy machine must not turn a slow example into a failure.
settings.register_profile("microcoder", deadline=None)
settings.load_profile("microcoder")

REQUIRED_MARKS = frozenset(filter(None, os.environ.get("MICROCODER_CI_REQUIRE", "").split(",")))
"""Marks whose tests must run here: a skip of one counts as a failure."""


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip the tests of real jails where nsjail does not start."""
    if item.get_closest_marker("nsjail") and (obstacle := _obstacle_to_nsjail()):
        pytest.skip(obstacle)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn the skip of a required test into a failure."""
    report = yield
    required = sorted(mark.name for mark in item.iter_markers() if mark.name in REQUIRED_MARKS)
    if report.skipped and required:
        report.outcome = "failed"
        report.longrepr = (
            f"skipped, but MICROCODER_CI_REQUIRE names {', '.join(required)}: {call.excinfo}"
        )
    return report


@cache
def _obstacle_to_nsjail() -> str | None:
    """Why nsjail cannot start here, or None."""
    from sandbox.binary import find_nsjail
    from sandbox.errors import SandboxUnavailableError

    try:
        find_nsjail()
    except SandboxUnavailableError as error:
        return str(error)
    return None
