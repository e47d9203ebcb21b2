"""Answers of a batch: as one JSON document, or as a stream in which each result stands when it exists.

Whichever it is, a client that goes away withdraws what is not judged yet.
"""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from typing import Any

from fastapi import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from evaluator_service.schema import BatchSummary, Judgement

NDJSON = "application/x-ndjson"
EVENT_STREAM = "text/event-stream"
JSON = "application/json"
_MEDIA_TYPES = frozenset({NDJSON, EVENT_STREAM, JSON, "application/*", "*/*"})
_WEIGHT = re.compile(r";\s*q=([01](?:\.\d{0,3})?)\s*(?:;|$)", re.IGNORECASE)
KEEP_ALIVE_SECONDS = 15

type JudgementFuture = asyncio.Future[Judgement]


def streamed_type(accept: str) -> str | None:
    """What an ``Accept`` header prefers that means a stream, or None for plain JSON.

    The highest ``q`` wins, and of equals the first. What is not offered here, and ``*/*``, mean plain JSON.
    """
    offered = [_media_range(part) for part in accept.split(",")]
    wanted = [(name, weight) for name, weight in offered if name in _MEDIA_TYPES and weight > 0]
    best, _ = max(wanted, key=lambda pair: pair[1], default=(JSON, 1.0))  # `max` keeps the first
    return best if best in (NDJSON, EVENT_STREAM) else None


def _media_range(part: str) -> tuple[str, float]:
    """Media type and weight of one part of an ``Accept`` header; a weight that is no number counts as 1."""
    name, _, _ = part.partition(";")
    weight = _WEIGHT.search(part)
    return name.strip().lower(), float(weight[1]) if weight else 1.0


# --- one document ---------------------------------------------------------------------------------


class ClientGone(Exception):
    """The client closed its connection before the answer."""


async def wait_for_all[T](request: Request, futures: Sequence[asyncio.Future[T]]) -> list[T]:
    """Wait for every answer; withdraw the work if the client goes away first.

    Raises:
        ClientGone: If it did.
    """
    everything = asyncio.ensure_future(asyncio.wait(futures))
    gone = asyncio.ensure_future(_disconnected(request))
    try:
        await asyncio.wait((everything, gone), return_when=asyncio.FIRST_COMPLETED)
        if not everything.done():
            raise ClientGone
        return [future.result() for future in futures]
    finally:
        gone.cancel()
        everything.cancel()
        _withdraw(futures)


def _withdraw(futures: Sequence[asyncio.Future[Any]]) -> None:
    """Cancel what is not answered yet; the rest does not notice."""
    for future in futures:
        future.cancel()


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def json_batch(judgements: Sequence[Judgement]) -> Response:
    """A ``BatchResponse``, joined from the JSON of each judgement."""
    content = b",".join(judgement.model_dump_json().encode() for judgement in judgements)
    counts = Counts()
    for judgement in judgements:
        counts.add(judgement)
    summary = counts.summary().model_dump_json().encode()
    document = b'{"judgements":[' + content + b'],"summary":' + summary + b"}\n"
    return Response(document, media_type="application/json")


class Counts:
    """What came of a batch, counted as judgements come."""

    def __init__(self) -> None:
        self._verdicts: Counter[str] = Counter()
        self._methods: Counter[str] = Counter()

    def add(self, judgement: Judgement) -> None:
        """Count one."""
        self._verdicts[judgement.verdict.value] += 1
        for method, count in judgement.methods.items():
            self._methods[method] += count

    def summary(self) -> BatchSummary:
        """All that were counted."""
        verdicts = dict(self._verdicts)
        return BatchSummary(
            total=self._verdicts.total(), verdicts=verdicts, methods=dict(self._methods)
        )


# --- a stream -------------------------------------------------------------------------------------


class BatchStream(StreamingResponse):
    """Sends each judgement as it comes, then a summary; withdraws the rest when the client goes away."""

    def __init__(self, futures: Sequence[JudgementFuture], media_type: str) -> None:
        """Stream ``futures`` as NDJSON lines or as server-sent events."""
        self._futures = futures
        encode = _ndjson_line if media_type == NDJSON else _event
        keep_alive = b"" if media_type == NDJSON else b": keep-alive\n\n"
        headers = {
            "Cache-Control": "no-store",
            "X-Accel-Buffering": "no",
        }  # proxies must not hold it back
        super().__init__(
            _parts(futures, encode, keep_alive), media_type=media_type, headers=headers
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream; however that ends, leave no work behind."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            _withdraw(self._futures)


async def _parts(
    futures: Sequence[JudgementFuture], encode: Callable[[str, str], bytes], keep_alive: bytes
) -> AsyncIterator[bytes]:
    finished: asyncio.Queue[int] = asyncio.Queue()
    for index, future in enumerate(futures):
        future.add_done_callback(partial(_note, finished, index))
    counts = Counts()
    sent_count = 0
    while sent_count < len(futures):
        indices = await _next_finished(finished)
        if not indices and keep_alive:
            yield keep_alive
        for index in indices:
            judgement = futures[index].result()
            counts.add(judgement)
            sent_count += 1
            data = f'{{"index":{index},"judgement":{judgement.model_dump_json()}}}'
            yield encode("judgement", data)
    yield encode("done", f'{{"done":{counts.summary().model_dump_json()}}}')


def _note(finished: asyncio.Queue[int], index: int, future: JudgementFuture) -> None:
    if not future.cancelled():
        finished.put_nowait(index)


async def _next_finished(finished: asyncio.Queue[int]) -> list[int]:
    """Everything finished by now, at least one; nothing after ``KEEP_ALIVE_SECONDS`` of silence."""
    try:
        indices = [await asyncio.wait_for(finished.get(), KEEP_ALIVE_SECONDS)]
    except TimeoutError:
        return []
    while not finished.empty():
        indices.append(finished.get_nowait())
    return indices


def _ndjson_line(_: str, data: str) -> bytes:
    return data.encode() + b"\n"


def _event(name: str, data: str) -> bytes:
    return f"event: {name}\ndata: {data}\n\n".encode()
