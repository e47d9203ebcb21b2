"""The words both sides of a jail's wall agree on.

Imported inside the jail and outside, so it needs the standard library and msgpack alone and does
nothing at import. Three conversations run over ``SOCK_SEQPACKET`` pairs, one message a packet:

* control (outside - zygote): ``READY`` once; then per submission a header with the session's socket
  and the sources as descriptors, answered by ``DONE`` when the session is gone.
* session (outside - session): first a record of kind ``COMPILED``; then ``RUN`` messages with the
  descriptors of tests, each test answered by a record of kind ``RAN``. In between the session may ask
  ``OVERDUE`` and is told how long it may still wait.
* pipes (tester - program): length-prefixed msgpack frames, see ``frames``.
"""

from __future__ import annotations

import _socket  # socket wraps this in enums, half a megabyte for every fork to copy
import struct
from enum import IntEnum
from typing import NamedTuple

import msgpack

EXT_TUPLE = 1
EXT_SET = 2
EXT_FROZENSET = 3
EXT_BIG_INTEGER = 4
EXT_COMPLEX = 5
EXT_ITERATOR = 6
EXT_LINKED_LIST = 7
EXT_TREE = 8
EXT_BUILTIN_TYPE = 9
"""A builtin type by its name; only between a tester and a program."""

HOST_NAME = "microcoder-jail"
"""Host name within every jail; the guard looks for it before anything destructive."""

RANDOM_SEED = 0
HASH_SEED = 0
"""What every process starts from, so that sets iterate and random numbers come the same way in every run."""

CONTROL_FD = 3

LOWEST_FD = 16
"""Numbers below are for the descriptors that a test gets; zygote and session keep their own above."""

LAUNCHER_PATH = "/launcher/launch"
"""Where jails have the launcher of compiled programs, if there is one."""

READY = b"R"
DONE = b"D"

MAX_MESSAGE_BYTES = 1 << 18
MAX_DESCRIPTORS_COUNT = 240
"""Descriptors in one message; the kernel's limit is 253 (SCM_MAX_FD)."""

SCRATCH_BYTES = 64 << 20
"""Size of each directory that tests may write to."""

INLINE_BYTES = 1 << 16
"""Output up to this size travels within the record; more travels as a descriptor."""

STDERR_TAIL_BYTES = 2048

RUN = b"R"
"""A message that brings the descriptors of tests."""

COMPILED = b"C"
"""From the compiling child to its session: it could run the first test."""

RUN_FIRST = b"F"
"""As ``RUN``, of one test: its process may wait at its end, to run others (Reason.GOES_ON)."""

RUN_TOGETHER = b"T"
"""A message that brings one descriptor: the packed inputs of tests that share a process, the one that waits."""

FINISH = b"E"
"""A message that lets the process that waits end."""

PASSED = b"P"
"""From a test's process to its session: it came to a good end and could go on."""

IDLE_GRACE_SECONDS = 2.0
"""Elapsed time beyond the CPU limit after which the outside is asked whether the program idles."""

ANSWER = struct.Struct("<id")
"""To OVERDUE: a Reason to end the process for, BY_ITSELF to let it go on, and for how many seconds."""


class Mode(IntEnum):
    """What a test child does with the program."""

    STDIO = 0
    CALL = 1
    SERVE = 2
    """Answer calls that a tester sends through pipes."""
    TEST = 3
    """Be the tester: run test code whose program is on the far side of pipes."""
    BESIDE = 4
    """Run test code in the program's own process: what it reports can be forged."""
    LOWER = 5
    """Read test code and say which of it is plain calls."""
    COMMAND = 6
    """Be replaced by a command, which reads standard input and writes standard output."""
    BUILD = 7
    """Run compilers, and bring back what they made."""
    CHECK = 8
    """Run a problem's checker over what a program wrote."""
    INTERACT = 9
    """Run a problem's interactor, and carry what it and a program say to each other."""


DESCRIPTORS_PER_TEST = {Mode.SERVE: 3, Mode.TEST: 3, Mode.CHECK: 4, Mode.INTERACT: 5}
"""Input alone where nothing is said. The two ends of a pair: input, where to read, where to write. A checker: input,
answer, what the program wrote, packed arguments. An interactor: input, answer, where to read, where to write, packed
arguments."""


class Command(NamedTuple):
    """What to execute, once its files are in place in the directory where tests start."""

    steps: list[list[str]]
    """Arguments of each command, its path first; one after the other, but for the last all in Mode.BUILD only."""
    environment: dict[str, str]
    is_executable: bool
    """Whether the source is the executable itself, else a bundle: packed files by name."""
    artefact: str
    """Mode.BUILD: what to bring back, a file, or a folder with a slash at its end; empty for nothing."""
    packs: str
    """Mode.BUILD: a folder of Java classes becomes one file that starts this one, if it can be started; empty: none."""
    heard_bytes: int = 0
    """Mode.INTERACT: how much its program may say."""


class Kind(IntEnum):
    """What a message from the session says."""

    COMPILED = 0
    RAN = 1
    OVERDUE = 2


class Reason(IntEnum):
    """Why a process ended."""

    BY_ITSELF = 0
    CPU_LIMIT = 1
    WALL_LIMIT = 2
    IDLE = 3
    STARVED = 4
    GOES_ON = 5
    """It did not: it has come to a good end and waits for more tests."""


class Header(NamedTuple):
    """What a session has to know of a submission, and nothing of its expected outputs.

    ``address_space_bytes`` includes what the zygote itself maps, None sets no limit; ``test_uid`` is the id of tests
    within the jail, or None where only one id can be had.
    """

    mode: int
    entry_point: str
    cpu_time_seconds: float
    wall_time_seconds: float
    address_space_bytes: int | None
    output_bytes: int
    processes_count: int
    compile_time_seconds: float
    test_uid: int | None
    provide_names: bool
    talks: bool
    """Whether a test brings where to write as well: standard output is no file then."""
    command: Command | None

    def pack(self) -> bytes:
        """Encode for the control socket."""
        return msgpack.packb(list(self))  # type: ignore[no-any-return]

    @classmethod
    def unpack(cls, data: bytes) -> Header:
        """Decode what ``pack`` made."""
        header = cls(*msgpack.unpackb(data))
        if header.command is None:
            return header
        return header._replace(command=Command(*header.command))

    @property
    def descriptors_per_test(self) -> int:
        """How many descriptors a test brings."""
        return 2 if self.talks else DESCRIPTORS_PER_TEST.get(Mode(self.mode), 1)


class Record(NamedTuple):
    """What the session says of one process; descriptors follow for what is too long to inline."""

    kind: int
    test_index: int
    reason: int
    status: int
    """As wait4 gave it."""
    cpu_time_seconds: float
    """With all children."""
    wall_time_seconds: float
    peak_rss_kilobytes: int
    stdout_bytes: int
    stderr_bytes: int
    """Length of the tail that follows; never more than STDERR_TAIL_BYTES."""
    result_bytes: int
    stderr_cut: int


RECORD = struct.Struct("<iiiiddqqqqi")

_INT = struct.Struct("i")


def send_with_descriptors(sock: _socket.socket, parts: list[bytes], descriptors: list[int]) -> None:
    """Send one packet made of ``parts``, with descriptors."""
    numbers = struct.pack(f"{len(descriptors)}i", *descriptors)
    ancillary = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, numbers)] if descriptors else []
    sock.sendmsg(parts, ancillary)


def receive_with_descriptors(
    sock: _socket.socket, max_bytes: int = MAX_MESSAGE_BYTES
) -> tuple[bytes, list[int]]:
    """Receive one packet and its descriptors, close-on-exec; ``(b"", [])`` at the end."""
    received: list[int] = []
    space = _socket.CMSG_SPACE(MAX_DESCRIPTORS_COUNT * _INT.size)
    message, ancillary, _, _ = sock.recvmsg(max_bytes, space, _socket.MSG_CMSG_CLOEXEC)
    for level, kind, data in ancillary:
        if level == _socket.SOL_SOCKET and kind == _socket.SCM_RIGHTS:
            whole = data[: len(data) - len(data) % _INT.size]
            received += [number for (number,) in _INT.iter_unpack(whole)]
    return message, received


class Unit(NamedTuple):
    """One run of test code: the input of modes TEST and BESIDE."""

    code: str
    name: str
    """A function to call after the test code ran, ``Class.method`` of a TestCase, or empty."""
    passes_entry_point: bool
    """Whether the function takes the entry point, as HumanEval's ``check(candidate)`` does."""
    solution_names: list[str]
    """Names that the test code expects the program to define."""
    token: bytes
    """Written back by BESIDE when the tests came through."""

    def pack(self) -> bytes:
        """Encode as the input of a test."""
        return msgpack.packb(list(self))  # type: ignore[no-any-return]

    @classmethod
    def unpack(cls, data: bytes) -> Unit:
        """Decode what ``pack`` made."""
        return cls(*msgpack.unpackb(data))


class PieceKind(IntEnum):
    """How a piece of test code can be run."""

    CALL = 0
    UNIT = 1
    BESIDE = 2


class Piece(NamedTuple):
    """One test: a call with its expected value, or code to run."""

    kind: int
    source: int
    """Index into the request's pieces; -1 for the module."""
    name: str
    """Test function, or empty."""
    passes_entry_point: bool
    solution_names: list[str]
    entry_point: str
    arguments: bytes
    expected: bytes


class TestEnd(IntEnum):
    """How a run of test code ended; the first item of what a tester writes as its result."""

    __test__ = False

    PASSED = 0
    FAILED = 1
    """An assertion failed, or the test code stumbled over a value."""
    PROGRAM_RAISED = 2
    """The program raised and the test code did not expect it."""
    PROGRAM_GONE = 3
    """The program's process ended during a call."""
    BAD_TEST = 4
    """The test code itself cannot run."""
    NEEDS_BESIDE = 5
    """The test code hands the program something that cannot travel, such as a function."""
