"""A client for loopback that costs little: on two cores, what it takes is taken from the service that it measures.

HTTP/1.1 with kept connections, bodies by length or in chunks; no redirects, no TLS.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import NamedTuple

MAX_LINE_BYTES = 1 << 20


class Answer(NamedTuple):
    """An answer to a request.

    Attributes:
        status: Of HTTP.
        headers: By name in lower case.
        body: All of it.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes


class Connection:
    """One connection, one request at a time."""

    def __init__(self, url: str) -> None:
        """Connects when it is first used; ``url`` is ``http://HOST:PORT``."""
        self._host, _, port = url.removeprefix("http://").partition(":")
        self._port = int(port)
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def request(
        self, method: str, path: str, body: bytes = b"", accept: str = "application/json"
    ) -> Answer:
        """Send a request and read the whole answer.

        Raises:
            OSError: If the connection fails.
            EOFError: If it ends before the answer does.
        """
        if self._streams is None:
            self._streams = await asyncio.open_connection(
                self._host, self._port, limit=MAX_LINE_BYTES
            )
        reader, writer = self._streams
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {self._host}\r\nAccept: {accept}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        writer.write(head.encode() + body)
        answer = await _read(reader)
        if answer.headers.get("connection") == "close":
            self.close()
        return answer

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


async def _read(reader: asyncio.StreamReader) -> Answer:
    status_line, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").splitlines()
    fields = (line.partition(":") for line in lines if line)
    headers = {name.lower(): value.strip() for name, _, value in fields}
    if headers.get("transfer-encoding") == "chunked":
        body = await _read_chunks(reader)
    else:
        body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Answer(int(status_line.split()[1]), headers, body)


async def _read_chunks(reader: asyncio.StreamReader) -> bytes:
    body = bytearray()
    while size := int(await reader.readline(), 16):
        body += await reader.readexactly(size)
        await reader.readexactly(2)
    await reader.readexactly(2)
    return bytes(body)
