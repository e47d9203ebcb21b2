"""The server process: uvicorn, and a SIGTERM that loses nothing.

On the first SIGTERM or SIGINT the service stops being ready and takes no new work, but goes on listening, so
that whoever asks is told so; when what was accepted is answered, it ends with status 0. A second signal
ends it at once.
"""

import asyncio
import errno
import ipaddress
import signal
import socket
from collections.abc import Sequence
from contextlib import ExitStack
from types import FrameType
from typing import Any

import structlog
import uvicorn
from fastapi import FastAPI

from evaluator_service.api import create_app
from evaluator_service.garbage import search_less
from evaluator_service.judging import JudgeLike
from evaluator_service.logs import configure
from evaluator_service.protocol import BoundedHttp
from evaluator_service.routes import Service
from evaluator_service.settings import Settings

FLUSH_SECONDS = 10
"""How long clients may take to read their last answers, after the drain."""
KEEP_ALIVE_SECONDS = 75
"""Longer than clients pool an idle connection, so that they, not we, close it first."""

log = structlog.get_logger(__name__)


class StartError(Exception):
    """The service cannot listen; the message names the setting."""


def serve(settings: Settings, judge: JudgeLike | None) -> int:
    """Serve until a signal; returns the exit status. Prints where it listens on standard output.

    Args:
        settings: Where, and with how much room.
        judge: Judges here; None: the workers that share ``settings.redis_url`` do.

    Raises:
        StartError: If the address cannot be listened on, or strangers could call from there.
        SettingsError: If the file of API keys cannot be used.
        EngineDownError: If Redis cannot be used.
        SandboxUnavailableError: If the judge cannot start.
    """
    configure(settings)
    app = create_app(settings, judge)
    config = uvicorn.Config(
        app,
        http=BoundedHttp,
        ws="none",
        lifespan="off",  # the server's own part, so that a failure to start reaches our caller
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=FLUSH_SECONDS,
    )
    server = Server(config, app)
    listeners = listening_sockets(settings.host, settings.port)
    try:
        keep_to_this_machine(app.state.service, listeners)
        search_less()
        server.run(listeners)
    finally:
        for listener in listeners:
            listener.close()
    return 0 if server.started else 3


def listening_sockets(host: str, port: int) -> list[socket.socket]:
    """A socket for every address that ``host`` stands for, bound and not listening yet.

    Raises:
        StartError: If ``host`` is no address of this machine, or the port is taken.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise StartError(f"MICROCODER_HOST={host}: {_reason(error)}") from error
    with ExitStack() as opened:
        bound = []
        for family, *_, address in dict.fromkeys(found):
            try:
                bound.append(opened.enter_context(_bound(family, address)))
            except OSError as error:
                if error.errno not in _NO_SUCH_ADDRESS:
                    raise StartError(_why_not(host, port, error)) from error
        if not bound:
            raise StartError(f"MICROCODER_HOST={host}: {_NOT_HERE}")
        opened.pop_all()
        return bound


_NO_SUCH_ADDRESS = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)
"""A name may stand for an address of a family that this machine does not have."""
_NOT_HERE = "this machine has no such address"


def _bound(family: int, address: Any) -> socket.socket:
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind(address)
    except OSError:
        listener.close()
        raise
    return listener


def _why_not(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"MICROCODER_PORT={port}: something listens on {host}:{port} already; choose another"
    return f"MICROCODER_HOST={host} MICROCODER_PORT={port}: {_reason(error)}"


def _reason(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error).lower()


def keep_to_this_machine(service: Service, listeners: Sequence[socket.socket]) -> None:
    """Let a service without API keys listen on loopback alone, unless its settings allow more.

    Raises:
        StartError: If other machines could reach it.
    """
    addresses = [listener.getsockname()[0] for listener in listeners]
    reachable = [each for each in addresses if not ipaddress.ip_address(each).is_loopback]
    if not reachable or not service.keys.is_open:
        return
    if not service.settings.allow_unauthenticated:
        raise StartError(
            f"MICROCODER_HOST={service.settings.host}: whoever reaches {reachable[0]} could judge here without an API "
            "key; set MICROCODER_API_KEYS_FILE (`microcoder keys new NAME` prints a line for it), or allow it by "
            "--allow-unauthenticated"
        )
    log.warning("unauthenticated", addresses=reachable)


class Server(uvicorn.Server):
    """A uvicorn server that starts the judge before it listens, and drains before it stops."""

    def __init__(self, config: uvicorn.Config, app: FastAPI) -> None:
        """Serve ``app`` and keep its executor alive meanwhile."""
        super().__init__(config)
        self._service: Service = app.state.service
        self._life = app.router.lifespan_context(app)
        self._draining: asyncio.Task[None] | None = None
        self._signalled = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the judge, then listening, and say where."""
        await self._life.__aenter__()
        self._loop = asyncio.get_running_loop()
        try:
            await super().startup(sockets)
        except OSError as error:  # somebody took the port meanwhile
            await self._life.__aexit__(None, None, None)
            settings = self._service.settings
            raise StartError(_why_not(settings.host, settings.port, error)) from error
        for server in self.servers:
            for listener in server.sockets:
                _announce(listener.getsockname())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop listening, then the judge; at once where somebody is in a hurry."""
        await super().shutdown(sockets)
        if not self.force_exit:
            await self._life.__aexit__(None, None, None)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Drain on the first signal, end at once on the second."""
        if self._signalled or not hasattr(self, "_loop"):
            self.force_exit = True
            super().handle_exit(sig, frame)
            return
        self._signalled = True
        self._loop.call_soon_threadsafe(self._begin_drain, signal.Signals(sig).name)

    def _begin_drain(self, signal_name: str) -> None:
        log.info("draining", signal=signal_name)
        self._draining = asyncio.ensure_future(self._drain())

    async def _drain(self) -> None:
        await self._service.executor.drain(self._service.settings.drain_seconds)
        log.info("drained")
        self.should_exit = True


def _announce(address: tuple[str, int]) -> None:
    host = f"[{address[0]}]" if ":" in address[0] else address[0]
    url = f"http://{host}:{address[1]}"
    log.info("listening", url=url)
    print(f"microcoder listens on {url}", flush=True)  # noqa: T201 - what a person, or a script, waits for
