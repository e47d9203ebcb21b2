"""An API process that has work judged and waits for it for ever: what only it wants, and what is kept.

Run: ``python -m tests.faults.api_process ID…``; what has an id that begins with ``kept`` is kept under that name.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

from evaluator_service.distributed.engine import RqEngine
from evaluator_service.distributed.link import connect
from evaluator_service.distributed.results import SharedResults
from evaluator_service.environment import load_settings
from evaluator_service.executor import Executor
from evaluator_service.results import Claim
from evaluator_service.settings import Settings
from evaluator_service.work import Work
from tests.service.executors import work


async def main() -> None:
    """Submit, say so, and wait."""
    settings = load_settings()
    engine = RqEngine(settings)
    executor = Executor(engine, settings)
    await executor.start()
    works = [each async for each in _works(sys.argv[1:], settings, engine.api_id)]
    futures = await executor.submit(works)
    print("submitted", flush=True)  # noqa: T201 - what the test waits for
    await asyncio.gather(*futures)


async def _works(names: Sequence[str], settings: Settings, api_id: str) -> AsyncIterator[Work]:
    results = SharedResults(connect(settings), settings.result_seconds, api_id)
    for name in names:
        own = work(f"accept {name}", id=name)
        claim = Claim(name, "what it is", own.key)
        if name.startswith("kept"):
            await results.claim([claim])
            own = replace(own, kept_as=claim.place)
        yield own


if __name__ == "__main__":
    asyncio.run(main())
