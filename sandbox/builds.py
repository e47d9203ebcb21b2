"""Programs that have to be compiled or checked first: done once in a jail, kept on disk, found by their content.

A build is named by sha256 of the commands, the toolchain's version and the sources, and kept (``kept``) if it
compiled.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

import msgpack

from .errors import StarvedError
from .figures import BuildEnd, Ledger
from .inside.wire import Command, Mode
from .kept import Executable, Files, Kept
from .languages import MEBIBYTE_BYTES, Words, expanded
from .model import CommandProgram, Compiled, Outcome, Reason, RunLimits
from .pollable_event import NEVER, PollableEvent
from .session import Session
from .toolchains import Toolchain
from .waiting import go_on

BUILD_MEMORY_BYTES = 2 << 30
BUILD_PROCESSES_COUNT = 128
BUILD_OUTPUT_BYTES = 64 << 20
"""What a compiler may take, whatever its program may."""

_MESSAGE_CHARACTERS = 2000
_LAYOUT = "digest, main class"
"""Of what is kept: a service of another version may share the folder, and would not know this one's."""

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
        files: What has to be there to run it.
        main_file: The file that an interpreter is given.
        cached: Whether an earlier build was used.
    """

    compiled: Compiled
    files: Files
    main_file: str
    cached: bool = False


class Builds:
    """The builds below a folder, bounded in bytes; safe to use from many threads and processes."""

    def __init__(self, folder: Path, max_bytes: int, ledger: Ledger | None = None) -> None:
        self._kept = Kept(folder, max_bytes)
        self._ledger = ledger or Ledger()
        self._making: dict[str, PollableEvent] = {}

    def get(
        self,
        toolchain: Toolchain,
        sources: Sources,
        limits: RunLimits,
        open_session: OpenSession,
        interruption: PollableEvent = NEVER,
    ) -> Build:
        """The build of these sources: an earlier one, or one made now in a session that ``open_session`` opens.

        Raises:
            StarvedError: If the machine did not let the compiler run.
            JailDiedError: If the jail did not survive it.
            SandboxUnavailableError: If no jail can be started.
            InterruptionError: If it is not wanted any more.
        """
        steps = _steps(toolchain, sources)
        key = _key(toolchain, steps, sources)
        language = toolchain.language
        executable = "" if language.run else language.artefact
        with self._made_once(key, interruption):
            compiled, files = _CAME_THROUGH, self._kept.find(key, executable)
            cached = files is not None
            if files is None:
                compiled, made = _make(toolchain, steps, sources, limits, open_session)
                self._ledger.built(BuildEnd.MADE if compiled.ok else BuildEnd.FAILED)
                files = self._kept.keep(key, made, executable) if compiled.ok else {}
            else:
                self._ledger.built(BuildEnd.REUSED)
        if not language.artefact:
            return Build(compiled, sources.files, sources.main_file, cached)
        return Build(compiled, files, _made_of(sources.main_file), cached)

    @contextmanager
    def _made_once(self, key: str, interruption: PollableEvent) -> Iterator[None]:
        """A group of rollouts often holds the same program twice: one of them compiles."""
        over = PollableEvent()
        while (others := self._making.setdefault(key, over)) is not over:
            others.wait(interruption)
            go_on(interruption)
        try:
            yield
        finally:
            del self._making[key]
            over.set()


_CAME_THROUGH = Compiled(ok=True, message="", complete=True, cpu_time_seconds=0.0)


def _made_of(main_file: str) -> str:
    """What a compiler of scripts makes of it."""
    return PurePath(main_file).with_suffix(".js").as_posix()


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
    everything = [_LAYOUT, toolchain.version, steps, sorted(toolchain.environment.items())]
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
    packs = PurePath(sources.main_file).stem if language.packs else ""
    command = Command(steps, toolchain.environment, False, language.artefact, packs)
    program = CommandProgram(Mode.BUILD, command, sources.files)
    with open_session(program, _limits_of_build(limits)) as session:
        (outcome,) = session.run_all([b""])
    if outcome.reason is Reason.STARVED:
        raise StarvedError("the compiler waited for a CPU beyond all patience")
    if outcome.reason is not Reason.BY_ITSELF or outcome.exit_code != 0:
        return _failed(language.breaks_off, outcome), {}
    made = _made(outcome.result)
    if not language.run and language.artefact not in made:
        return Compiled(False, "the compiler made no program", True, outcome.cpu_time_seconds), {}
    return replace(_CAME_THROUGH, cpu_time_seconds=outcome.cpu_time_seconds), made


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
    if outcome.reason is not Reason.BY_ITSELF or outcome.out_of_memory:
        what = "memory" if outcome.reason is Reason.BY_ITSELF else "time"
        message = f"the compiler ran out of {what}"
        return Compiled(False, message, True, outcome.cpu_time_seconds, stopped=True)
    cut_off = bool(breaks_off) and re.search(breaks_off, said) is not None
    message = said or f"the compiler ended with status {outcome.exit_code}"
    return Compiled(False, message, not cut_off, outcome.cpu_time_seconds)


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
    if isinstance(build.files, Executable):
        command = Command([[language.artefact]], toolchain.environment, True, "", "")
        return CommandProgram(Mode.COMMAND, command, build.files, talks)
    memory_bytes = max(limits.memory_bytes - language.needs.memory_bytes, 16 * MEBIBYTE_BYTES)
    values: dict[str, str | Words] = {
        **toolchain.values,
        "main": build.main_file,
        "memory_mib": str(memory_bytes // MEBIBYTE_BYTES),
    }
    command = Command([expanded(language.run, values)], toolchain.environment, False, "", "")
    return CommandProgram(Mode.COMMAND, command, build.files, talks)
