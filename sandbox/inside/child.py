"""A child that has nothing left to lose: limits, its own uid, the system-call filter, then its task.

Everything here runs after ``fork`` in a process that hostile code is about to own; the order matters:
descriptors first, limits next, then privileges, the filter last. What can be settled before the fork is
(``Confinement``, ``task_of``), and functions are imported by name: each line less that a child runs, and each
attribute less that it looks up, is a page less to copy.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from os import _exit as _leave  # by name: a program may put anything in its place
from os import closerange, dup2, register_at_fork, setresgid, setresuid
from resource import (
    RLIMIT_AS,
    RLIMIT_CORE,
    RLIMIT_CPU,
    RLIMIT_FSIZE,
    RLIMIT_NOFILE,
    RLIMIT_NPROC,
    setrlimit,
)
from time import process_time
from typing import Any

from . import beside, call, kernel, program, serve, stdio, tester, together
from .wire import Header, Mode

HARNESS_FAILED_EXIT_CODE = 121
"""Our own code around the program failed; seen only when something is badly wrong."""

_OPEN_FILES_COUNT = 256


class Confinement:
    """What a child gives up, worked out before the fork.

    Args:
        header: Limits and ids.
        filter_: The system calls of tests.
        cpu_seconds: The kernel's limit on CPU time is a little above: a second line behind the session's
            own watch.
        output_bytes: One byte more can be written, so that exactly as much as allowed can be told from more.
    """

    def __init__(
        self, header: Header, filter_: kernel.SeccompFilter, cpu_seconds: float, output_bytes: int
    ) -> None:
        self._uid = header.test_uid
        self._install_filter = filter_.install
        whole_seconds = int(cpu_seconds) + 2
        self._limits = (
            (RLIMIT_AS, (header.address_space_bytes, header.address_space_bytes)),
            (RLIMIT_FSIZE, (output_bytes + 1, output_bytes + 1)),
            (RLIMIT_NOFILE, (_OPEN_FILES_COUNT, _OPEN_FILES_COUNT)),
            (RLIMIT_NPROC, (header.processes_count, header.processes_count)),
            (RLIMIT_CORE, (0, 0)),
            (RLIMIT_CPU, (whole_seconds, whole_seconds + 1)),
        )

    def enter(self, descriptors: list[int]) -> None:
        """Leave only ``descriptors``, as 0, 1, 2, …; then give up everything else.

        The session's own numbers are all above theirs (``wire.LOWEST_FD``).
        """
        self._renumber(descriptors)
        for which, value in self._limits:
            setrlimit(which, value)
        uid = self._uid
        if uid is None:
            kernel.drop_capabilities()
        else:  # takes the capabilities away as well: the zygote made none of them inheritable
            setresgid(uid, uid, uid)
            setresuid(uid, uid, uid)
        self._install_filter()

    def take_over(self, descriptors: list[int]) -> None:
        """As ``enter``, for a child that gave up everything but these limits and descriptors before."""
        self._renumber(descriptors)
        for which, value in self._limits:
            used_seconds = ceil(process_time()) if which == RLIMIT_CPU else 0
            setrlimit(which, (value[0] + used_seconds, value[1] + used_seconds))

    def _renumber(self, descriptors: list[int]) -> None:
        place = 0
        for descriptor in descriptors:
            dup2(descriptor, place)
            place += 1
        closerange(place, 4096)


def task_of(
    header: Header, hooks: list[dict[str, Any]], *, shared: bool = False
) -> Callable[[program.Loaded], int]:
    """What a test does once confined: takes the code, runs it, returns the exit code.

    Args:
        header: Whose mode says what is done with the program.
        hooks: Fork hooks to register again.
        shared: Whether many tests share the process.
    """
    run = _shared_runner_of(header) if shared else _runner_of(header)

    def task(loaded: program.Loaded) -> int:
        for hook in hooks:
            register_at_fork(**hook)
        return run(loaded)

    return task


def _runner_of(header: Header) -> Callable[[program.Loaded], int]:
    match header.mode:
        case Mode.STDIO:
            return stdio.run
        case Mode.CALL:
            return lambda loaded: call.run(loaded, header.entry_point, header.provide_names)
        case Mode.SERVE:
            return serve.run
        case Mode.TEST:
            return lambda loaded: tester.run(loaded, program.read_whole(0))
        case Mode.BESIDE:
            return lambda loaded: beside.run(loaded, program.read_whole(0))
        case Mode.LOWER:
            return _lower
    raise ValueError(f"unknown mode {header.mode}")


def _shared_runner_of(header: Header) -> Callable[[program.Loaded], int]:
    run_one = (
        together.run_call(header.entry_point, header.provide_names)
        if header.mode == Mode.CALL
        else together.run_script
    )
    return lambda loaded: together.run(loaded, run_one)


def _lower(_: program.Loaded) -> int:
    from . import lowering  # noqa: PLC0415 - brings ast, which no other child needs

    return lowering.run()


def leave_with(task: Callable[[], int]) -> None:
    """Run the task and end this process with its exit code; never returns."""
    try:
        _leave(task())
    except BaseException as error:  # noqa: BLE001 - a child of fork must not fall back into its parent's code
        try:
            program.show_exception(error)
        finally:
            _leave(HARNESS_FAILED_EXIT_CODE)
