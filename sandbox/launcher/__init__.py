"""The small launcher of compiled programs, built once where a C compiler is; without one, tests start by a fork."""

from __future__ import annotations

from pathlib import Path

from sandbox.compiled import compiled_once
from sandbox.folders import hash_of
from sandbox.toolchains import Toolchain

_SOURCE = Path(__file__).parent / "launch.c"


def built_launcher(directory: Path, compiler: Toolchain | None) -> Path | None:
    """The folder that holds it below the state directory, made if it is not there; None if it cannot be made."""
    if compiler is None:
        return None
    static = compiler.values.get("static", ())
    about = f"{compiler.version} {static}".encode() + _SOURCE.read_bytes()
    return compiled_once(
        directory / f"launcher-{hash_of(about)}",
        "launch",
        [str(compiler.values["tool"]), "-O2", *static, str(_SOURCE)],
        "compiled programs start without the launcher, and slower",
    )
