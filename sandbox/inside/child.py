"""A child that has nothing left to lose: limits, its own uid, the system-call filter, then its task.

Everything here runs after ``fork`` in a process that hostile code is about to own; the order matters:
descriptors first, limits next, then privileges, the filter last. What can be settled before the fork is
(``Confinement``, ``Task``), and functions are imported by name: each line less that a child runs, and each
attribute less that it looks up, is a page less to copy.
"""

from __future__ import annotations

from _socket import socket
from collections.abc import Callable
from functools import partial
from math import ceil
from os import _exit as _leave  # by name: a program may put anything in its place
from os import closerange, dup2, register_at_fork, setresgid, setresuid
from resource import (
    RLIM_INFINITY,
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
from .surroundings import Surroundings
from .wire import (
    PASSED,
    RUN,
    RUN_FIRST,
    Header,
    Mode,
    receive_with_descriptors,
)

HARNESS_FAILED_EXIT_CODE = 121
"""Our own code around the program failed; seen only when something is badly wrong."""

_OPEN_FILES_COUNT = 256

OFFER_FD = 1023
"""Where a process that compiled, or runs the first of many tests, keeps its way to the session: beyond the numbers
that a program can have."""

_DESCRIPTORS_END = 4096


class Confinement:
    """What a child gives up, worked out before the fork.

    Args:
        header: Limits and ids.
        filter_: The system calls of tests.
        cpu_seconds: The kernel's limit on CPU time is a little above: a second line behind the session's
            own watch.
        output_bytes: One byte more can be written, so that exactly as much as allowed can be told from more.
        successor: What a child may take over after this one: the limits must leave room for its own.
    """

    def __init__(
        self,
        header: Header,
        filter_: kernel.SeccompFilter,
        cpu_seconds: float,
        output_bytes: int,
        successor: Confinement | None = None,
    ) -> None:
        self._uid = header.test_uid
        self._filter = filter_
        self._install_filter = filter_.install
        whole_seconds = int(cpu_seconds) + 2
        address_space_bytes = (
            RLIM_INFINITY if header.address_space_bytes is None else header.address_space_bytes
        )
        self._limits: tuple[tuple[int, tuple[int, int]], ...] = (
            (RLIMIT_AS, (address_space_bytes, address_space_bytes)),
            (RLIMIT_FSIZE, (output_bytes + 1, output_bytes + 1)),
            (RLIMIT_NOFILE, (_OPEN_FILES_COUNT, _OPEN_FILES_COUNT)),
            (RLIMIT_NPROC, (header.processes_count, header.processes_count)),
            (RLIMIT_CORE, (0, 0)),
            (RLIMIT_CPU, (whole_seconds, whole_seconds + 1)),
        )
        if successor is not None:
            self._limits = tuple(
                (which, (soft, max(hard, later_hard + (soft if which == RLIMIT_CPU else 0))))
                for (which, (soft, hard)), (_, (_, later_hard)) in zip(
                    self._limits, successor._limits, strict=True
                )
            )

    def enter(self, descriptors: list[int], offer: int | None = None) -> None:
        """Leave only ``descriptors``, as 0, 1, 2, …; then give up everything else.

        The session's own numbers are all above theirs (``wire.LOWEST_FD``).

        Args:
            descriptors: What is left.
            offer: One more, kept as OFFER_FD.
        """
        if offer is not None:
            dup2(offer, OFFER_FD)
        renumber(descriptors, keep_offer=offer is not None)
        for which, value in self._limits:
            setrlimit(which, value)
        uid = self._uid
        if uid is None:
            kernel.drop_capabilities()
        else:  # takes the capabilities away as well: the zygote made none of them inheritable
            setresgid(uid, uid, uid)
            setresuid(uid, uid, uid)
        self._install_filter()

    def in_words(self) -> list[str]:
        """The same for the launcher: the id, the limits, the filter."""
        limits = ",".join(f"{which}:{soft}:{hard}" for which, (soft, hard) in self._limits)
        uid = -1 if self._uid is None else self._uid
        return [str(uid), limits, self._filter.instructions.hex()]

    def take_over(self, descriptors: list[int], *, keep_offer: bool) -> None:
        """As ``enter``, for a child that gave up everything but these limits and descriptors before."""
        renumber(descriptors, keep_offer=keep_offer)
        for which, value in self._limits:
            used_seconds = ceil(process_time()) if which == RLIMIT_CPU else 0
            setrlimit(which, (value[0] + used_seconds, value[1] + used_seconds))


def renumber(descriptors: list[int], *, keep_offer: bool) -> None:
    """Leave only these, as 0, 1, 2, …, and OFFER_FD if it is to be kept."""
    place = 0
    for descriptor in descriptors:
        dup2(descriptor, place)
        place += 1
    closerange(place, OFFER_FD if keep_offer else _DESCRIPTORS_END)


class Task:
    """What a test does once confined.

    Args:
        header: Whose mode says what is done with the program.
        hooks: Fork hooks to register again.
        surroundings: What tests find around them, where many share the process.
    """

    def __init__(
        self, header: Header, hooks: list[dict[str, Any]], surroundings: Surroundings
    ) -> None:
        self._hooks = hooks
        self._surroundings = surroundings
        self._run = _runner_of(header)
        self._way = together.way_of(header)

    def run(self, kind: bytes, loaded: program.Loaded) -> int:
        """Take the code, run it, return the exit code.

        A program is met by as many frames above it in RUN_FIRST as in RUN.
        """
        self._register_hooks()
        if kind == RUN:
            return self._run(loaded)
        group = together.Group(loaded, self._way, self._surroundings)
        if kind == RUN_FIRST:
            code = group.first()
            if code is not None:
                return code
            if not self.offer(PASSED):
                return 0
        return group.rest()

    def offer(self, what: bytes, confinement: Confinement | None = None) -> bytes:
        """Offer the session to run a test, which saves it a fork; take over what the test is given.

        Args:
            what: What has been achieved so far.
            confinement: Whose limits the test has; those that are in force if None.

        Returns:
            How to run the test; nothing if there is none.
        """
        try:
            way_out = socket(fileno=OFFER_FD)
        except OSError:  # the program closed it
            return b""
        try:
            way_out.send(what)
            kind, descriptors = receive_with_descriptors(way_out, len(RUN))
        except OSError:  # or it put something else in its place
            return b""
        finally:
            way_out.detach()  # its number may soon be the program's
        if kind and confinement is not None:
            confinement.take_over(descriptors, keep_offer=kind == RUN_FIRST)
        elif kind:
            renumber(descriptors, keep_offer=False)
        return kind

    def _register_hooks(self) -> None:
        for hook in self._hooks:
            register_at_fork(**hook)


def _runner_of(header: Header) -> Callable[[program.Loaded], int]:
    match header.mode:
        case Mode.STDIO:
            return stdio.run
        case Mode.CALL:
            return partial(
                call.run, entry_point=header.entry_point, provide_names=header.provide_names
            )
        case Mode.SERVE:
            return serve.run
        case Mode.TEST:
            return lambda loaded: tester.run(loaded, program.read_whole(0))
        case Mode.BESIDE:
            return lambda loaded: beside.run(loaded, program.read_whole(0))
        case Mode.LOWER:
            return _lower
    return _no_program


def _no_program(_: program.Loaded) -> int:
    raise ValueError("a command runs no program of ours")


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
