"""Which languages are here is what the tools on the PATH say of themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox.languages import LANGUAGES
from sandbox.toolchains import ToolchainMissingError, find

STAND_IN = "#!/bin/sh\necho 'no version is chosen' >&2\nexit 1\n"
OLD_RUST = """#!/bin/sh
case $1 in
  --version) echo 'rustc 1.63.0' ;;
  *) dirname "$(dirname "$0")" ;;
esac
"""
COMPILER = """#!/bin/sh
case $1 in
  --version) echo 'gcc 99' ;;
  *) echo libc.a ;;
esac
"""


def put(folder: Path, script: str, name: str = "gcc") -> str:
    folder.mkdir()
    tool = folder / name
    tool.write_text(script)
    tool.chmod(0o755)
    return str(tool)


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tools lie in a folder that jails have of their own, which is not what is tried here."""
    monkeypatch.setattr(Path, "is_relative_to", lambda *_: False)


def test_a_stand_in_that_does_not_work_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "first", STAND_IN)
    second = put(tmp_path / "second", COMPILER)
    monkeypatch.setenv("PATH", f"{tmp_path / 'first'}:{tmp_path / 'second'}:/usr/bin:/bin")
    toolchain = find(LANGUAGES["c"])
    assert (toolchain.version, toolchain.values["tool"]) == ("gcc 99", second)


def test_a_tool_that_is_named_is_the_only_one_that_is_tried(tmp_path: Path) -> None:
    tool = put(tmp_path / "first", STAND_IN)
    with pytest.raises(ToolchainMissingError, match=f"{tool} does not work: no version is chosen"):
        find(LANGUAGES["c"], tool)


def test_what_is_nowhere_is_told_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(ToolchainMissingError, match="no gcc on the PATH"):
        find(LANGUAGES["c"])


@pytest.mark.parametrize(
    ("path", "why"), [("", "left out"), ("/nowhere/gcc", "cannot be executed")]
)
def test_a_path_can_leave_a_language_out_and_has_to_exist(path: str, why: str) -> None:
    with pytest.raises(ToolchainMissingError, match=why):
        find(LANGUAGES["c"], path)


def test_a_compiler_that_cannot_start_in_a_jail_is_refused(tmp_path: Path) -> None:
    tool = put(tmp_path / "bin", OLD_RUST, "rustc")
    with pytest.raises(ToolchainMissingError, match=r"needs /proc; install Rust 1\.72"):
        find(LANGUAGES["rust"], tool)


def test_an_interpreter_is_told_where_the_libraries_beside_it_are() -> None:
    """Without /proc the loader cannot tell, and relocatable builds of Python would not start."""
    toolchain = find(LANGUAGES["python"])
    folders = toolchain.environment["LD_LIBRARY_PATH"].split(":")
    assert f"{toolchain.values['home']}/lib" in folders
