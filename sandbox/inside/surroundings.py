"""What a program finds around it, put back between tests that share a process."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found] # signal wraps this in enums, at a microsecond a call
import builtins
import gc
import os
import random
import resource
import sys
import threading
from typing import Any

from . import nodes

_LIMITS = (
    resource.RLIMIT_STACK,
    resource.RLIMIT_AS,
    resource.RLIMIT_DATA,
    resource.RLIMIT_CPU,
    resource.RLIMIT_NOFILE,
    resource.RLIMIT_FSIZE,
)
"""Those that programs set."""

_SIGNALS = range(1, _signal.NSIG)

_NEW_FOR_EACH_TEST = ("argv", "stdin", "stdout", "stderr", "__stdin__", "__stdout__", "__stderr__")
"""Names in ``sys``."""


class Surroundings:
    """Remembers how things are; ``restore`` makes them so again.

    What is easily changed by accident: names in ``sys``, ``builtins`` and the node classes that programs are
    lent, limits, signal handlers and the alarm, the random generators, the environment, the working directory.
    Context variables (decimal's precision, numpy's errors) are those of a context for each test (``together``).
    What a program hides elsewhere, in a module of the standard library say, stays.
    """

    def __init__(self) -> None:
        self._spaces = [_Space(owner) for owner in (sys, builtins, nodes.ListNode, nodes.TreeNode)]
        self._lists = [(value, value.copy()) for value in vars(sys).values() if type(value) is list]
        self._handlers = list(map(_signal.getsignal, _SIGNALS))
        self._handler_identities = list(map(id, self._handlers))
        self._limits = list(map(resource.getrlimit, _LIMITS))
        self._umask = os.umask(0)
        os.umask(self._umask)
        self._blocked_signals = _signal.pthread_sigmask(_signal.SIG_BLOCK, ())
        self._gc_threshold = gc.get_threshold()
        self._environ = os.environ
        self._environment = dict(os.environ)
        self._encoded_environment = dict(os.environ._data)  # type: ignore[attr-defined]
        self._of_each_test = {name: getattr(sys, name) for name in _NEW_FOR_EACH_TEST}
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
        for name, value in self._of_each_test.items():
            setattr(sys, name, value)  # else the quick comparison would always fail
        for space in self._spaces:
            if space.changed():
                space.restore()
        for held, kept_items in self._lists:
            if held != kept_items:
                held[:] = kept_items
        self._restore_process()
        self._restore_interpreter()

    def _restore_process(self) -> None:
        _signal.setitimer(_signal.ITIMER_REAL, 0)
        if list(map(id, map(_signal.getsignal, _SIGNALS))) != self._handler_identities:
            for number, handler in zip(_SIGNALS, self._handlers, strict=True):
                if _signal.getsignal(number) is not handler:
                    _signal.signal(number, handler)
        _signal.pthread_sigmask(_signal.SIG_SETMASK, self._blocked_signals)
        if list(map(resource.getrlimit, _LIMITS)) != self._limits:
            for which, (soft_limit, _) in zip(_LIMITS, self._limits, strict=True):
                resource.setrlimit(which, (soft_limit, resource.getrlimit(which)[1]))
        os.umask(self._umask)
        if self._environ._data != self._encoded_environment:  # type: ignore[attr-defined]
            self._environ.clear()  # through the mapping, so that children see it too
            self._environ.update(self._environment)
        os.chdir(self._directory)

    def _restore_interpreter(self) -> None:
        sys.settrace(None)
        sys.setprofile(None)
        sys.setrecursionlimit(self._recursion_limit)
        sys.set_int_max_str_digits(self._digits_limit)
        sys.setswitchinterval(self._switch_interval)
        threading.stack_size(self._stack_bytes)
        gc.enable()
        gc.set_threshold(*self._gc_threshold)
        random.setstate(self._random)
        if self._numpy_random is not None:
            self._numpy_random.set_state(self._numpy_state)


class _Space:
    """The attributes of a module or class, as they were."""

    def __init__(self, owner: Any) -> None:
        self._owner = owner
        self._kept = dict(vars(owner))
        self._names = list(self._kept)
        self._identities = list(map(id, self._kept.values()))

    def changed(self) -> bool:
        """By identity, since comparing would call methods of the program's objects."""
        space = vars(self._owner)
        return list(map(id, space.values())) != self._identities or list(space) != self._names

    def restore(self) -> None:
        """Put them back."""
        space = vars(self._owner)
        for name in [name for name in space if name not in self._kept]:
            delattr(self._owner, name)
        for name, value in self._kept.items():
            if space.get(name) is not value:
                setattr(self._owner, name, value)
