"""What the machine's own compiler makes of our own sources, once; never of what anybody sent."""

from __future__ import annotations

import logging
import subprocess
from pathlib import Path

from .folders import made_once

log = logging.getLogger(__name__)

_PATIENCE_SECONDS = 120.0


class _NotCompiledError(Exception):
    """The compiler does not start, fails, or does not end."""


def compiled_once(target: Path, product: str, command: list[str], otherwise: str) -> Path | None:
    """The folder that holds the product, made if it is not there; None if it cannot be made.

    Args:
        target: The folder, named by everything that the product depends on.
        product: Its file within the folder.
        command: Compiler, flags and source; where to write is added.
        otherwise: What has to be done without it, for the log.
    """

    def make(made: Path) -> None:
        file = made / product
        file.parent.mkdir(parents=True)
        try:
            subprocess.run(  # noqa: S603 - the machine's own compiler on our own source
                [*command, "-o", str(file)],
                capture_output=True,
                timeout=_PATIENCE_SECONDS,
                check=True,
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise _NotCompiledError(str(error)) from error
        for path in (made, *made.rglob("*")):
            path.chmod(0o755)

    try:
        return made_once(target, make)
    except _NotCompiledError as error:
        log.warning("%s: %s", otherwise, error)
        return None
