"""The modes whose program is a command, and what each does with it."""

from __future__ import annotations

from . import build, check, interact
from .command import execute, prepared
from .wire import Command, Header, Mode


def run(header: Header, command: Command, source_fd: int) -> int:
    """Do what the mode says; returns an exit code, unless the command takes this process over.

    Args:
        header: Of the session; its mode is one that has a command.
        command: What to execute.
        source_fd: The executable, or the bundle of files; the last descriptor that is open.
    """
    match header.mode:
        case Mode.COMMAND:
            return execute(prepared(command, source_fd), command)
        case Mode.BUILD:
            prepared(command, source_fd)
            return build.run(command)
        case Mode.CHECK:
            return check.run(command)
        case Mode.INTERACT:
            return interact.run(command)
    raise ValueError(f"mode {header.mode} is no command's")
