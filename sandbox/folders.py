"""Folders that several services share: made aside, named by their content, put in place when complete."""

from __future__ import annotations

import hashlib
from pathlib import Path


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
