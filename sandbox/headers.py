"""The precompiled header of C++: ``bits/stdc++.h``, which most contest programs include, takes a second to compile."""

from __future__ import annotations

import logging
import subprocess
import tempfile
from pathlib import Path

from .folders import hash_of, put_in_place
from .languages import CPP_FLAGS
from .toolchains import Toolchain

log = logging.getLogger(__name__)

_PATIENCE_SECONDS = 120.0


def precompiled_headers(directory: Path, toolchain: Toolchain) -> Path | None:
    """The folder that holds it below the state directory, made if it is not there; None if it cannot be made.

    The compiler reads the header as it lies in the system, not what anybody sent.
    """
    about = f"{toolchain.version} {toolchain.values['tool']} {CPP_FLAGS}"
    target = directory / f"headers-{hash_of(about.encode())}"
    if target.exists():
        return target
    with tempfile.TemporaryDirectory(dir=directory, prefix="headers-") as making:
        made = Path(making) / "headers"
        (made / "bits").mkdir(parents=True)
        source = Path(making) / "stdc++.h"
        source.write_text("#include <bits/stdc++.h>\n")
        command = [str(toolchain.values["tool"]), *CPP_FLAGS.split(), "-x", "c++-header"]
        try:
            subprocess.run(  # noqa: S603 - the machine's own compiler on its own header
                [*command, "-o", str(made / "bits" / "stdc++.h.gch"), str(source)],
                capture_output=True,
                timeout=_PATIENCE_SECONDS,
                check=True,
            )
        except (OSError, subprocess.SubprocessError) as error:
            log.warning("C++ compiles without a precompiled header: %s", error)
            return None
        for path in (made, made / "bits"):
            path.chmod(0o755)
        (made / "bits" / "stdc++.h.gch").chmod(0o644)
        put_in_place(made, target)
    return target
