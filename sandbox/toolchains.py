"""Which languages this machine has: their compilers and interpreters, and what of them a jail has to mount."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from .languages import LANGUAGES, Language, Words

SYSTEM_FOLDERS = ("/usr", "/lib", "/lib64", "/etc/alternatives")
"""What every jail mounts anyway; the last has links alone, without which there is no ``awk`` on Debian."""

SITE_PATH = "/site"
"""Where packages for programs are mounted."""

HEADERS_PATH = "/headers"
"""Where jails have precompiled headers."""

_PATIENCE_SECONDS = 20.0


class ToolchainMissingError(Exception):
    """A language cannot be had here; the message says why."""


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A language that this machine has.

    Attributes:
        language: The language.
        version: What its tool says of itself, one line.
        values: What the words of its commands stand for.
        folders: Folders it needs that are no system folders, to be mounted where they are.
    """

    language: Language
    version: str
    values: Mapping[str, str | Words]
    folders: tuple[Path, ...] = ()

    @property
    def environment(self) -> dict[str, str]:
        """Variables of its commands."""
        own = {
            name: value.format_map(self.values) for name, value in self.language.environment.items()
        }
        return {"PATH": "/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8", **own}  # noqa: S108


@dataclass(frozen=True, slots=True)
class Found:
    """The languages of this machine, and why the others are missing, by name."""

    toolchains: Mapping[str, Toolchain] = field(default_factory=dict)
    missing: Mapping[str, str] = field(default_factory=dict)


def find_toolchains(paths: Mapping[str, str] | None = None) -> Found:
    """Look for the toolchain of every language.

    Args:
        paths: Where the tool of a language is, by the language's name, if not to be searched; empty: left out.
    """
    return _found(tuple(sorted((paths or {}).items())), os.environ.get("PATH", ""))


@cache  # a service looks once; tests start many
def _found(named: tuple[tuple[str, str], ...], _: str) -> Found:
    paths = dict(named)
    with ThreadPoolExecutor(8, "toolchain") as threads:  # they mostly wait for tools to start
        futures = {
            name: threads.submit(find, language, paths.get(name))
            for name, language in LANGUAGES.items()
        }
    toolchains, missing = {}, {}
    for name, future in futures.items():
        try:
            toolchains[name] = future.result()
        except ToolchainMissingError as error:
            missing[name] = str(error)
    return Found(toolchains, missing)


def find(language: Language, path: str | None = None) -> Toolchain:
    """The toolchain of one language.

    Raises:
        ToolchainMissingError: If it is not here, or does not start.
    """
    if path == "":
        raise ToolchainMissingError("left out by MICROCODER_TOOLCHAINS")
    if language.name == "python":
        return _own_python(language)
    obstacles = []
    for tool in _candidates(language, path):
        try:
            return _toolchain(language, tool)
        except ToolchainMissingError as error:  # a version manager's stand-in often comes first
            obstacles.append(error)
    raise obstacles[0]


def _toolchain(language: Language, candidate: Path) -> Toolchain:
    tool, home = _installed(language, candidate)
    values: dict[str, str | Words] = {"tool": str(tool), "home": str(home)}
    for name, tools in _HELPERS.get(language.name, {}).items():
        values[name] = str(_all_of(tools)[0])
    version = _said([*_started_by(values), str(tool), *language.version])
    needs_proc, instead = _NEEDS_PROC.get(language.name, (None, ""))
    if needs_proc is not None and needs_proc.match(version):
        raise ToolchainMissingError(f"{tool} is {version}, which needs /proc; install {instead}")
    if language.name in _STATIC_LIBRARIES:
        values["static"] = _static(tool, _STATIC_LIBRARIES[language.name])
        values["headers"] = HEADERS_PATH
    if home.is_relative_to("/tmp") or home.is_relative_to("/dev"):  # noqa: S108 - the jail's own
        raise ToolchainMissingError(f"{home} lies where jails have folders of their own")
    own = set() if is_mounted(home) else {home}
    return Toolchain(language, version, values, tuple(sorted(own | _linked_folders(home))))


_HELPERS: Mapping[str, Mapping[str, Words]] = {
    "typescript": {"node": ("node",)},
    "rust": {"linker": ("gcc", "cc", "clang")},
}
"""Further tools that a language needs."""

_NEEDS_PROC: Mapping[str, tuple[re.Pattern[str], str]] = {
    "typescript": (re.compile(r"Version ([7-9]|\d\d)"), "typescript@5 with npm"),
    "rust": (re.compile(r"rustc 1\.(\d|[1-6]\d|7[01])\."), "Rust 1.72 or newer"),
}
"""Versions that do not start without /proc, which jails do not have, and what does."""

_STATIC_LIBRARIES: Mapping[str, Words] = {"c": ("libc.a",), "cpp": ("libc.a", "libstdc++.a")}
"""A program that is linked to them starts in two thirds of the time."""


def _own_python(language: Language) -> Toolchain:
    version = sys.version_info
    tool = Path(sys.base_prefix).resolve() / "bin" / f"python{version.major}.{version.minor}"
    values = {"tool": str(tool), "home": str(tool.parent.parent), "site": SITE_PATH}
    return Toolchain(language, f"Python {sys.version.split()[0]}", values)


def _candidates(language: Language, path: str | None) -> list[Path]:
    if path is None:
        return _all_of(language.tools)
    if not os.access(path, os.X_OK):
        raise ToolchainMissingError(f"{path} (MICROCODER_TOOLCHAINS) cannot be executed")
    return [Path(path)]


def _all_of(names: Words) -> list[Path]:
    """Every file on the PATH that is called so; at least one."""
    folders = os.get_exec_path()
    found = [shutil.which(name, path=folder) for name in names for folder in folders]
    if not any(found):
        raise ToolchainMissingError(f"no {' or '.join(names)} on the PATH")
    return [Path(path) for path in dict.fromkeys(found) if path is not None]


def _installed(language: Language, tool: Path) -> tuple[Path, Path]:
    """(tool, where it is installed); what is on the PATH may be a proxy that knows best itself."""
    if language.name == "rust":
        home = Path(_said([str(tool), "--print", "sysroot"]))
        return home / "bin" / "rustc", home
    if language.name == "go":
        home = Path(_said([str(tool), "env", "GOROOT"]))
        return home / "bin" / "go", home
    if language.name.startswith(("python", "pypy")):
        asked = "import os, sys; print(os.path.realpath(sys.executable)); print(os.path.realpath(sys.base_prefix))"
        real, home_path = _output([str(tool), "-c", asked]).split("\n")[:2]
        return Path(real), Path(home_path)
    real_tool = tool.resolve()
    if language.name == "typescript":
        return real_tool, real_tool.parents[2]  # …/node_modules/typescript/bin/tsc
    return real_tool, real_tool.parent.parent


def _static(compiler: Path, libraries: Words) -> Words:
    """How to link without shared libraries, where they can be had."""
    found = (_said([str(compiler), f"-print-file-name={library}"]) for library in libraries)
    return ("-static",) if all(map(os.path.isabs, found)) else ()


def _started_by(values: Mapping[str, str | Words]) -> list[str]:
    return [str(values["node"])] if "node" in values else []


def _said(command: list[str]) -> str:
    """The first line that a tool answers with."""
    return _output(command).strip().partition("\n")[0].strip()


def _output(command: list[str]) -> str:
    """What a tool answers.

    Raises:
        ToolchainMissingError: If it does not start, fails, or does not end.
    """
    try:
        done = subprocess.run(  # noqa: S603 - found on our own PATH, or named in our settings
            command, capture_output=True, text=True, timeout=_PATIENCE_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ToolchainMissingError(f"{command[0]} does not start: {error}") from error
    if done.returncode != 0:
        why = (done.stderr or done.stdout).strip().partition("\n")[0]
        raise ToolchainMissingError(f"{command[0]} does not work: {why}")
    return done.stdout or done.stderr


def is_mounted(path: Path) -> bool:
    """Whether every jail has it anyway."""
    return any(path.is_relative_to(folder) for folder in SYSTEM_FOLDERS)


def _linked_folders(home: Path) -> set[Path]:
    """Folders of ``/etc`` that files of an installation are links into, as those of Debian's Java are."""
    found: set[Path] = set()
    for place in (home / "lib", home / "conf", home / "lib" / "security"):
        for link in place.iterdir() if place.is_dir() and place != Path("/usr/lib") else ():
            target = link.resolve()
            folder = Path(*target.parts[:3])
            if link.is_symlink() and folder.match("/etc/java*") and folder.is_dir():
                found.add(folder)
    return found
