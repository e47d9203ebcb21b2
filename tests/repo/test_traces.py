"""The repository speaks of the project alone: no machine's paths, no registry's hosts."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TRACES = {
    # Split, so that this file does not find itself.
    "a home directory": "/ro" + r"ot/|/ho" + r"me/[a-z]",
    "a working folder": "/wo" + r"rk/",
    "a package registry": "py" + r"pi\.org|files\.python" + r"hosted|deb\.debi" + r"an\.org",
    "a private address": r"\b(10|192\.168)\.\d+\.\d+\.\d+",
}


def _files() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return [path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file()]


@pytest.mark.parametrize("trace", TRACES)
def test_no_file_names(trace: str) -> None:
    files = _files()
    if not files:
        pytest.skip("not a git checkout: the list of files is not known")
    found = [
        f"{file.relative_to(ROOT)}: {match.group()}"
        for file in files
        for match in re.finditer(TRACES[trace], file.read_text(errors="replace"))
    ]
    assert found == []
