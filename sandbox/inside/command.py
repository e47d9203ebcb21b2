"""Commands: their files are put in place, then they take this process over, or a child of it.

Runs in a child that has nothing left to lose, as ``program`` does. The commands themselves come from the
outside's table of languages; files are hostile.
"""

from __future__ import annotations

import fcntl
import os
import signal

import msgpack

from .program import read_whole
from .wire import Command

FOLDER = "/tmp"  # noqa: S108 - the jail's own, empty at the start of every test
CANNOT_EXECUTE_EXIT_CODE = 126
"""As a shell says it."""

IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)
"""Signals that a command would ignore as well."""

_HIGH_FD = 64
"""Above every descriptor that a test is given."""


def prepared(command: Command, source_fd: int) -> str | int:
    """Put the files in place; what there is to execute, a path or a descriptor."""
    if command.is_executable:
        os.set_inheritable(source_fd, False)
        return source_fd
    put_in_place(read_whole(source_fd))
    os.close(source_fd)
    return command.steps[0][0]


def put_in_place(bundle: bytes) -> None:
    """Write the files of a bundle where tests start."""
    for name, content in msgpack.unpackb(bundle).items():
        write_file(os.path.join(FOLDER, name), content)


def write_file(path: str, content: bytes) -> None:
    """Write one file, and the folders it lies in."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)


def execute(executable: str | int, command: Command) -> int:
    """Become the command; returns only where the kernel does not execute it."""
    for number in IGNORED_BY_PYTHON:
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execve(executable, command.steps[0], command.environment)  # noqa: S606 - what the jail is for
    except OSError as error:
        os.write(2, f"cannot execute {command.steps[0][0]}: {error.strerror}\n".encode())
    return CANNOT_EXECUTE_EXIT_CODE


def start(executable: str | int, command: Command, stdin: int, stdout: int, stderr: int) -> int:
    """Have a child become the command; its pid."""
    pid = os.fork()
    if pid == 0:
        try:
            if isinstance(executable, int):
                executable = fcntl.fcntl(executable, fcntl.F_DUPFD_CLOEXEC, _HIGH_FD)
            high = [
                fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, _HIGH_FD) for fd in (stdin, stdout, stderr)
            ]
            for place, descriptor in enumerate(high):
                os.dup2(descriptor, place)
            os.closerange(len(high), _HIGH_FD)
            os._exit(execute(executable, command))
        finally:
            os._exit(CANNOT_EXECUTE_EXIT_CODE)
    return pid
