"""The files of a problem package, read with suspicion.

A name is a path below the package, with slashes: what messages show, and all that other modules handle. No link
leads out of the package, a circle of links ends, and what is hidden (``.git``) is not there.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath

MAX_DEPTH = 16
MAX_ENTRIES_COUNT = 200_000
"""More than any package has: with the depth, what ends a walk through links in a circle."""

_NOT_PART_OF_IT = frozenset({"__pycache__"})


class PackageError(ValueError):
    """A package that cannot be read, or cannot be judged; the message names the file, and the line if it can."""


class LinkError(PackageError):
    """A link that leads where nothing of the package is."""


class Folder:
    """A package's folder."""

    def __init__(self, path: Path) -> None:
        """Opens nothing but the folder itself.

        Raises:
            PackageError: If it is no folder.
        """
        if not path.is_dir():
            what = "an archive: unpack it first" if path.is_file() else "no folder"
            raise PackageError(f"{path}: {what}")
        self.root = path.resolve()
        self._listed_count = 0

    def is_file(self, name: str) -> bool:
        """Whether there is a file of this name.

        Raises:
            LinkError: If it is a link that leads out of the package.
        """
        return self._within(name).is_file()

    def is_folder(self, name: str) -> bool:
        """Whether there is a folder of this name.

        Raises:
            LinkError: If it is a link that leads out of the package.
        """
        return self._within(name).is_dir()

    def entries(self, name: str) -> list[str]:
        """The names of what a folder holds, sorted; none if there is no such folder.

        Raises:
            PackageError: If links lead in a circle or out of the package, or it cannot be read.
        """
        path = self._within(name)
        if not path.is_dir():
            return []
        if len(PurePosixPath(name).parts) > MAX_DEPTH:
            raise PackageError(f"{name}: nested too deeply; do links lead in a circle?")
        try:
            found = sorted(
                entry.name
                for entry in path.iterdir()
                if not entry.name.startswith((".", "-")) and entry.name not in _NOT_PART_OF_IT
            )
        except OSError as error:
            raise PackageError(f"{name}: {error.strerror}") from None
        self._listed_count += len(found)
        if self._listed_count > MAX_ENTRIES_COUNT:
            raise PackageError(f"{name}: too many files; do links lead in a circle?")
        return [f"{name}/{entry}".removeprefix("/") for entry in found]

    def files(self, name: str) -> list[str]:
        """The names of all files in a folder and the folders below it, sorted; of a file, its own.

        Raises:
            PackageError: As `entries`.
        """
        if self.is_file(name):
            return [name]
        return [file for entry in self.entries(name) for file in self.files(entry)]

    def text(self, name: str, errors: str = "strict") -> str:
        """A file as text, line ends as they are.

        Args:
            name: The file.
            errors: What becomes of bytes that are not UTF-8, as ``bytes.decode`` has it.

        Raises:
            PackageError: If it cannot be read, or is not UTF-8.
        """
        try:
            return self._within(name).read_bytes().decode(errors=errors)
        except UnicodeDecodeError as error:
            raise PackageError(f"{name}: not UTF-8: {error.reason} at byte {error.start}") from None
        except OSError as error:
            raise PackageError(f"{name}: {error.strerror}") from None

    def _within(self, name: str) -> Path:
        path = self.root / name
        try:
            real = path.resolve()
        except (OSError, RuntimeError):  # up to Python 3.12 a circle of links is a RuntimeError
            raise LinkError(f"{name}: a link that leads in a circle") from None
        if not real.is_relative_to(self.root):
            raise LinkError(f"{name}: a link that leads out of the package")
        return path
