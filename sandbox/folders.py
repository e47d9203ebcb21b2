"""Folders that several services share: made aside, named by their content, put in place when complete."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable
from pathlib import Path


def made_once(target: Path, make: Callable[[Path], None]) -> Path:
    """The folder: as it is there, or as ``make`` makes it now under another name."""
    if not target.exists():
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=f"{target.name}-") as aside:
            made = Path(aside) / "made"
            make(made)
            put_in_place(made, target)
    return target


def put_in_place(made: Path, target: Path) -> None:
    """Rename; another service may have been quicker, which is as good."""
    try:
        made.rename(target)
    except OSError:
        if not target.exists():
            raise


def hash_of(data: bytes) -> str:
    """A short name for this content."""
    return hashlib.sha256(data).hexdigest()[:16]
