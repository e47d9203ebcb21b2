"""Start of a jail's first process: ``python -m inside [MODULE ...]``."""

from __future__ import annotations

import sys

from .guard import prove_jailed
from .preload import import_all


def main() -> None:
    """Prove the jail, import, then become the zygote."""
    prove_jailed()
    hooks = import_all(sys.argv[1:])
    from .zygote import serve  # noqa: PLC0415 - after import_all: threading's fork hook stays out

    serve(hooks)


if __name__ == "__main__":
    main()
