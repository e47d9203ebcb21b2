"""Mode CHECK: a problem's checker looks at what a program wrote.

What it says is brought back as it is; what it means is the outside's business. Descriptors: 0 the test's input, 1 and
2 the checker's own output, 3 the result, 4 the answer, 5 what the program wrote, 6 the test's arguments, 7 the checker.
"""

from __future__ import annotations

import os

import msgpack

from .call import RESULT_FD
from .command import FOLDER, prepared, start, write_file
from .program import read_whole
from .wire import Command

_INPUT_FD = 0
_ANSWER_FD = 4
_GOT_FD = 5
_ARGUMENTS_FD = 6
_SOURCE_FD = 7

INPUT, ANSWER, GOT = "input.in", "answer.ans", "output.out"
FEEDBACK = "feedback/"
_MESSAGES = "messages.txt"
_MOST_BYTES = 4096


def run(command: Command) -> int:
    """Run the checker over one output; reports how it ended and what it said."""
    command, executable = laid_out(command, _ARGUMENTS_FD, _SOURCE_FD)
    write_file(os.path.join(FOLDER, GOT), read_whole(_GOT_FD))
    messages = open_messages()
    os.lseek(_GOT_FD, 0, os.SEEK_SET)
    pid = start(executable, command, _GOT_FD, messages, messages)
    _, status = os.waitpid(pid, 0)
    report(os.waitstatus_to_exitcode(status))
    return 0


def laid_out(command: Command, arguments_fd: int, source_fd: int) -> tuple[Command, str | int]:
    """Put in place what checkers and interactors find alike; the command with the test's arguments, and what to execute."""
    (words,) = command.steps
    command = command._replace(steps=[[*words, *msgpack.unpackb(read_whole(arguments_fd))]])
    executable = prepared(command, source_fd)
    for name, descriptor in ((INPUT, _INPUT_FD), (ANSWER, _ANSWER_FD)):
        write_file(os.path.join(FOLDER, name), read_whole(descriptor))
    os.makedirs(os.path.join(FOLDER, FEEDBACK))
    return command, executable


def open_messages() -> int:
    """A file for what the problem's program says on its standard error."""
    path = os.path.join(FOLDER, _MESSAGES)
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_APPEND, 0o600)


def report(exit_code: int, *more: object) -> None:
    """Write how it ended: exit code, what it said, its feedback files by name, and whatever else."""
    with open(RESULT_FD, "wb", closefd=False) as result:
        msgpack.pack([exit_code, _head(_MESSAGES), _feedback(), *more], result)


def _feedback() -> dict[str, bytes]:
    folder = os.path.join(FOLDER, FEEDBACK)
    names = ("judgemessage.txt", "score.txt", "score_multiplier.txt")
    return {
        name: _head(os.path.join(FEEDBACK, name)) for name in names if os.path.exists(folder + name)
    }


def _head(name: str) -> bytes:
    return left(name, _MOST_BYTES)


def left(name: str, most_bytes: int = -1) -> bytes:
    """What the problem's program left in a file, or its beginning; nothing if there is no such file."""
    path = os.path.join(FOLDER, name)
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return b""
    with open(descriptor, "rb") as file:
        return file.read(most_bytes)
