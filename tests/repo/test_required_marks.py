"""Where MICROCODER_CI_REQUIRE names a mark, its tests must run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).resolve().parents[1] / "conftest.py"
SKIPPING_TEST = """
import pytest

@pytest.mark.shared_data
def test_of_data():
    pytest.skip("the data is not here")
"""


@pytest.mark.parametrize(
    ("required", "exit_code"),
    [("", 0), ("nsjail", 0), ("shared_data", 1), ("nsjail,shared_data", 1)],
    ids=["nothing required", "another mark", "this mark", "both marks"],
)
def test_a_skip_fails_exactly_where_its_mark_is_required(
    tmp_path: Path, required: str, exit_code: int
) -> None:
    shutil.copy(CONFTEST, tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n  nsjail\n  shared_data\n")
    (tmp_path / "test_it.py").write_text(SKIPPING_TEST)
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=tmp_path,
        env={
            **os.environ,
            "MICROCODER_CI_REQUIRE": required,
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == exit_code, ran.stdout
    assert "the data is not here" in ran.stdout or not exit_code
