"""What threads and the event loop hand each other: runs in their order, messages in theirs, with one wake-up."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from evaluator_service.engine import Run
from evaluator_service.letterbox import Letterbox
from evaluator_service.waiting_line import WaitingLine
from tests.service.executors import work

pytestmark = pytest.mark.anyio


def test_many_messages_are_read_in_order_at_one_wake_up() -> None:
    read: list[int] = []
    wake_ups: list[Callable[[], None]] = []
    loop: Any = SimpleNamespace(call_soon_threadsafe=wake_ups.append)
    letterbox = Letterbox(loop, read.append)
    for number in range(100):
        letterbox.put(number)
    (wake_up,) = wake_ups
    wake_up()
    assert read == list(range(100))


async def test_a_message_after_the_box_was_emptied_is_read_as_well() -> None:
    read: list[str] = []
    letterbox = Letterbox(asyncio.get_running_loop(), read.append)
    for message in ("first", "second"):
        letterbox.put(message)
        await asyncio.sleep(0)
    assert read == ["first", "second"]


def test_a_message_to_a_loop_that_has_closed_is_lost_in_silence() -> None:
    loop = asyncio.new_event_loop()
    loop.close()
    Letterbox[str](loop, print).put("lost")


def test_the_line_is_of_training_first_then_by_admission_then_by_length() -> None:
    line = WaitingLine()
    slow = Run(work(id="slow"), expected_seconds=2.0)
    line.put([Run(work(id="eval", priority="eval"))])
    line.put([Run(work(id="quick"), expected_seconds=1.0), slow])
    line.put([Run(work(id="later"), expected_seconds=9.0)])
    line.close()
    taken = iter(line.take, None)
    assert [run.work.submission.id for run in taken] == ["slow", "quick", "later", "eval"]


def test_whoever_waits_in_vain_learns_that_the_line_is_closed() -> None:
    line = WaitingLine()
    taken: list[Run | None] = []
    thread = threading.Thread(target=lambda: taken.append(line.take()))
    thread.start()
    line.close()
    thread.join(30)
    assert taken == [None]
