"""HTTP as bytes: the server's own parser, within bounds that it does not set itself.

Owns how large and how late the head of a request may be, and what is answered to bytes that are no HTTP.
What follows the head is bounded by ``requests`` and ``bodies``.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from evaluator_service.schema import ProblemDetails

MAX_HEAD_BYTES = 64 << 10
"""Request line and headers; a chunk that the network delivers at once may go beyond by its own size."""
HEAD_SECONDS = 30.0
"""How long a client may take from connecting to the end of its first head."""


class BoundedHttp(HttpToolsProtocol):
    """Hangs up on heads without end, and says in the usual form what is no HTTP."""

    def __init__(self, *args: Any, **keywords: Any) -> None:
        """Take what the server gives to every protocol."""
        super().__init__(*args, **keywords)
        self._in_head = True
        self._head_bytes = 0
        self._head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Give the client time for its first head."""
        super().connection_made(transport)
        self._head_timer = self.loop.call_later(HEAD_SECONDS, transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the timer with the connection."""
        self._stop_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse, unless the head has grown too large."""
        if self._in_head:
            self._head_bytes += len(data)
            if self._head_bytes - len(data) > MAX_HEAD_BYTES:
                self.send_400_response(f"The head is larger than {MAX_HEAD_BYTES} bytes")
                return
        super().data_received(data)

    def on_message_begin(self) -> None:
        """A head begins."""
        self._in_head = True
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a header; what trails a body comes too late to mean anything."""
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """A head is complete; what follows is its body."""
        self._in_head, self._head_bytes = False, 0
        self._stop_timer()
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer as ``application/problem+json`` and hang up."""
        details = ProblemDetails(
            type="/errors/bad-http", title="This is no HTTP", status=400, detail=msg, request_id=""
        )
        content = details.model_dump_json().encode() + b"\n"
        head = (
            "HTTP/1.1 400 Bad Request\r\ncontent-type: application/problem+json\r\n"
            f"content-length: {len(content)}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode("ascii") + content)
        self.transport.close()

    def _stop_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None
