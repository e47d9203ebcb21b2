"""Judgements that may be given again, for every API process: bounded in number and in age.

They stand in a hash for each half of ``reuse_seconds``; the present half and the one before are looked at. A hash
that is full lets go of any one for each that comes.
"""

from __future__ import annotations

import time
from collections.abc import Collection

from evaluator_service.distributed import keys
from evaluator_service.distributed.link import RedisClient
from evaluator_service.distributed.replies import Reply
from evaluator_service.schema import Judgement
from evaluator_service.settings import Settings

MAX_ENTRY_BYTES = 1 << 16
"""Longer answers, with outputs of many tests, are not kept."""
_ENTRY_BYTES = 1_500
"""What a judgement without tests takes in Redis."""


class Judged:
    """Where they are found, and where they go."""

    def __init__(self, settings: Settings) -> None:
        """Bounded as the settings say."""
        self._half_seconds = max(1.0, settings.reuse_seconds / 2)
        self.is_on = settings.reuse_judgements and settings.reuse_seconds > 0
        self.max_count = max(1, settings.max_reused_bytes // _ENTRY_BYTES // 2)
        self.seconds = round(2 * self._half_seconds)

    def _period(self) -> int:
        return int(time.time() // self._half_seconds)

    def key(self) -> str:
        """Where new ones go."""
        return keys.judged(self._period())

    def recall(self, connection: RedisClient, identities: Collection[str]) -> dict[str, Judgement]:
        """Those that are known, by identity.

        Raises:
            RedisError: If Redis cannot be reached.
        """
        wanted = list(identities)
        period = self._period()
        with connection.pipeline(transaction=False) as pipeline:
            pipeline.hmget(keys.judged(period), wanted)
            pipeline.hmget(keys.judged(period - 1), wanted)
            now, before = pipeline.execute()
        found = {
            name: content or former
            for name, content, former in zip(wanted, now, before, strict=True)
        }
        return {
            name: Reply.model_validate_json(content).judgement
            for name, content in found.items()
            if content is not None
        }
