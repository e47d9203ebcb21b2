"""Clients that send at a rate of their own, whatever the service makes of it, and a few that do as they are told."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from benchmarks.loopback import Answer, Connection

OK, TOO_MANY = 200, 429
_TICK_SECONDS = 0.01


@dataclass(slots=True)
class Outcomes:
    """What came of requests of one submission each.

    Attributes:
        sent_count: Requests sent.
        marks_count: Answers with a mark.
        faults: Judge errors, by kind.
        rewarded_faults_count: Judge errors with a reward; there must be none.
        refused_count: Answers 429.
        lost: What else became of requests, in words.
        latencies: Seconds until each answer with status 200.
        retry_after: Seconds that refusals asked to wait.
        elapsed_seconds: Until the last answer.
    """

    sent_count: int = 0
    marks_count: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    rewarded_faults_count: int = 0
    refused_count: int = 0
    lost: Counter[str] = field(default_factory=Counter)
    latencies: list[float] = field(default_factory=list)
    retry_after: Counter[int] = field(default_factory=Counter)
    elapsed_seconds: float = 0.0

    def add(self, answer: Answer, seconds: float) -> None:
        """Count an answer."""
        if answer.status == TOO_MANY:
            self.refused_count += 1
            self.retry_after[int(answer.headers["retry-after"])] += 1
        elif answer.status == OK:
            self.latencies.append(seconds)
            self._add_judgement(answer)
        else:
            self.lost[f"status {answer.status}"] += 1

    def _add_judgement(self, answer: Answer) -> None:
        judgement = json.loads(answer.body)
        if judgement["verdict"] != "judge_error":
            self.marks_count += 1
            return
        self.faults[judgement["error"]["kind"]] += 1
        self.rewarded_faults_count += judgement["reward"] is not None

    @property
    def answered_count(self) -> int:
        """Those that were answered or refused."""
        return self.marks_count + self.faults.total() + self.refused_count

    @property
    def marks_rate(self) -> float:
        """Marks a second, until the last answer."""
        return self.marks_count / self.elapsed_seconds

    def percentile(self, share: float) -> float:
        """Seconds within which such a share of accepted requests was answered; 0 if there was none."""
        ordered = sorted(self.latencies)
        return ordered[int(share * (len(ordered) - 1))] if ordered else 0.0


class Storm:
    """Sends requests to one service, over as many connections as that takes."""

    def __init__(self, url: str, body: Callable[[], bytes]) -> None:
        """Send what ``body`` makes."""
        self._url = url
        self._body = body
        self._free: list[Connection] = []
        self.connections_count = 0

    async def blow(self, rate: float, seconds: float) -> Outcomes:
        """Send ``rate`` requests a second for so long, however they are answered, and wait for all answers."""
        outcomes = Outcomes()
        started = time.monotonic()
        async with asyncio.TaskGroup() as group:
            while (elapsed := time.monotonic() - started) < seconds:
                for _ in range(int(rate * elapsed) - outcomes.sent_count):
                    outcomes.sent_count += 1
                    group.create_task(self._send(outcomes))
                await asyncio.sleep(_TICK_SECONDS)
        outcomes.elapsed_seconds = time.monotonic() - started
        return outcomes

    async def _send(self, outcomes: Outcomes) -> None:
        connection = self._connection()
        started = time.monotonic()
        try:
            answer = await connection.request("POST", "/judge", self._body())
        except (OSError, EOFError) as error:
            outcomes.lost[type(error).__name__] += 1
            connection.close()
            return
        outcomes.add(answer, time.monotonic() - started)
        self._free.append(connection)

    def _connection(self) -> Connection:
        if self._free:
            return self._free.pop()
        self.connections_count += 1
        return Connection(self._url)

    async def obey(self, give_up_seconds: float) -> int | None:
        """Send one submission, and again whenever ``Retry-After`` says so; how many tries that took, None: in vain."""
        connection, tries_count = Connection(self._url), 0
        give_up = time.monotonic() + give_up_seconds
        body = self._body()
        while time.monotonic() < give_up:
            tries_count += 1
            answer = await connection.request("POST", "/judge", body)
            if answer.status == OK:
                connection.close()
                return tries_count
            await asyncio.sleep(int(answer.headers["retry-after"]))
        connection.close()
        return None

    def close(self) -> None:
        """Close all connections."""
        for connection in self._free:
            connection.close()
        self._free.clear()
