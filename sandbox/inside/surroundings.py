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

    What honest programs change: limits of the interpreter and of the stack, where to import from, the environment, the
    node classes they are lent, the random generators. Context variables (decimal's precision, numpy's errors)
    are those of a context for each test (``together``). What they hardly ever change is looked at, not put
    back (``changed``). What a program hides elsewhere, in a module of the standard library say, stays.
    """

    def __init__(self) -> None:
        self._nodes = [(kind, dict(vars(kind))) for kind in (nodes.ListNode, nodes.TreeNode)]
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
        self._numpy_random: Any = sys.modules.get("numpy.random")
        self._numpy_state = self._numpy_random.get_state() if self._numpy_random else None
        self._numpy = self._state_of_numpy()
        self._interpreter = _state_of_interpreter()

    def restore(self, *, randomness: bool) -> None:
        """Put back what is usual to change; called after every test.

        Args:
            randomness: Whether the program has to do with random numbers: putting them back takes a tenth of
                the time that a small test takes in all.
        """
        vars(sys).update(self._of_each_test)  # a stream of the program's own may now close
        for kind, kept in self._nodes:
            if vars(kind) != kept:
                _restore_attributes(kind, kept)
        for held, kept_items in self._lists:
            if held != kept_items:
                held[:] = kept_items
        os.environ = self._environ  # noqa: B003 - this one is the environment
        if self._environ._data != self._encoded_environment:  # type: ignore[attr-defined]
            self._environ.clear()  # through the mapping, so that children see it too
            self._environ.update(self._environment)
        self._restore_interpreter()
        if randomness:
            random.setstate(self._random)
            if self._numpy_random:
                self._numpy_random.set_state(self._numpy_state)

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

    def changed(self) -> bool:
        """Whether anything is not as it was that honest programs hardly ever change, or the random generators."""
        vars(sys).update(self._of_each_test)
        return (
            _state_of_interpreter() != self._interpreter
            or random.getstate() != self._random
            or self._state_of_numpy() != self._numpy
        )

    @staticmethod
    def of_process() -> tuple[Any, ...]:
        """The same of what differs from one process to the next."""
        return (
            *(resource.getrlimit(which) for which in _LIMITS),
            *(scratch.state_of(path) for path in scratch.PATHS),
        )

    def _state_of_numpy(self) -> tuple[Any, ...]:
        if not self._numpy_random:
            return ()
        name, words, *rest = self._numpy_random.get_state()
        return name, words.tobytes(), *rest


def _state_of_interpreter() -> tuple[Any, ...]:
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
    )


def _restore_attributes(owner: Any, kept: dict[str, Any]) -> None:
    attributes = vars(owner)
    for name in [name for name in attributes if name not in kept]:
        delattr(owner, name)
    for name, value in kept.items():
        if attributes.get(name) is not value:
            setattr(owner, name, value)
