"""Length-prefixed frames over a pair of pipes between a tester's jail and a program's jail."""

from __future__ import annotations

import os
import struct

_LENGTH = struct.Struct(">I")
MAX_FRAME_BYTES = 1 << 24
"""What a program may return is far less: it is bounded as its output is."""


class PeerGoneError(Exception):
    """The other side's process has ended, or wrote what is no frame."""


def send(fd: int, data: bytes) -> None:
    """Write one frame.

    Raises:
        PeerGoneError: If nobody reads any more.
    """
    view = memoryview(_LENGTH.pack(len(data)) + data)
    try:
        while view:
            view = view[os.write(fd, view) :]
    except BrokenPipeError as error:
        raise PeerGoneError("the other side stopped reading") from error


def receive(fd: int) -> bytes:
    """Read one frame.

    Raises:
        PeerGoneError: If nobody writes any more, or the length is beyond MAX_FRAME_BYTES.
    """
    (size,) = _LENGTH.unpack(_exactly(fd, _LENGTH.size))
    if size > MAX_FRAME_BYTES:
        raise PeerGoneError(f"a frame of {size} bytes")
    return _exactly(fd, size)


def _exactly(fd: int, size: int) -> bytes:
    parts = []
    while size > 0:
        part = os.read(fd, min(size, 1 << 20))
        if not part:
            raise PeerGoneError("the other side stopped writing")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
