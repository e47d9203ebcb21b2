"""The small launcher of compiled programs, built once where a C compiler is; without one, tests start by a fork."""

from __future__ import annotations

import logging
import subprocess
import tempfile
from pathlib import Path

from sandbox.folders import hash_of, put_in_place
from sandbox.toolchains import Toolchain

log = logging.getLogger(__name__)

_SOURCE = Path(__file__).parent / "launch.c"
_PATIENCE_SECONDS = 60.0


def built_launcher(directory: Path, compiler: Toolchain | None) -> Path | None:
    """The folder that holds it below the state directory, made if it is not there; None if it cannot be made."""
    if compiler is None:
        return None
    static = compiler.values.get("static", ())
    target = (
        directory
        / f"launcher-{hash_of(f'{compiler.version} {static}'.encode() + _SOURCE.read_bytes())}"
    )
    if target.exists():
        return target
    with tempfile.TemporaryDirectory(dir=directory, prefix="launcher-") as making:
        made = Path(making) / "launcher"
        made.mkdir(mode=0o755)
        command = [str(compiler.values["tool"]), "-O2", *static, "-o", str(made / "launch")]
        try:
            subprocess.run(  # noqa: S603 - the machine's own compiler on our own source
                [*command, str(_SOURCE)], capture_output=True, timeout=_PATIENCE_SECONDS, check=True
            )
        except (OSError, subprocess.SubprocessError) as error:
            log.warning("compiled programs start without the launcher, and slower: %s", error)
            return None
        made.chmod(0o755)
        (made / "launch").chmod(0o755)
        put_in_place(made, target)
    return target
