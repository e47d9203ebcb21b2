"""What a program finds around it, put back between tests that share a process."""

from __future__ import annotations

import builtins
import gc
import os
import random
import sys
import threading
from typing import Any


class Surroundings:
    """Remembers how things are; ``restore`` makes them so again.

    What is easily changed by accident: names in ``sys`` and ``builtins``, limits, the random generators, the
    environment, the working directory. What a program hides elsewhere, in a module of the standard library
    say, stays.
    """

    def __init__(self) -> None:
        self._spaces = [_Space(vars(module)) for module in (sys, builtins)]
        self._environ = os.environ
        self._environment = dict(os.environ)
        self._encoded_environment = _Space(os.environ._data)  # type: ignore[attr-defined]
        self._arguments = sys.argv
        self._directory = os.getcwd()
        self._recursion_limit = sys.getrecursionlimit()
        self._digits_limit = sys.get_int_max_str_digits()
        self._switch_interval = sys.getswitchinterval()
        self._stack_bytes = threading.stack_size()
        self._random = random.getstate()
        numpy_random: Any = sys.modules.get("numpy.random")
        self._numpy_random = numpy_random
        self._numpy_state = numpy_random.get_state() if numpy_random is not None else None

    def restore(self) -> None:
        """Put everything back."""
        sys.argv = self._arguments  # new for every program: the quick comparison would always fail
        for space in self._spaces:
            if space.changed():
                space.restore()
        if self._encoded_environment.changed():  # through the mapping, so that children see it too
            self._environ.clear()
            self._environ.update(self._environment)
        os.chdir(self._directory)
        sys.settrace(None)
        sys.setprofile(None)
        sys.setrecursionlimit(self._recursion_limit)
        sys.set_int_max_str_digits(self._digits_limit)
        sys.setswitchinterval(self._switch_interval)
        threading.stack_size(self._stack_bytes)
        gc.enable()
        random.setstate(self._random)
        if self._numpy_random is not None:
            self._numpy_random.set_state(self._numpy_state)


class _Space:
    """A dict and what it held."""

    def __init__(self, space: dict[Any, Any]) -> None:
        self._space = space
        self._kept = dict(space)
        self._names = list(space)
        self._identities = list(map(id, space.values()))

    def changed(self) -> bool:
        """By identity, since comparing would call methods of the program's objects."""
        values = self._space.values()
        return list(map(id, values)) != self._identities or list(self._space) != self._names

    def restore(self) -> None:
        """Put it back."""
        space = self._space
        for name in [name for name in space if name not in self._kept]:
            del space[name]
        for name, value in self._kept.items():
            if space.get(name) is not value:
                space[name] = value
