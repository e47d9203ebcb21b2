"""The server process: uvicorn, and a SIGTERM that loses nothing.

On the first SIGTERM or SIGINT the service stops being ready and takes no new work, but goes on listening, so
that whoever asks is told so; when what was accepted is answered, it ends with status 0. A second signal
ends it at once.
"""

import asyncio
import signal
import socket
from types import FrameType

import structlog
import uvicorn

from evaluator_service.api import create_app
from evaluator_service.executor import JudgeLike
from evaluator_service.logs import configure
from evaluator_service.protocol import BoundedHttp
from evaluator_service.routes import Service
from evaluator_service.settings import Settings

FLUSH_SECONDS = 10
"""How long clients may take to read their last answers, after the drain."""
KEEP_ALIVE_SECONDS = 75
"""Longer than clients pool an idle connection, so that they, not we, close it first."""

log = structlog.get_logger(__name__)


def serve(settings: Settings, judge: JudgeLike) -> int:
    """Serve until a signal; returns the exit status. Prints where it listens on standard output."""
    configure(settings)
    app = create_app(settings, judge)
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        http=BoundedHttp,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=FLUSH_SECONDS,
    )
    server = Server(config, app.state.service)
    server.run()
    return 0 if server.started else 3


class Server(uvicorn.Server):
    """A uvicorn server that drains before it stops."""

    def __init__(self, config: uvicorn.Config, service: Service) -> None:
        """Serve ``config.app``, whose executor is ``service.executor``."""
        super().__init__(config)
        self._service = service
        self._draining: asyncio.Task[None] | None = None
        self._signalled = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening, and say where."""
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)
        for server in self.servers:
            for listener in server.sockets:
                _announce(listener.getsockname(), self._service.settings.slots_count)

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


def _announce(address: tuple[str, int], slots_count: int) -> None:
    host = f"[{address[0]}]" if ":" in address[0] else address[0]
    url = f"http://{host}:{address[1]}"
    log.info("listening", url=url, slots_count=slots_count)
    print(f"microcoder listens on {url}", flush=True)  # noqa: T201 - what a person, or a script, waits for
