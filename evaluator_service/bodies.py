"""What requests may hold: bytes of bodies in memory at a time, and seconds until a body has arrived.

A body is held from its first byte until its request is answered, since what was read of it lives as long; where
work goes on after the answer, until that ends. How large a single one may be is for ``requests`` to say.
"""

import asyncio
from collections.abc import Callable

from starlette.requests import Request
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
        scope[_HELD] = held = HeldBody(self._give_back)

        async def receive_bounded() -> Message:
            message = await body.receive()
            size_bytes = len(message.get("body", b""))
            held.size_bytes += size_bytes
            self._held_bytes += size_bytes
            if self._held_bytes > self._max_bytes:
                raise QueueIsFull(
                    f"requests hold {self._max_bytes} bytes already; nothing of this one was taken",
                    headers={"Retry-After": "1"},
                )
            return message

        try:
            await self._app(scope, receive_bounded, send)
        finally:
            held.let_go()

    def _give_back(self, size_bytes: int) -> None:
        self._held_bytes -= size_bytes


class HeldBody:
    """The bytes of one body, which count until the last who needs what was read of them lets go."""

    def __init__(self, give_back: Callable[[int], None]) -> None:
        """Held by its request, so far without bytes; ``give_back`` is told their number at the end."""
        self._give_back = give_back
        self._holders_count = 1
        self.size_bytes = 0

    def hold(self) -> None:
        """Somebody more needs it."""
        self._holders_count += 1

    def let_go(self) -> None:
        """Somebody needs it no more."""
        self._holders_count -= 1
        if self._holders_count == 0:
            self._give_back(self.size_bytes)


_HELD = "microcoder.held_body"


def held_body(request: Request) -> HeldBody:
    """The body of a request, to be held beyond its answer."""
    found: HeldBody = request.scope[_HELD]
    return found


class _Body:
    """The body of one request on its way in."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._deadline = asyncio.get_running_loop().time() + BODY_SECONDS
        self._is_complete = False

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
        return message
