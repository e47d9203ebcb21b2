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
from collections.abc import Mapping
from typing import Any

from . import nodes, scratch

_SIGNALS = range(1, _signal.NSIG)

_TIMERS = (_signal.ITIMER_REAL, _signal.ITIMER_VIRTUAL, _signal.ITIMER_PROF)

_LIMITS = {value for name, value in vars(resource).items() if name.startswith("RLIMIT_")} - {
    resource.RLIMIT_STACK,  # is put back
    resource.RLIMIT_CPU,  # is set anew for every task
}

_NEW_FOR_EACH_TEST = ("argv", "stdin", "stdout", "stderr", "__stdin__", "__stdout__", "__stderr__")
"""Names in ``sys``."""


class Surroundings:
    """Remembers how things are; ``restore`` makes them so again.

    What is easily changed by accident: names in ``sys``, ``builtins`` and the node classes that programs are
    lent, limits of the interpreter, the stack's, the random generators, the environment. Context variables
    (decimal's precision, numpy's errors) are those of a context for each test (``together``). What honest programs
    hardly ever change is looked at, not put back (``unusual``). What a program hides elsewhere, in a module of
    the standard library say, stays.
    """

    def __init__(self) -> None:
        owners = (sys, builtins, nodes.ListNode, nodes.TreeNode)
        self._spaces = [(owner, vars(owner), dict(vars(owner))) for owner in owners]
        self._lists = [(value, value.copy()) for value in vars(sys).values() if type(value) is list]
        self._gc_threshold = gc.get_threshold()
        self._environ = os.environ
        self._environment = dict(os.environ)
        self._encoded_environment = dict(os.environ._data)  # type: ignore[attr-defined]
        self._of_each_test = {name: getattr(sys, name) for name in _NEW_FOR_EACH_TEST}
        self._recursion_limit = sys.getrecursionlimit()
        self._digits_limit = sys.get_int_max_str_digits()
        self._switch_interval = sys.getswitchinterval()
        self._stack_bytes = threading.stack_size()
        self._stack_limit = resource.getrlimit(resource.RLIMIT_STACK)
        self._random = random.getstate()
        numpy_random: Any = sys.modules.get("numpy.random")
        self._numpy_random = numpy_random
        self._numpy_state = numpy_random.get_state() if numpy_random is not None else None

    def restore(self) -> None:
        """Put back what is usual to change; called after every test."""
        vars(sys).update(self._of_each_test)  # else the quick comparison would always fail
        for owner, space, kept in self._spaces:
            if space != kept:
                _restore_space(owner, space, kept)
        for held, kept_items in self._lists:
            if held != kept_items:
                held[:] = kept_items
        os.environ = self._environ  # noqa: B003 - this one is the environment
        if self._environ._data != self._encoded_environment:  # type: ignore[attr-defined]
            self._environ.clear()  # through the mapping, so that children see it too
            self._environ.update(self._environment)
        self._restore_interpreter()

    def _restore_interpreter(self) -> None:
        if resource.getrlimit(resource.RLIMIT_STACK) != self._stack_limit:
            resource.setrlimit(resource.RLIMIT_STACK, self._stack_limit)
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


def unusual() -> tuple[Any, ...]:
    """State of the process that honest programs hardly ever change."""
    umask = os.umask(0)
    os.umask(umask)
    return (
        # an object may claim to equal what it replaced
        *map(id, vars(sys).values()),
        *map(id, vars(builtins).values()),
        sys.get_asyncgen_hooks(),
        sys.get_coroutine_origin_tracking_depth(),
        gc.get_debug(),
        len(gc.garbage),
        umask,
        os.getcwd(),
        *map(_signal.getsignal, _SIGNALS),
        *(_signal.getitimer(which)[0] > 0 for which in _TIMERS),
        _signal.pthread_sigmask(_signal.SIG_BLOCK, ()),
        *(resource.getrlimit(which) for which in _LIMITS),
        *(scratch.state_of(path) for path in scratch.PATHS),
    )


def _restore_space(owner: Any, space: Mapping[str, Any], kept: dict[str, Any]) -> None:
    """The attributes of a module or class, as they were."""
    for name in [name for name in space if name not in kept]:
        delattr(owner, name)
    for name, value in kept.items():
        if space.get(name) is not value:
            setattr(owner, name, value)
