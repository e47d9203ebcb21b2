"""What requests may hold: bytes of bodies in memory at a time, and seconds until a body has arrived.

A body is held from its first byte until its request is answered, since what was read of it lives as long.
How large a single one may be is for ``requests`` to say.
"""

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from evaluator_service.errors import BodyTooSlow, QueueIsFull

BODY_SECONDS = 120.0
"""How long a client may take to send a body."""


class BoundedBodies:
    """ASGI middleware: refuses bodies that all requests together cannot hold, or that never end."""

    def __init__(self, app: ASGIApp, max_bytes: int) -> None:
        """Wrap ``app``; let its requests hold ``max_bytes`` at a time."""
        self._app = app
        self._max_bytes = max_bytes
        self._held_bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request and let go of its body."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = _Body(receive)

        async def receive_bounded() -> Message:
            size_bytes = body.held_bytes
            message = await body.receive()
            self._held_bytes += body.held_bytes - size_bytes
            if self._held_bytes > self._max_bytes:
                raise QueueIsFull(
                    f"requests hold {self._max_bytes} bytes already; nothing of this one was taken",
                    headers={"Retry-After": "1"},
                )
            return message

        try:
            await self._app(scope, receive_bounded, send)
        finally:
            self._held_bytes -= body.held_bytes


class _Body:
    """The body of one request on its way in."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._deadline = asyncio.get_running_loop().time() + BODY_SECONDS
        self._is_complete = False
        self.held_bytes = 0

    async def receive(self) -> Message:
        """The next message; after the body it may take as long as it likes.

        Raises:
            BodyTooSlow: If the body is not there in time.
        """
        if self._is_complete:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._deadline):
                message = await self._receive()
        except TimeoutError:
            raise BodyTooSlow(f"the body took longer than {BODY_SECONDS:g} s") from None
        self._is_complete = not message.get("more_body", False)
        self.held_bytes += len(message.get("body", b""))
        return message
