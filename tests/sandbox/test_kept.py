"""What is kept on disk is given back as it was, or not at all; whoever has opened it can use it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sandbox.kept import Executable, Kept

PLENTY_BYTES = 1 << 30
PROGRAM = {"program": Path("/bin/true").read_bytes()}
SCRIPTS = {"scripts/main.js": b"main", "scripts/lib/more.js": b"more"}

Damage = Callable[[Path], object]
DAMAGE: dict[str, Damage] = {
    "truncated": lambda file: os.truncate(file, 2),
    "emptied": lambda file: file.write_bytes(b""),
    "of zeros": lambda file: file.write_bytes(bytes(file.stat().st_size)),
    "removed": lambda file: file.unlink(),
}


def content_of(executable: object) -> bytes:
    assert isinstance(executable, Executable)
    return executable.path.read_bytes()


def files_of(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_files_come_back_as_they_were(tmp_path: Path) -> None:
    Kept(tmp_path, PLENTY_BYTES).keep("key", SCRIPTS)
    assert Kept(tmp_path, PLENTY_BYTES).find("key") == SCRIPTS


def test_an_executable_can_be_started(tmp_path: Path) -> None:
    Kept(tmp_path, PLENTY_BYTES).keep("key", PROGRAM, "program")
    found = Kept(tmp_path, PLENTY_BYTES).find("key", "program")
    assert isinstance(found, Executable)
    assert subprocess.run([found.path], check=False).returncode == 0


def test_that_nothing_was_made_is_kept_too(tmp_path: Path) -> None:
    kept = Kept(tmp_path, PLENTY_BYTES)
    kept.keep("key", {})
    assert kept.find("key") == {}
    assert kept.find("another key") is None


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
@pytest.mark.parametrize("place", [0, 1], ids=["digest", "file"])
@pytest.mark.parametrize("seen", [False, True], ids=["unseen", "seen"])
def test_a_damaged_executable_counts_as_never_made(
    tmp_path: Path, damage: Damage, place: int, seen: bool
) -> None:
    kept = Kept(tmp_path, PLENTY_BYTES)
    kept.keep("key", PROGRAM, "program")
    if seen:
        assert kept.find("key", "program")
    damage(files_of(tmp_path)[place])
    reader = kept if seen and place else Kept(tmp_path, PLENTY_BYTES)
    assert reader.find("key", "program") is None


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
@pytest.mark.parametrize("place", [0, 1, 2], ids=["digest", "first file", "second file"])
def test_damaged_files_count_as_never_made(tmp_path: Path, damage: Damage, place: int) -> None:
    kept = Kept(tmp_path, PLENTY_BYTES)
    kept.keep("key", SCRIPTS)
    damage(files_of(tmp_path)[place])
    assert kept.find("key") is None


def test_what_was_damaged_can_be_kept_anew(tmp_path: Path) -> None:
    kept = Kept(tmp_path, PLENTY_BYTES)
    kept.keep("key", SCRIPTS)
    files_of(tmp_path)[1].unlink()
    assert kept.find("key") is None
    kept.keep("key", SCRIPTS)
    assert kept.find("key") == SCRIPTS


def test_the_least_recently_used_go_when_there_are_too_many_bytes(tmp_path: Path) -> None:
    kept = Kept(tmp_path, 200_000)
    for age, name in enumerate(["newest", "newer", "old", "oldest"]):
        kept.keep(name, {"file": bytes(30_000)})
        os.utime(tmp_path / name, (1_000_000 - age, 1_000_000 - age))
    kept.keep("another", {"file": bytes(30_000)})
    there = [name for name in ("another", "newest", "newer", "old", "oldest") if kept.find(name)]
    assert there == ["another", "newest", "newer"]


def test_an_executable_that_was_thrown_away_can_still_be_used(tmp_path: Path) -> None:
    kept = Kept(tmp_path, 1)
    first = kept.keep("first", PROGRAM, "program")
    kept.keep("second", PROGRAM, "program")
    assert kept.find("first", "program") is None
    assert content_of(first) == PROGRAM["program"]


def test_where_nothing_can_be_written_what_was_made_is_given_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    kept = Kept(tmp_path / "file" / "folder", PLENTY_BYTES)
    assert content_of(kept.keep("key", PROGRAM, "program")) == PROGRAM["program"]
    assert kept.keep("key", SCRIPTS) == SCRIPTS


def test_what_a_killed_process_left_half_made_goes_in_time(tmp_path: Path) -> None:
    for name, used_at in ((".aside-long-ago", 1), (".aside-now", time.time())):
        (tmp_path / name / "entry").mkdir(parents=True)
        os.utime(tmp_path / name, (used_at, used_at))
    Kept(tmp_path, PLENTY_BYTES).keep("key", SCRIPTS)
    assert {path.name for path in tmp_path.iterdir()} == {"key", ".aside-now"}


def test_processes_that_keep_and_throw_away_the_same_never_read_a_part(tmp_path: Path) -> None:
    """Four processes, room for one entry, each asked to find all of it or nothing."""
    code = f"""
from pathlib import Path
from sandbox.kept import Kept
made = {{"a/" + str(n): bytes([n]) * 5000 for n in range(20)}}
kept = Kept(Path({str(tmp_path)!r}), 1)
for turn in range(100):
    key = str(turn % 3)
    assert kept.find(key) in (None, made), turn
    assert kept.keep(key, made) == made, turn
"""
    processes = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(4)]
    assert [process.wait() for process in processes] == [0, 0, 0, 0]
