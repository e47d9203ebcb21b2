"""What a process says of the tests that shared it is hostile, and read with care (``Session.run_together``)."""

from __future__ import annotations

import tracemalloc

import msgpack
import pytest

from sandbox.session import _outputs_of

COUNT = 7


def test_outputs_come_one_after_the_other_and_what_failed_is_none() -> None:
    assert _outputs_of(msgpack.packb(b"42") + msgpack.packb(None), b"", 2) == [b"42", None]


@pytest.mark.parametrize(
    "written",
    [b"", b"\xc4", b"\xc0" * (COUNT - 1), b"\xc0" * (COUNT + 1), b"\x97" + b"\xc0" * COUNT],
)
def test_what_is_no_list_of_outputs_says_nothing(written: bytes) -> None:
    assert _outputs_of(written, b"", COUNT) == [None] * COUNT


def test_reading_outputs_takes_no_more_memory_than_they_have_bytes() -> None:
    nested = b"\x90"
    for _ in range(6):
        nested = b"\x97" + nested * 7  # an empty list is one byte here, and 64 in memory
    tracemalloc.start()
    outputs = _outputs_of(nested, b"", COUNT)
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert outputs == [None] * COUNT
    assert peak_bytes < 2 * len(nested)
