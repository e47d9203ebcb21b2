"""Log lines are written by a thread of their own: in order, together, and never at the price of an answer."""

from __future__ import annotations

import io
import threading

import pytest

from evaluator_service import log_stream
from evaluator_service.log_stream import LogStream


class SlowReader(io.StringIO):
    """Takes the first write and does not return until it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.is_reached, self.goes_on = threading.Event(), threading.Event()
        self.writes: list[str] = []

    def write(self, text: str) -> int:
        """Note it, and wait."""
        self.writes.append(text)
        self.is_reached.set()
        assert self.goes_on.wait(30)
        return len(text)


def test_what_was_logged_is_written_in_order_before_the_process_ends() -> None:
    stream = io.StringIO()
    log = LogStream(stream)
    for number in range(1000):
        log.write(f"{number}\n")
    log.close()
    assert stream.getvalue().split() == [str(number) for number in range(1000)]


def test_what_gathers_behind_a_slow_reader_holds_up_nobody_and_is_one_write() -> None:
    reader = SlowReader()
    log = LogStream(reader)
    log.write("first\n")
    assert reader.is_reached.wait(30)
    for _ in range(3):
        log.write("later\n")
    reader.goes_on.set()
    log.close()
    assert reader.writes == ["first\n", "later\n" * 3]


def test_behind_a_reader_that_stopped_lines_are_dropped_and_memory_is_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(log_stream, "MAX_WAITING_COUNT", 2)
    reader = SlowReader()
    log = LogStream(reader)
    log.write("first\n")
    assert reader.is_reached.wait(30)
    for _ in range(5):
        log.write("later\n")
    reader.goes_on.set()
    log.close()
    assert reader.writes == ["first\n", "later\n" * 2]


def test_a_log_that_nobody_reads_any_more_costs_no_answer() -> None:
    stream = io.StringIO()
    stream.close()
    log = LogStream(stream)
    log.write("lost")
    log.close()
