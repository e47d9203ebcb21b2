"""A worker's own small HTTP server: whether it lives, would judge, and how its slots and jails stand.

For probes and Prometheus, on ``MICROCODER_WORKER_PORT``; it takes no work and says nothing of programs.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import structlog
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4

from evaluator_service.metrics import Exposition, of_worker
from evaluator_service.refusals import EngineDownError
from evaluator_service.settings import Settings
from sandbox.figures import PoolFigures

log = structlog.get_logger(__name__)

Answer = tuple[HTTPStatus, str, bytes]
_TEXT = "text/plain; charset=utf-8"


class WorkerHealth:
    """Answers ``/healthz``, ``/readyz`` and ``/metrics`` in threads of its own."""

    def __init__(
        self,
        settings: Settings,
        obstacle: Callable[[], str | None],
        figures: Callable[[], tuple[PoolFigures | None, int]],
    ) -> None:
        """Listens at once, and answers from ``start`` on.

        Args:
            settings: For the address.
            obstacle: Why the worker would judge nothing now; None if it would.
            figures: Its pool, and how many submissions it runs.

        Raises:
            EngineDownError: If the port cannot be listened on.
        """
        exposition = Exposition(lambda: of_worker(*figures(), ready=obstacle() is None))

        class Handler(_Handler):
            answers = {  # noqa: RUF012 - one server, one class
                "/healthz": lambda: (HTTPStatus.OK, _TEXT, b"ok\n"),
                "/readyz": lambda: _ready(obstacle()),
                "/metrics": lambda: (HTTPStatus.OK, CONTENT_TYPE_PLAIN_0_0_4, exposition.text()),
            }

        try:
            self._server = ThreadingHTTPServer((settings.host, settings.worker_port or 0), Handler)
        except OSError as error:
            where = f"{settings.host}:{settings.worker_port}"
            raise EngineDownError(f"MICROCODER_WORKER_PORT: {where}: {error.strerror}") from error
        self._server.daemon_threads = True

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.server_address[1])

    def start(self) -> None:
        """Begin to answer."""
        threading.Thread(target=self._server.serve_forever, name="health", daemon=True).start()

    def stop(self) -> None:
        """Listen no more."""
        self._server.shutdown()
        self._server.server_close()


def _ready(obstacle: str | None) -> Answer:
    if obstacle is None:
        return HTTPStatus.OK, _TEXT, b"ok\n"
    return HTTPStatus.SERVICE_UNAVAILABLE, _TEXT, f"{obstacle}\n".encode()


class _Handler(BaseHTTPRequestHandler):
    answers: dict[str, Callable[[], Answer]]
    timeout = 10

    def do_GET(self) -> None:
        found = self.answers.get(self.path.partition("?")[0])
        status, kind, body = found() if found else (HTTPStatus.NOT_FOUND, _TEXT, b"not found\n")
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Probes come all day."""
