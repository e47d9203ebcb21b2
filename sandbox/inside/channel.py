"""A session's talk with the outside: tests come in, records go out, and questions are answered."""

from __future__ import annotations

import _socket
import os

from .wire import (
    ANSWER,
    FINISH,
    RECORD,
    Kind,
    Reason,
    Record,
    receive_with_descriptors,
    send_with_descriptors,
)


class OutsideGoneError(Exception):
    """The outside closed the session: it wants no more results."""


class Channel:
    """The session's end of its socket.

    Args:
        sock: The socket.
        descriptors_per_test: How many descriptors a test brings.
    """

    def __init__(self, sock: _socket.socket, descriptors_per_test: int) -> None:
        self._sock = sock
        self._descriptors_per_test = descriptors_per_test
        self._waiting: list[tuple[bytes, list[int]]] = []
        self._unsent: tuple[list[bytes], list[int]] | None = None

    def fileno(self) -> int:
        """For poll: readable when ``receive`` has something to take in."""
        return self._sock.fileno()

    def next(self) -> tuple[bytes, list[int]]:
        """The next test in the queue: how to run it, its descriptors."""
        while not self._waiting:
            self.flush()
            self.receive()
        return self._waiting.pop(0)

    def receive(self) -> bytes:
        """Take in one message; tests join the queue."""
        try:
            message, descriptors = receive_with_descriptors(self._sock)
        except ConnectionError as error:
            raise OutsideGoneError from error
        if not message:
            raise OutsideGoneError
        if message == FINISH:
            self._waiting.append((message, []))
        for start in range(0, len(descriptors), self._descriptors_per_test):
            self._waiting.append((message, descriptors[start : start + self._descriptors_per_test]))
        return message

    def ask(
        self, test_index: int, cpu_seconds: float, elapsed_seconds: float
    ) -> tuple[Reason, float]:
        """Ask the outside, which sees the host's scheduler, whether the program may go on, and for how long."""
        question = Record(
            Kind.OVERDUE, test_index, 0, 0, cpu_seconds, elapsed_seconds, 0, 0, 0, 0, 0
        )
        self._send([RECORD.pack(*question)], [])
        while True:
            message = self.receive()
            if len(message) == ANSWER.size:
                reason, more_seconds = ANSWER.unpack(message)
                return Reason(reason), more_seconds

    def report(self, record: Record, parts: list[bytes], descriptors: list[int]) -> None:
        """Take the record and what was written, to be sent by ``flush``."""
        self._unsent = [RECORD.pack(*record), *parts], descriptors

    def flush(self) -> None:
        """Send what the last test left to be sent."""
        if self._unsent is None:
            return
        parts, passed = self._unsent
        self._unsent = None
        self._send(parts, passed)
        for descriptor in passed:
            os.close(descriptor)

    def _send(self, parts: list[bytes], descriptors: list[int]) -> None:
        try:
            send_with_descriptors(self._sock, parts, descriptors)
        except ConnectionError as error:
            raise OutsideGoneError from error
