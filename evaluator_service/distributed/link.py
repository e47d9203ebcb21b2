"""Connections to Redis, with timeouts that are ours: the library's own end calls that only wait."""

from __future__ import annotations

from typing import Any

import structlog
from redis import Redis
from redis.backoff import ExponentialBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.retry import Retry

from evaluator_service.boundaries import note
from evaluator_service.settings import Settings

log = structlog.get_logger(__name__)

type RedisClient = Any
"""A client, or a pipeline, of which all answers are bytes; the library's own types leave that open."""

ANSWER_SECONDS = 10.0
"""How long Redis may take over a command, beside what the command itself waits."""
BLOCK_SECONDS = 1
"""How long a command waits for something to come."""

_CONNECT_SECONDS = 3.0
_RETRIES_COUNT = 2

REDIS_IS_DOWN = (RedisConnectionError, RedisTimeoutError)
"""What a call raises while Redis cannot be reached."""
__all__ = [
    "ANSWER_SECONDS",
    "BLOCK_SECONDS",
    "RedisClient",
    "RedisError",
    "connect",
    "report",
    "shown",
]


def connect(settings: Settings) -> RedisClient:
    """A client of the Redis in the settings; connects when it is first used.

    Raises:
        ValueError: If the URL is none.
    """
    assert settings.redis_url is not None
    return Redis.from_url(
        settings.redis_url.get_secret_value(),
        socket_timeout=BLOCK_SECONDS + ANSWER_SECONDS,
        socket_connect_timeout=_CONNECT_SECONDS,
        socket_keepalive=True,
        health_check_interval=30,
        retry=Retry(ExponentialBackoff(cap=0.5, base=0.05), _RETRIES_COUNT),
        retry_on_error=list(REDIS_IS_DOWN),
    )


def shown(client: RedisClient) -> str:
    """Where a client connects to, for people; without its password."""
    where = client.connection_pool.connection_kwargs
    return str(where.get("path") or f"{where.get('host')}:{where.get('port')}")


def report(event: str, error: Exception, **fields: object) -> None:
    """Log and count that Redis did not answer, or not as it should."""
    note("redis")
    log.warning(event, error=f"{type(error).__name__}: {error}"[:200], **fields)
