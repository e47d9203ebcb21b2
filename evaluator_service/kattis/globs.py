"""Patterns for the names of submissions and tests, as ``submissions.yaml`` has them."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import PurePosixPath


def matches(pattern: str, name: str) -> bool:
    """Whether a pattern matches a name, or a folder that it lies in; the empty one matches all.

    ``*`` stands for any characters but a slash, ``{a,b}`` for either.
    """
    if not pattern:
        return True
    found = _compiled(pattern)
    path = PurePosixPath(name)
    return any(found.fullmatch(str(each)) for each in (path, *path.parents))


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    depth, parts = 0, []
    for character in pattern:
        match character:
            case "*":
                parts.append("[^/]*")
            case "{":
                depth += 1
                parts.append("(?:")
            case "}" if depth:
                depth -= 1
                parts.append(")")
            case "," if depth:
                parts.append("|")
            case _:
                parts.append(re.escape(character))
    return re.compile("".join(parts) + ")" * depth)
