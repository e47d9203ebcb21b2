"""The precompiled header of C++: ``bits/stdc++.h``, which most contest programs include, takes a second to compile."""

from __future__ import annotations

from pathlib import Path

from .compiled import compiled_once
from .folders import hash_of
from .languages import CPP_FLAGS
from .toolchains import Toolchain

_SOURCE = Path(__file__).parent / "all_headers.h"


def precompiled_headers(directory: Path, toolchain: Toolchain) -> Path | None:
    """The folder that holds it below the state directory, made if it is not there; None if it cannot be made."""
    tool = str(toolchain.values["tool"])
    about = f"{toolchain.version} {tool} {CPP_FLAGS}"
    return compiled_once(
        directory / f"headers-{hash_of(about.encode())}",
        "bits/stdc++.h.gch",
        [tool, *CPP_FLAGS.split(), "-x", "c++-header", str(_SOURCE)],
        "C++ compiles without a precompiled header",
    )
