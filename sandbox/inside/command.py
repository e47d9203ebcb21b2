"""Modes whose program is a command: its files are put in place, then it takes this process over.

Runs in a child that has nothing left to lose, as ``program`` does. The commands themselves come from the
outside's table of languages; files are hostile.
"""

from __future__ import annotations

import os

import msgpack

from .program import read_whole
from .wire import Command, Mode

FOLDER = "/tmp"  # noqa: S108 - the jail's own, empty at the start of every test
CANNOT_EXECUTE_EXIT_CODE = 126
"""As a shell says it."""


def run(mode: int, command: Command, source_fd: int) -> int:
    """Put the files in place and do what the mode says; returns an exit code, if at all.

    Args:
        mode: One of COMMAND_MODES.
        command: What to execute.
        source_fd: The executable, or the bundle of files; the last descriptor that is open.
    """
    if mode == Mode.COMMAND and command.is_executable:
        os.set_inheritable(source_fd, False)
        return execute(source_fd, command)
    put_in_place(read_whole(source_fd))
    os.close(source_fd)
    if mode == Mode.COMMAND:
        return execute(command.steps[0][0], command)
    if mode == Mode.BUILD:
        from . import build  # noqa: PLC0415 - few need it

        return build.run(command)
    raise ValueError(f"mode {mode} is no command's")


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
    try:
        os.execve(executable, command.steps[0], command.environment)  # noqa: S606 - what the jail is for
    except OSError as error:
        os.write(2, f"cannot execute {command.steps[0][0]}: {error.strerror}\n".encode())
    return CANNOT_EXECUTE_EXIT_CODE
