"""Programs that have to be compiled or checked first: done once in a jail, kept on disk, found by their content.

A build is named by sha256 of the commands, the toolchain's version and the sources. It is made aside and put in
place when complete, so that several processes can share the folder; the least recently used go when there are
too many bytes. Only what compiled is kept.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import msgpack

from .errors import JailDiedError, StarvedError
from .figures import BuildEnd, Ledger
from .folders import put_in_place
from .inside.wire import Command, Mode
from .languages import MEBIBYTE_BYTES, Words, expanded
from .model import CommandProgram, Compiled, Outcome, Reason, RunLimits
from .session import Session
from .toolchains import Toolchain

BUILD_MEMORY_BYTES = 2 << 30
BUILD_PROCESSES_COUNT = 128
BUILD_OUTPUT_BYTES = 64 << 20
"""What a compiler may take, whatever its program may."""

_MESSAGE_CHARACTERS = 2000
_BLOCK_BYTES = 4096
_ROOM_RATIO = 0.75
_SAFE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.$+/-]*")

OpenSession = Callable[[CommandProgram, RunLimits], Session]
"""Opens a session in a jail of the slot that wants the build."""


@dataclass(frozen=True, slots=True)
class Sources:
    """What somebody wrote.

    Attributes:
        main_file: Name of the main file.
        files: All files by name, the main one among them.
    """

    main_file: str
    files: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Build:
    """What came of building.

    Attributes:
        compiled: How it went.
        files: What has to be there to run it; the path of the executable where that is all.
        main_file: The file that an interpreter is given.
        cached: Whether an earlier build was used.
    """

    compiled: Compiled
    files: Mapping[str, bytes] | Path
    main_file: str
    cached: bool = False


class Builds:
    """The builds below a folder, bounded in bytes; safe to use from many threads and processes."""

    def __init__(self, folder: Path, max_bytes: int, ledger: Ledger | None = None) -> None:
        self._folder = folder
        self._ledger = ledger or Ledger()
        self._max_bytes = max_bytes
        self._making: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
        self._counting = threading.Lock()
        self._kept_bytes: int | None = None

    def get(
        self, toolchain: Toolchain, sources: Sources, limits: RunLimits, open_session: OpenSession
    ) -> Build:
        """The build of these sources: an earlier one, or one made now in a session that ``open_session`` opens.

        Raises:
            StarvedError: If the machine did not let the compiler run.
            JailDiedError: If the jail did not survive it.
            SandboxUnavailableError: If no jail can be started.
        """
        steps = _steps(toolchain, sources)
        key = _key(toolchain, steps, sources)
        with self._made_once(key):
            kept = self._kept(key)
            if kept is not None:
                self._ledger.built(BuildEnd.REUSED)
                return _build(toolchain, sources, _CAME_THROUGH, kept, cached=True)
            compiled, made = _make(toolchain, steps, sources, limits, open_session)
            self._ledger.built(BuildEnd.MADE if compiled.ok else BuildEnd.FAILED)
            if not compiled.ok:
                return Build(compiled, {}, sources.main_file)
            self._keep(key, made)
            return _build(toolchain, sources, compiled, self._kept(key))

    @contextmanager
    def _made_once(self, key: str) -> Iterator[None]:
        """A group of rollouts often holds the same program twice: one of them compiles."""
        lock = self._making[key]
        with lock:
            yield
        self._making.pop(key, None)

    def _kept(self, key: str) -> Path | None:
        entry = self._folder / key
        try:
            os.utime(entry)
        except FileNotFoundError:
            return None
        return entry

    def _keep(self, key: str, made: Mapping[str, bytes]) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self._folder, prefix=".making-") as making:
            entry = Path(making) / "build"
            entry.mkdir()
            for name, content in made.items():
                path = entry / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
                path.chmod(0o755)
            put_in_place(entry, self._folder / key)
        self._count(key)

    def _count(self, key: str) -> None:
        """Add what was kept; look at the whole folder only if that seems to be too much, or nothing is known yet."""
        with self._counting:
            if self._kept_bytes is not None:
                self._kept_bytes += _size_bytes(self._folder / key)
            if self._kept_bytes is None or self._kept_bytes > self._max_bytes:
                self._kept_bytes = self._forget_oldest(key)

    def _forget_oldest(self, newest: str) -> int:
        """Make room, so much that it is not wanted again at once; how many bytes remain."""
        entries = sorted(
            (_used_at(entry), _size_bytes(entry), entry)
            for entry in self._folder.iterdir()
            if not entry.name.startswith(".")
        )
        total_bytes = sum(size for _, size, _ in entries)
        if total_bytes <= self._max_bytes:
            return total_bytes
        for _, size, entry in entries:
            if total_bytes <= _ROOM_RATIO * self._max_bytes:
                break
            if entry.name != newest:
                shutil.rmtree(entry, ignore_errors=True)  # another process may be at it, too
                total_bytes -= size
        return total_bytes


_CAME_THROUGH = Compiled(ok=True, message="", complete=True, cpu_time_seconds=0.0)


def _build(
    toolchain: Toolchain,
    sources: Sources,
    compiled: Compiled,
    entry: Path | None,
    *,
    cached: bool = False,
) -> Build:
    """The build that lies in this folder.

    Raises:
        JailDiedError: If another process threw it away this moment; trying again makes it anew.
    """
    language = toolchain.language
    if entry is None:
        raise JailDiedError("a build went before it could be used")
    if not language.artefact:
        return Build(compiled, sources.files, sources.main_file, cached)
    if not language.run:
        return Build(compiled, entry / language.artefact, sources.main_file, cached)
    try:
        made = {
            str(path.relative_to(entry)): path.read_bytes()
            for path in sorted(entry.rglob("*"))
            if path.is_file()
        }
    except FileNotFoundError as error:
        raise JailDiedError("a build went before it could be used") from error
    main = Path(sources.main_file).with_suffix(".js").as_posix()
    return Build(compiled, made, main, cached)


def _steps(toolchain: Toolchain, sources: Sources) -> list[list[str]]:
    compiled = tuple(
        name
        for name in sorted(sources.files, key=lambda name: (name != sources.main_file, name))
        if name == sources.main_file or name.endswith(toolchain.language.suffixes)
    )
    values: dict[str, str | Words] = {
        **toolchain.values,
        "sources": compiled,
        "main": sources.main_file,
    }
    return [expanded(step, values) for step in toolchain.language.steps]


def _key(toolchain: Toolchain, steps: list[list[str]], sources: Sources) -> str:
    everything = [toolchain.version, steps, sorted(toolchain.environment.items())]
    content = msgpack.packb([everything, sorted(sources.files.items())])
    return hashlib.sha256(content).hexdigest()


def _make(
    toolchain: Toolchain,
    steps: list[list[str]],
    sources: Sources,
    limits: RunLimits,
    open_session: OpenSession,
) -> tuple[Compiled, dict[str, bytes]]:
    language = toolchain.language
    command = Command(steps, toolchain.environment, False, language.artefact, language.packs)
    program = CommandProgram(Mode.BUILD, command, sources.files)
    with open_session(program, _limits_of_build(limits)) as session:
        (outcome,) = session.run_all([b""])
    if outcome.reason is Reason.STARVED:
        raise StarvedError("the compiler waited for a CPU beyond all patience")
    if outcome.reason is not Reason.BY_ITSELF or outcome.exit_code != 0:
        return _failed(language.breaks_off, outcome), {}
    return replace(_CAME_THROUGH, cpu_time_seconds=outcome.cpu_time_seconds), _made(outcome.result)


def _limits_of_build(limits: RunLimits) -> RunLimits:
    return replace(
        limits,
        cpu_time_seconds=limits.compile_time_seconds,
        wall_time_seconds=4 * limits.compile_time_seconds + 10,
        memory_bytes=BUILD_MEMORY_BYTES,
        output_bytes=BUILD_OUTPUT_BYTES,
        processes_count=BUILD_PROCESSES_COUNT,
    )


def _made(packed: bytes) -> dict[str, bytes]:
    """What a compiler made; named by hostile source, so only by plain names below its folder."""
    made = msgpack.unpackb(packed)
    return {
        name: content
        for name, content in made.items()
        if _SAFE_NAME.fullmatch(name) and ".." not in name.split("/")
    }


def _failed(breaks_off: str, outcome: Outcome) -> Compiled:
    said = outcome.stdout[: 8 * _MESSAGE_CHARACTERS].decode("utf-8", "replace")
    said = said[:_MESSAGE_CHARACTERS].strip()
    if outcome.reason is not Reason.BY_ITSELF:
        return Compiled(False, "the compiler ran out of time", True, outcome.cpu_time_seconds)
    if outcome.out_of_memory:
        return Compiled(False, "the compiler ran out of memory", True, outcome.cpu_time_seconds)
    cut_off = bool(breaks_off) and re.search(breaks_off, said) is not None
    message = said or f"the compiler ended with status {outcome.exit_code}"
    return Compiled(False, message, not cut_off, outcome.cpu_time_seconds)


def _used_at(entry: Path) -> float:
    try:
        return entry.stat().st_mtime
    except FileNotFoundError:  # another process threw it away this moment
        return 0.0


def _size_bytes(entry: Path) -> int:
    """What an entry takes on disk, about: whole blocks, and one for its folder."""
    sizes = [_BLOCK_BYTES]
    for path in entry.rglob("*"):
        try:
            sizes.append(-(-path.stat().st_size // _BLOCK_BYTES) * _BLOCK_BYTES)
        except FileNotFoundError:
            continue
    return sum(sizes)


def command_of(
    toolchain: Toolchain, build: Build, limits: RunLimits, *, talks: bool = False
) -> CommandProgram:
    """What runs a build.

    Args:
        toolchain: That made it.
        build: What was made.
        limits: Those of the run, what the language needs for itself among them.
        talks: Whether it writes where each test says.
    """
    language = toolchain.language
    if isinstance(build.files, Path):
        command = Command([[language.artefact]], toolchain.environment, True, "", False)
        return CommandProgram(Mode.COMMAND, command, build.files, talks)
    memory_bytes = max(limits.memory_bytes - language.needs.memory_bytes, 16 * MEBIBYTE_BYTES)
    values: dict[str, str | Words] = {
        **toolchain.values,
        "main": build.main_file,
        "memory_mib": str(memory_bytes // MEBIBYTE_BYTES),
    }
    command = Command([expanded(language.run, values)], toolchain.environment, False, "", False)
    return CommandProgram(Mode.COMMAND, command, build.files, talks)
