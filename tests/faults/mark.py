"""What a hostile job would have a worker call."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

VARIABLE = "FAULTS_MARK"


class Leaver:
    """Its method does the same."""

    def leave(self, *_: Any, **__: Any) -> None:
        """Leave a mark."""
        leave()


def leave(*_: Any, **__: Any) -> None:
    """Leave a mark that this was called."""
    Path(os.environ[VARIABLE]).touch()
