"""A child that has nothing left to lose: limits, its own uid, the system-call filter, then its task.

Everything here runs after ``fork`` in a process that hostile code is about to own; the order matters:
descriptors first, limits next, then privileges, the filter last.
"""

from __future__ import annotations

import os
import resource
from collections.abc import Callable
from typing import Any

from . import beside, call, kernel, program, serve, stdio, tester
from .wire import Header, Mode

HARNESS_FAILED_EXIT_CODE = 121
"""Our own code around the program failed; seen only when something is badly wrong."""

_OPEN_FILES_COUNT = 256

_leave = os._exit  # kept: a program may put anything in its place


def confine(
    header: Header, filter_: kernel.SeccompFilter, descriptors: list[int], cpu_seconds: float
) -> None:
    """Leave only ``descriptors``, as 0, 1, 2, …; then give up everything else."""
    _renumber(descriptors)
    _limit(header, cpu_seconds)
    if header.test_uid is None:
        kernel.drop_capabilities()
    else:  # takes the capabilities away as well: the zygote made none of them inheritable
        os.setresgid(header.test_uid, header.test_uid, header.test_uid)
        os.setresuid(header.test_uid, header.test_uid, header.test_uid)
    filter_.install()


def _renumber(descriptors: list[int]) -> None:
    """Move to 0, 1, 2, …; the session's own numbers are all above (``wire.LOWEST_FD``)."""
    for place, fd in enumerate(descriptors):
        os.dup2(fd, place)
    os.closerange(len(descriptors), 4096)


def _limit(header: Header, cpu_seconds: float) -> None:
    """Limits of the kernel: the second line behind the session's own watch over CPU time."""
    whole_seconds = int(cpu_seconds) + 2
    address_space = header.address_space_bytes
    # one byte above the limit, so that writing exactly as much as allowed can be told from more
    file_size = header.output_bytes + 1
    for which, value in (
        (resource.RLIMIT_AS, address_space),
        (resource.RLIMIT_FSIZE, file_size),
        (resource.RLIMIT_NOFILE, _OPEN_FILES_COUNT),
        (resource.RLIMIT_NPROC, header.processes_count),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(which, (value, value))
    resource.setrlimit(resource.RLIMIT_CPU, (whole_seconds, whole_seconds + 1))


def run_test(header: Header, code_fd: int, hooks: list[dict[str, Any]]) -> int:
    """Do what the mode asks; returns the exit code. The code is at ``code_fd``, about to be closed."""
    loaded = program.load(code_fd)
    os.close(code_fd)
    for hook in hooks:
        os.register_at_fork(**hook)
    match header.mode:
        case Mode.STDIO:
            return stdio.run(loaded)
        case Mode.CALL:
            return call.run(loaded, header.entry_point, header.provide_names)
        case Mode.SERVE:
            return serve.run(loaded)
        case Mode.TEST:
            return tester.run(loaded, program.read_whole(0))
        case Mode.BESIDE:
            return beside.run(loaded, program.read_whole(0))
        case Mode.LOWER:
            from . import lowering  # noqa: PLC0415 - brings ast, which no other child needs

            return lowering.run()
    raise ValueError(f"unknown mode {header.mode}")


def leave_with(task: Callable[[], int]) -> None:
    """Run the task and end this process with its exit code; never returns."""
    try:
        _leave(task())
    except BaseException as error:  # noqa: BLE001 - a child of fork must not fall back into its parent's code
        try:
            program.show_exception(error)
        finally:
            _leave(HARNESS_FAILED_EXIT_CODE)
