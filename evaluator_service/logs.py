"""Logging: one event a line on standard error, as JSON or coloured for people.

Called by entry points only. Events carry ids and figures, never the text of a program.
"""

import builtins
import json
import logging
import re
import sys
import time
from functools import lru_cache
from typing import Any, TextIO, cast

import structlog
from pydantic_core import PydanticSerializationError, to_json

from evaluator_service.log_stream import LogStream
from evaluator_service.secrecy import without_keys
from evaluator_service.settings import Settings


def configure(settings: Settings) -> None:
    """Send the events of this process, and of the libraries it uses, to standard error."""
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        _add_time,
    ]
    renderers = _renderers(settings.log_format)
    structlog.configure(
        processors=[*shared, *renderers],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(cast(TextIO, LogStream(sys.stderr))),
        cache_logger_on_first_use=True,
    )
    _configure_libraries(level, shared, renderers)


def outline(message: str) -> str:
    """The built-in exception and the line that a message names, without the words: those may quote code."""
    kinds = [name for name in _EXCEPTION.findall(message) if hasattr(builtins, name)]
    line = _LINE.search(message)
    parts = [*kinds[:1], *([line[0]] if line else [])]
    return ", ".join(parts) or "its judgement says why"


_EXCEPTION = re.compile(r"\b[A-Z][A-Za-z]*(?:Error|Exception)\b")
_LINE = re.compile(r"\bline [0-9]{1,7}\b")


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
        _as_json,
        _hide_keys,
    ]


def _add_time(_: Any, __: str, event: Any) -> Any:
    """ISO 8601 in UTC; of which all but the microseconds is made once a second."""
    seconds, nanoseconds = divmod(time.time_ns(), 1_000_000_000)
    event["timestamp"] = f"{_up_to_seconds(seconds)}.{nanoseconds // 1000:06d}Z"
    return event


@lru_cache(maxsize=1)
def _up_to_seconds(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))


def _as_json(_: Any, __: str, event: Any) -> str:
    """The event as JSON, in ASCII; three times as fast as the standard library, of which there is a line for each answer."""
    try:
        return to_json(event, ensure_ascii=True, inf_nan_mode="constants", fallback=repr).decode()
    except PydanticSerializationError:  # half a character, out of a client's metadata
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
