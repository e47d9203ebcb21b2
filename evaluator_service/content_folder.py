"""Files named by the hash of what is in them: outputs, programs, problems. Nothing is ever removed."""

import hashlib
import os
import threading
from pathlib import Path

_PREFIX = "sha256:"


def content_id(content: bytes) -> str:
    """The content hash of some bytes, ``sha256:…``."""
    return _PREFIX + hashlib.sha256(content).hexdigest()


class ContentFolder:
    """One file for each content."""

    def __init__(self, folder: Path, suffix: str = "") -> None:
        """Keep contents in ``folder``, which exists when it is used; names of files end with ``suffix``."""
        self._folder = folder
        self._suffix = suffix

    def has(self, name: str) -> bool:
        """Whether something is kept under a content hash."""
        return self._path(name).exists()

    def put(self, content: bytes) -> str:
        """Write some bytes, unless they are there already; their content hash.

        Raises:
            OSError: If they cannot be written.
        """
        name = content_id(content)
        path = self._path(name)
        if not path.exists():
            # whole or not at all: a reader may come, or the power go, at any moment
            part = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.part")
            part.write_bytes(content)
            part.replace(path)
        return name

    def get(self, name: str) -> bytes | None:
        """What is kept under a content hash; None if it is not there, or is no longer what its name says."""
        try:
            content = self._path(name).read_bytes()
        except FileNotFoundError:
            return None
        return content if content_id(content) == name else None

    def _path(self, name: str) -> Path:
        return self._folder / f"{name.removeprefix(_PREFIX)}{self._suffix}"
