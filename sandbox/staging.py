"""What a jail mounts, laid out where every uid can read it.

A jail's processes run under uids that own nothing. A Python below a home directory (mode 0700) would be
out of their reach, so it is copied once; so are the package ``inside`` and msgpack. Layout below the
state directory::

    python-<hash>/   copy of the interpreter's prefix, only if others cannot read the original
    toolchain-<hash>/  likewise of a compiler's
    headers-<hash>/  the precompiled header of C++
    launcher-<hash>/ what starts compiled programs
    judge-<hash>/    inside/ and msgpack/
    site-<hash>/     packages that programs may import

A copy is made under another name and renamed when complete, so that several services can share it.
"""

from __future__ import annotations

import compileall
import os
import py_compile
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import Distribution
from pathlib import Path

import msgpack

from .errors import SandboxUnavailableError
from .flavours import with_requirements
from .folders import hash_of, made_once
from .headers import precompiled_headers
from .inside.wire import LAUNCHER_PATH
from .launcher import built_launcher
from .toolchains import HEADERS_PATH, SITE_PATH, SYSTEM_FOLDERS, Found, find_toolchains

INSIDE_PATH = "/judge"
"""Where ``inside`` and msgpack are mounted."""

_LEFT_OUT = shutil.ignore_patterns(
    "test", "tests", "idlelib", "tkinter", "turtledemo", "ensurepip", "lib2to3", "site-packages",
    "dist-packages", "config-*", "*.a", "include", "share",
)  # fmt: skip
_LEFT_OUT_OF_TOOLS = shutil.ignore_patterns("share", "doc", "man", "test", "tests", "wasm*")
LeftOut = Callable[[str, list[str]], set[str]]


@dataclass(frozen=True, slots=True)
class Stage:
    """What to mount where.

    Attributes:
        directory: The state directory.
        python: The interpreter's path within the jail.
        binds: (source, path within the jail) of read-only mounts.
        languages: Those whose toolchains are mounted.
    """

    directory: Path
    python: str
    binds: tuple[tuple[str, str], ...]
    languages: Found = Found()  # noqa: RUF009 - frozen

    @property
    def library_path(self) -> str:
        """The interpreter's own libraries; without /proc the loader cannot resolve ``$ORIGIN``."""
        return str(Path(self.python).parent.parent / "lib")


def default_state_directory() -> Path:
    """Where to lay things out when nobody says."""
    if os.geteuid() == 0:
        return Path("/var/lib/microcoder")
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "microcoder"


def prepare(
    state_directory: Path | None = None,
    packages: tuple[str, ...] = (),
    toolchains: Mapping[str, str] | None = None,
) -> Stage:
    """Lay out what jails of this process mount; quick when it was done before.

    Args:
        state_directory: Where; chosen if None.
        packages: Installed distributions that programs may import.
        toolchains: Where the tools of languages are, by language, if not to be searched.

    Raises:
        SandboxUnavailableError: If the directory cannot be written.
    """
    languages = find_toolchains(toolchains)
    directory = state_directory or default_state_directory()
    try:
        directory = _usable(directory)
        python, prefix_binds = _stage_python(directory)
        judge = _stage_judge(directory)
        site_binds = _stage_packages(directory, packages)
        tool_binds = _stage_toolchains(directory, languages)
    except OSError as error:
        raise SandboxUnavailableError(
            f"cannot lay out the jail's files below {directory}: {error}; "
            "set MICROCODER_STATE_DIRECTORY to a directory this user can write and others can read"
        ) from error
    system = [(path, path) for path in SYSTEM_FOLDERS if os.path.isdir(path)]
    binds = (*system, *prefix_binds, *tool_binds, *site_binds, (str(judge), INSIDE_PATH))
    return Stage(directory, python, binds, languages)


def _usable(directory: Path) -> Path:
    """This directory, or one in /tmp if others cannot reach it."""
    directory.mkdir(parents=True, exist_ok=True)
    if not _others_can_read(directory):
        directory = Path(tempfile.gettempdir()) / f"microcoder-{os.geteuid()}"
        directory.mkdir(mode=0o755, exist_ok=True)
        _refuse_foreign(directory)
    return directory


def _refuse_foreign(directory: Path) -> None:
    """A directory in /tmp may have been made by somebody else, who could then swap the judge's code."""
    about = directory.lstat()
    if about.st_uid != os.geteuid() or about.st_mode & 0o022:
        raise OSError(f"{directory} belongs to another user or can be written by others")


def _others_can_read(path: Path) -> bool:
    """Whether any uid can reach and list this directory; true for an ordinary user's own jails."""
    if os.geteuid() != 0:
        return True  # jails then run under this very user
    steps = [path.resolve(), *path.resolve().parents]
    return all(step.stat().st_mode & 0o001 for step in steps) and bool(path.stat().st_mode & 0o004)


def _stage_python(directory: Path) -> tuple[str, list[tuple[str, str]]]:
    """The interpreter's path in the jail, and the mounts it needs beyond /usr."""
    prefix = Path(sys.base_prefix).resolve()
    executable = prefix / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"
    if prefix in (Path("/usr"), Path("/")):
        return str(executable), []
    source = _readable(directory, "python", prefix, executable, _LEFT_OUT)
    return str(executable), [(str(source), str(prefix))]


def _readable(
    directory: Path, name: str, prefix: Path, executable: Path, left_out: LeftOut
) -> Path:
    """The prefix of an installation, or a copy if others cannot read it."""
    if _others_can_read(prefix) and _others_can_read(executable.parent):
        return prefix
    about = executable.stat()
    key = hash_of(f"{prefix}:{sys.version}:{about.st_mtime_ns}:{about.st_size}".encode())

    def copy(made: Path) -> None:
        shutil.copytree(prefix, made, symlinks=True, ignore=left_out)
        made.chmod(0o755)

    return made_once(directory / f"{name}-{key}", copy)


def _stage_toolchains(directory: Path, languages: Found) -> list[tuple[str, str]]:
    """The mounts that toolchains need beyond the system's folders."""
    folders = {
        folder: Path(str(toolchain.values["tool"]))
        for toolchain in languages.toolchains.values()
        for folder in toolchain.folders
    }
    binds = [
        (str(_readable(directory, "toolchain", folder, tool, _LEFT_OUT_OF_TOOLS)), str(folder))
        for folder, tool in folders.items()
    ]
    cpp = languages.toolchains.get("cpp")
    headers = precompiled_headers(directory, cpp) if cpp is not None else None
    launcher = built_launcher(directory, languages.toolchains.get("c"))
    made = ((headers, HEADERS_PATH), (launcher, str(Path(LAUNCHER_PATH).parent)))
    return binds + [(str(source), target) for source, target in made if source is not None]


def _stage_judge(directory: Path) -> Path:
    """Copy ``inside`` and msgpack, compiled, keyed by their content."""
    sources = {
        "inside": Path(__file__).parent / "inside",
        "msgpack": Path(msgpack.__file__).parent,
    }
    files = sorted(
        (f"{name}/{file.name}", file)
        for name, folder in sources.items()
        for file in folder.iterdir()
        if file.suffix in (".py", ".so", ".js")
    )
    key = hash_of(
        sys.version.encode() + b"".join(name.encode() + file.read_bytes() for name, file in files)
    )

    def copy(made: Path) -> None:
        for name, file in files:
            (made / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, made / name)
            (made / name).chmod(0o644)
        compileall.compile_dir(
            made,
            quiet=1,
            stripdir=str(made),
            prependdir=INSIDE_PATH,
            invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
        )
        for folder in (made, *(path for path in made.rglob("*") if path.is_dir())):
            folder.chmod(0o755)

    return made_once(directory / f"judge-{key}", copy)


def _stage_packages(directory: Path, packages: tuple[str, ...]) -> list[tuple[str, str]]:
    """Copy the packages, which may lie in a home directory, with what they require."""
    distributions = with_requirements(packages)
    if not distributions:
        return []
    names = " ".join(f"{found.name}=={found.version}" for found in distributions)
    target = directory / f"site-{hash_of(f'{sys.version} {names}'.encode())}"

    def copy(made: Path) -> None:
        for found in distributions:
            _copy_distribution(found, made)
        for path in (made, *made.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)

    return [(str(made_once(target, copy)), SITE_PATH)]


def _copy_distribution(found: Distribution, target: Path) -> None:
    for file in found.files or ():
        source = Path(str(file.locate()))
        if ".." in file.parts or not source.is_file():  # scripts, and files that were removed
            continue
        copy = target / file
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, copy)
