"""The zygote: first process of a jail. Forks a session per submission, and never runs or reads its parts."""

from __future__ import annotations

import _sitebuiltins
import _socket
import builtins
import os
import random
import resource
import signal
import sys
import threading
import traceback

from . import kernel, seccomp
from .channel import OutsideGoneError
from .preload import ForkHook
from .scratch import Scratch
from .session import Session
from .settle import settle
from .surroundings import Surroundings
from .wire import (
    CONTROL_FD,
    DONE,
    LOWEST_FD,
    RANDOM_SEED,
    READY,
    SCRATCH_BYTES,
    Header,
    receive_with_descriptors,
)

MAIN_STACK_BYTES = 256 << 20
THREAD_STACK_BYTES = 8 << 20
"""Linux's usual size of a thread's stack; the C library would else take the main stack's limit."""


def serve(hooks: list[ForkHook]) -> None:
    """Prepare, say READY, then serve submissions until the outside closes the control socket."""
    _prepare()
    scratch = Scratch(SCRATCH_BYTES)
    control = _socket.socket(fileno=CONTROL_FD)
    own_namespace = os.pidfd_open(os.getpid())
    kernel.SeccompFilter(seccomp.filter_of_jail()).install()
    filter_ = kernel.SeccompFilter(seccomp.filter_of_tests())
    surroundings = Surroundings()
    fillings = settle()  # noqa: F841 - kept
    control.send(READY)
    while True:
        message, descriptors = receive_with_descriptors(control)
        if not message:
            return
        os.unshare(kernel.CLONE_NEWPID)
        pid = os.fork()
        if pid == 0:
            os.close(own_namespace)
            control.close()
            _reserve_low_numbers()
            _become_session(
                Header.unpack(message), descriptors, filter_, hooks, scratch, surroundings
            )
        os.setns(own_namespace, kernel.CLONE_NEWPID)
        for descriptor in descriptors:
            os.close(descriptor)
        os.waitpid(pid, 0)
        scratch.clean()
        control.send(DONE)


def _prepare() -> None:
    """Make this process what every test child starts as."""
    random.seed(RANDOM_SEED)
    for name in ("exit", "quit"):  # left out by -S, and many programs call them
        setattr(builtins, name, _sitebuiltins.Quitter(name, "Ctrl-D (i.e. EOF)"))
    own_path, _, packages_path = os.environ["PYTHONPATH"].partition(":")
    sys.path.remove(own_path)
    os.environ["PYTHONPATH"] = packages_path
    del os.environ["LD_BIND_NOW"]
    _, hard = resource.getrlimit(resource.RLIMIT_STACK)
    resource.setrlimit(resource.RLIMIT_STACK, (MAIN_STACK_BYTES, hard))
    threading.stack_size(THREAD_STACK_BYTES)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Python's handler would make pid 1 killable
    kernel.pass_on_no_capabilities()
    kernel.refuse_inspection()
    _reserve_low_numbers()


def _reserve_low_numbers() -> None:
    """Fill the numbers below LOWEST_FD, so that a test's descriptors move there in one step each."""
    number = os.open(os.devnull, os.O_RDONLY)
    while number < LOWEST_FD:
        number = os.dup(number)


def _become_session(
    header: Header,
    descriptors: list[int],
    filter_: kernel.SeccompFilter,
    hooks: list[ForkHook],
    scratch: Scratch,
    surroundings: Surroundings,
) -> None:
    """The forked child: serve, never return."""
    try:
        connection, source, prelude, *cpu_file = descriptors
        sock = _socket.socket(fileno=connection)
        session = Session(header, sock, filter_, hooks, scratch, surroundings, *cpu_file)
        session.serve(source, prelude)
    except OutsideGoneError:
        os._exit(0)
    except BaseException:  # noqa: BLE001 - a child of fork must not fall back into the zygote's loop
        traceback.print_exc()
        os._exit(1)
    os._exit(0)
