"""The bundled problem packages: every label is reproduced, by real runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from trainer_client import cli

pytestmark = pytest.mark.nsjail

PACKAGES = sorted((Path(__file__).parents[2] / "examples" / "packages").iterdir())


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.name)
def test_every_label_of_a_bundled_package_is_reproduced(package: Path) -> None:
    result = CliRunner().invoke(cli.app, ["judge", "--package", str(package), "--json"])
    rows = json.loads(result.stdout)["submissions"]
    assert [row for row in rows if row["reproduced"] is False] == []
    assert {row["language"] for row in rows if row["reproduced"]} >= {"python"}
    assert result.exit_code == 0
