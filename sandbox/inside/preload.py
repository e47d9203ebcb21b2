"""Imports done once, before the first fork, for every program that will ever run in this jail."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable
from typing import Any

MODULES = (
    "abc bisect builtins collections collections.abc contextlib copy enum functools heapq "
    "importlib io itertools math operator random re string struct sys threading time traceback types typing"
).split()
"""What most programs import; anything else is imported when asked for, at the program's own expense.

Every megabyte here makes every fork dearer, which is why dataclasses (with inspect, ast and dis behind
it) stays out.
"""

ForkHook = dict[str, Any]
"""Keyword arguments of one ``os.register_at_fork``."""


def import_all(more: Iterable[str]) -> list[ForkHook]:
    """Import MODULES and ``more``; return the fork hooks they wanted, which are not in force.

    Those of threading and random cost 0.3 ms a fork and have no use in forks from a single-threaded
    process. Test children register them again, for forks of their own.
    """
    wanted: list[ForkHook] = []
    register = os.register_at_fork
    os.register_at_fork = lambda **hook: wanted.append(hook)
    try:
        for name in (*MODULES, *more):
            importlib.import_module(name)
    finally:
        os.register_at_fork = register
    return wanted
