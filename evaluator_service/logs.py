"""Logging: one event a line on standard error, as JSON or coloured for people.

Called by entry points only. Events carry ids and figures, never the text of a program.
"""

import atexit
import builtins
import contextlib
import json
import logging
import re
import sys
import threading
import time
from collections import deque
from typing import Any, TextIO, cast

import structlog
from pydantic_core import PydanticSerializationError, to_json

from evaluator_service.secrecy import without_keys
from evaluator_service.settings import Settings


def configure(settings: Settings) -> None:
    """Send the events of this process, and of the libraries it uses, to standard error."""
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    renderers = _renderers(settings.log_format)
    structlog.configure(
        processors=[*shared, *renderers],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(cast(TextIO, BestEffortStream(sys.stderr))),
        cache_logger_on_first_use=True,
    )
    _configure_libraries(level, shared, renderers)


def outline(message: str) -> str:
    """The built-in exception and the line that a message names, without the words: those may quote code."""
    kinds = [name for name in _EXCEPTION.findall(message) if hasattr(builtins, name)]
    line = _LINE.search(message)
    parts = [*kinds[:1], *([line[0]] if line else [])]
    return ", ".join(parts) or "its judgement says why"


_GATHER_SECONDS = 0.02
"""How long lines wait for others; what is lost if the process is killed."""

_EXCEPTION = re.compile(r"\b[A-Z][A-Za-z]*(?:Error|Exception)\b")
_LINE = re.compile(r"\bline [0-9]{1,7}\b")


class BestEffortStream:
    """A stream whose failures cost a log line, and never the answer that the line is about.

    Lines are written together a moment later, by a thread of their own: at a line a submission, a write each was a
    sixth of the CPU time of the service itself. What is left at the end of the process is written then.
    """

    def __init__(self, stream: TextIO) -> None:
        """Write to ``stream`` as long as that works."""
        self._stream = stream
        self._parts: deque[str] = deque()
        self._lock = threading.Lock()
        self._is_wanted = threading.Event()
        threading.Thread(target=self._write_soon, name="log", daemon=True).start()
        atexit.register(self.flush)

    def write(self, text: str) -> None:
        """Have it written soon."""
        self._parts.append(text)
        if not self._is_wanted.is_set():
            self._is_wanted.set()

    def flush(self) -> None:
        """Write what is there, or drop it when nobody can read it any more."""
        with self._lock:
            parts = [self._parts.popleft() for _ in range(len(self._parts))]
            with contextlib.suppress(OSError, ValueError):
                self._stream.write("".join(parts))
                self._stream.flush()

    def _write_soon(self) -> None:
        while self._is_wanted.wait():
            time.sleep(_GATHER_SECONDS)
            self._is_wanted.clear()
            self.flush()


def _renderers(log_format: str) -> list[Any]:
    if log_format == "console":
        # Not the default traceback: it shows local variables, and among them programs.
        plain = structlog.dev.plain_traceback
        renderer = structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=plain
        )
        return [renderer, _hide_keys]
    return [
        structlog.processors.format_exc_info,
        structlog.processors.JSONRenderer(_json),
        _hide_keys,
    ]


def _json(event: Any, **_: Any) -> str:
    """As the library's own, in a tenth of the time; what that cannot write, such as lone surrogates, is left to it."""
    try:
        return to_json(event, fallback=repr).decode()
    except PydanticSerializationError:
        return json.dumps(event, default=repr)


def _hide_keys(_: Any, __: str, line: str) -> str:
    """A key that a client put where a name belongs (a path, an id, metadata) is in no line all the same."""
    return without_keys(line)


def _configure_libraries(level: int, shared: list[Any], renderers: list[Any]) -> None:
    """Give the lines of the standard library's ``logging`` the same form."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderers],
        )
    )
    logging.basicConfig(level=level, handlers=[handler], force=True)
    # Starts and stops are events of ours; its own lines about them say the same again.
    for name in ("uvicorn", "rq"):
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger("rq.worker").setLevel(logging.WARNING)  # it sets its own when it is imported
