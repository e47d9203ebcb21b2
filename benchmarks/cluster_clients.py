"""Clients that are told what is right: batches of distinct programs, sent until each has a mark, marks held against it."""

from __future__ import annotations

import itertools
import json
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import httpx2

PAUSE_SECONDS = 0.5
GIVE_UP_SECONDS = 1800.0
ANSWER_SECONDS = 600.0

_SUM = "print(sum(map(int, input().split())))"
_C_SUM = '#include <stdio.h>\nint main(void) { int a, b; scanf("%d %d", &a, &b); printf("%d\\n", a + b); }'
KINDS: dict[str, tuple[str, str, str]] = {
    "right": ("python", _SUM, "accepted"),
    "wrong": ("python", "print(6)", "wrong_answer"),
    "crash": ("python", "raise SystemExit(3)", "runtime_error"),
    "syntax": ("python", "print(", "compile_error"),
    "loop": ("python", "while True: pass", "time_limit_exceeded"),
    "c": ("c", _C_SUM, "accepted"),
}
"""By name: language, program, and the verdict that is right."""
_MIX = ["right"] * 60 + ["wrong"] * 20 + ["crash"] * 12 + ["syntax"] * 7 + ["loop"]
_C_EVERY_COUNT = 500

PROBLEM = {
    "kind": "stdio",
    "tests": [{"input": f"{n} {n + 1}\n", "expected": f"{2 * n + 1}\n"} for n in range(3)],
}


class Planned(NamedTuple):
    """A submission and the verdict that is right."""

    id: str
    kind: str
    body: dict[str, Any]
    verdict: str


def planned(count: int) -> Iterator[Planned]:
    """So many submissions, each of a program that there is once."""
    for number, kind in zip(range(count), itertools.cycle(_MIX), strict=False):
        chosen = "c" if number % _C_EVERY_COUNT == _C_EVERY_COUNT - 1 else kind
        language, program, verdict = KINDS[chosen]
        comment = f"// {number}\n" if language == "c" else f"# {number}\n"
        body = {
            "id": f"s{number}",
            "language": language,
            "code": comment + program,
            "problem": "sum",
            "limits": {"cpu_time_seconds": 2.0 if language == "c" else 0.3},
        }
        yield Planned(f"s{number}", chosen, body, verdict)


@dataclass
class Tally:
    """What came of all of them; for many threads.

    Attributes:
        marks: The verdict of each, by id.
        faults: Judge errors, by kind; their submissions were sent again.
        refusals: Answers other than 200, by status, and connections that broke.
        wrongs: What must not be, in words.
    """

    marks: dict[str, str] = field(default_factory=dict)
    faults: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    wrongs: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, wanted: Planned, judgement: dict[str, Any]) -> None:
        """Hold an answer against what is right."""
        with self.lock:
            if judgement["id"] != wanted.id:
                self.wrongs.append(f"{wanted.id} was answered as {judgement['id']}")
            elif judgement["error"] is not None:
                self.faults[judgement["error"]["kind"]] += 1
                if judgement["reward"] is not None:
                    self.wrongs.append(f"{wanted.id}: a judge error with a reward")
            else:
                self._take_mark(wanted, judgement)

    def _take_mark(self, wanted: Planned, judgement: dict[str, Any]) -> None:
        verdict, former = judgement["verdict"], self.marks.get(wanted.id)
        if former is not None and former != verdict:
            self.wrongs.append(f"{wanted.id}: {former}, and then {verdict}")
        if verdict != wanted.verdict:
            self.wrongs.append(f"{wanted.id} ({wanted.kind}): {verdict}, right is {wanted.verdict}")
        self.marks[wanted.id] = verdict


class Client(threading.Thread):
    """Sends batches one after the other, each until all of it has marks."""

    def __init__(
        self, urls: Sequence[str], batches: Iterator[tuple[int, list[Planned]]], tally: Tally
    ) -> None:
        """Take batches from ``batches``, which other clients take from, too."""
        super().__init__(daemon=True)
        self._urls = itertools.cycle(urls)
        self._batches = batches
        self._tally = tally

    def run(self) -> None:
        """Send them all."""
        while True:
            with self._tally.lock:
                numbered = next(self._batches, None)
            if numbered is None:
                return
            self._send_all(*numbered)

    def _send_all(self, number: int, batch: list[Planned]) -> None:
        give_up = time.monotonic() + GIVE_UP_SECONDS
        while any(each.id not in self._tally.marks for each in batch):
            if time.monotonic() > give_up:
                with self._tally.lock:
                    self._tally.wrongs.append(f"batch {number} was not answered in time")
                return
            try:
                self._send(next(self._urls), number, batch)
            except (httpx2.HTTPError, ValueError) as error:
                with self._tally.lock:
                    self._tally.refusals[type(error).__name__] += 1
                time.sleep(PAUSE_SECONDS)

    def _send(self, url: str, number: int, batch: list[Planned]) -> None:
        body = {"problems": {"sum": PROBLEM}, "submissions": [each.body for each in batch]}
        headers = {"Accept": "application/x-ndjson", "Idempotency-Key": f"batch-{number}"}
        with (
            httpx2.Client(base_url=url, timeout=ANSWER_SECONDS, trust_env=False) as client,
            client.stream("POST", "/judge/batch", json=body, headers=headers) as stream,
        ):
            if stream.status_code != httpx2.codes.OK:
                with self._tally.lock:
                    self._tally.refusals[str(stream.status_code)] += 1
                time.sleep(float(stream.headers.get("Retry-After", PAUSE_SECONDS)))
                return
            for line in stream.iter_lines():
                answer = json.loads(line)
                if "judgement" in answer:
                    self._tally.take(batch[answer["index"]], answer["judgement"])
