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
        self._spaces = [(space, dict(space)) for space in (vars(sys), vars(builtins))]
        self._environment = dict(os.environ)
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
        for space, kept in self._spaces:
            for name in [name for name in space if name not in kept]:
                del space[name]
            for name, value in kept.items():
                if space.get(name) is not value:
                    space[name] = value
        if os.environ != self._environment:
            os.environ.clear()
            os.environ.update(self._environment)
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
