"""What was made once and is kept on disk under a key: whole or not at all, bounded in bytes, shared by processes.

An entry is a folder with the files and a digest of them. It is made aside and put in place when complete. What
does not fit its digest, or has gone, counts as never made. The least recently used go when there are too many bytes;
whoever has opened an executable can run it all the same.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import msgpack

from .folders import put_in_place
from .memory_files import sealed

log = logging.getLogger(__name__)

_BLOCK_BYTES = 4096
_ROOM_RATIO = 0.75
_ABANDONED_SECONDS = 3600.0
_MOST_KNOWN_COUNT = 10_000
_DIGEST = "digest"
_FILES = "files"
_ASIDE = ".aside-"


class Executable:
    """An executable file, held open: it can be run also when its name has gone."""

    def __init__(self, descriptor: int) -> None:
        """Takes the descriptor over."""
        self._descriptor = descriptor

    def __del__(self) -> None:
        """Closes it."""
        os.close(self._descriptor)

    @property
    def path(self) -> Path:
        """A name for it, as long as this object lives."""
        return Path(f"/proc/{os.getpid()}/fd/{self._descriptor}")

    def open(self) -> int:
        """A descriptor of its own."""
        return os.dup(self._descriptor)

    def digest(self) -> bytes:
        """Of its content."""
        with open(self.open(), "rb") as file:
            file.seek(0)
            return hashlib.file_digest(file, "sha256").digest()

    def identity(self) -> tuple[int, ...]:
        """Moves when somebody changes the file."""
        about = os.fstat(self._descriptor)
        return about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns


Files = Mapping[str, bytes] | Executable
"""Files by name, or the executable where that is all there is to it."""


class Kept:
    """A folder of what is kept."""

    def __init__(self, folder: Path, max_bytes: int) -> None:
        self._folder = folder
        self._max_bytes = max_bytes
        self._counting = threading.Lock()
        self._kept_bytes: int | None = None
        self._known: set[tuple[int, ...]] = set()

    def find(self, key: str, executable: str = "") -> Files | None:
        """What is kept under a key: one executable if it is named, else all files; None if nothing is."""
        entry = self._folder / key
        try:
            os.utime(entry)
            digest = (entry / _DIGEST).read_bytes()
            files = _open(entry / _FILES / executable) if executable else _read(entry / _FILES)
        except FileNotFoundError:
            if entry.exists():
                self._throw_away(entry)
            return None
        if not self._fits(files, digest):
            log.warning("%s is damaged and made anew", entry)
            self._throw_away(entry)
            return None
        return files

    def keep(self, key: str, made: Mapping[str, bytes], executable: str = "") -> Files:
        """Keep what was made; the same as ``find`` gives, also where it cannot be kept."""
        try:
            files = self._put(key, made, executable)
            self._count(key)
        except OSError as error:
            log.warning("%s cannot be kept below %s: %s", key, self._folder, error)
            if not executable:
                return made
            return Executable(sealed(made[executable], is_executable=True))
        return files

    def _put(self, key: str, made: Mapping[str, bytes], executable: str) -> Files:
        self._folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self._folder, prefix=_ASIDE) as aside:
            entry = Path(aside) / "entry"
            for name, content in made.items():
                path = entry / _FILES / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
                path.chmod(0o755)
            (entry / _FILES).mkdir(parents=True, exist_ok=True)
            files = _open(entry / _FILES / executable) if executable else made
            (entry / _DIGEST).write_bytes(_digest(files))
            put_in_place(entry, self._folder / key)
        return files

    def _fits(self, files: Files, digest: bytes) -> bool:
        """Whether this is what was kept; an executable is read through once, unless it changes."""
        if not isinstance(files, Executable):
            return _digest(files) == digest
        identity = files.identity()
        if identity not in self._known and files.digest() == digest:
            if len(self._known) >= _MOST_KNOWN_COUNT:
                self._known.clear()
            self._known.add(identity)
        return identity in self._known

    # --- making room ------------------------------------------------------------------------------

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
            (_used_at(entry), _size_bytes(entry), entry) for entry in self._folder.iterdir()
        )
        kept = [(size, entry) for _, size, entry in entries if not entry.name.startswith(".")]
        for used_at, _, entry in entries:
            if entry.name.startswith(".") and used_at < time.time() - _ABANDONED_SECONDS:
                shutil.rmtree(entry, ignore_errors=True)  # its maker was killed
        total_bytes = sum(size for size, _ in kept)
        if total_bytes <= self._max_bytes:
            return total_bytes
        for size, entry in kept:
            if total_bytes <= _ROOM_RATIO * self._max_bytes:
                break
            if entry.name != newest:
                self._throw_away(entry)
                total_bytes -= size
        return total_bytes

    def _throw_away(self, entry: Path) -> None:
        """At once for whoever looks for it; another process may be at it, too."""
        with tempfile.TemporaryDirectory(
            dir=self._folder, prefix=_ASIDE, ignore_cleanup_errors=True
        ) as aside:
            try:
                entry.rename(Path(aside) / "entry")
            except FileNotFoundError:
                return


def _open(path: Path) -> Executable:
    return Executable(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW))


def _read(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _digest(files: Files) -> bytes:
    if isinstance(files, Executable):
        return files.digest()
    return hashlib.sha256(msgpack.packb(sorted(files.items()))).digest()


def _used_at(entry: Path) -> float:
    try:
        return entry.stat().st_mtime
    except FileNotFoundError:  # another process forgot it this moment
        return 0.0


def _size_bytes(entry: Path) -> int:
    """On disk, where even an empty folder takes a block."""
    sizes = [_BLOCK_BYTES]
    for path in entry.rglob("*"):
        try:
            sizes.append(-(-path.stat().st_size // _BLOCK_BYTES) * _BLOCK_BYTES)
        except FileNotFoundError:
            continue
    return sum(sizes)
