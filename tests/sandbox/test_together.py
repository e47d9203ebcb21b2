"""What a process says of the tests that shared it is hostile, and read with care (``Session.run_together``)."""

from __future__ import annotations

import time
import tracemalloc
from pathlib import Path

import msgpack
import pytest

from sandbox import family
from sandbox.model import Mode, Program, Reason, RunLimits
from sandbox.pool import Pool
from sandbox.reports import outputs_of

COUNT = 7


def test_outputs_come_one_after_the_other_and_what_failed_is_none() -> None:
    assert outputs_of(msgpack.packb(b"42") + msgpack.packb(None), b"", 2) == [b"42", None]


@pytest.mark.parametrize(
    "written",
    [b"", b"\xc4", b"\xc0" * (COUNT - 1), b"\xc0" * (COUNT + 1), b"\x97" + b"\xc0" * COUNT],
)
def test_what_is_no_list_of_outputs_says_nothing(written: bytes) -> None:
    assert outputs_of(written, b"", COUNT) == [None] * COUNT


def test_reading_outputs_takes_no_more_memory_than_they_have_bytes() -> None:
    nested = b"\x90"
    for _ in range(6):
        nested = b"\x97" + nested * 7  # an empty list is one byte here, and 64 in memory
    tracemalloc.start()
    outputs = outputs_of(nested, b"", COUNT)
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert outputs == [None] * COUNT
    assert peak_bytes < 2 * len(nested)


@pytest.mark.nsjail
def test_a_process_stands_still_while_its_output_is_looked_at() -> None:
    code = (
        b"import os, socket\nsocket.socket(fileno=1023).send(b'P')\nos.fork()\nwhile True: pass\n"
    )
    pool = Pool(1)
    pool.start()
    limits = RunLimits(5.0, 30.0, 128 << 20, 1 << 20, 8, 10.0)
    try:
        with (
            pool.borrow() as slot,
            slot.open_program(Program(Mode.STDIO, code), limits) as session,
        ):
            assert session.compiled().ok
            assert session.run_first(b"").reason is Reason.GOES_ON
            ((session_pid, _),) = family.tests_of(session.jail_pid)
            deadline = time.monotonic() + 10.0  # each stops when it is next its turn
            while set(map(state_of, family.descendants_of(session_pid))) != {"T"}:
                assert time.monotonic() < deadline
    finally:
        pool.close()


def state_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]


@pytest.mark.parametrize(
    ("claims", "stdout", "outputs"),
    [
        ([2, 0, 1], b"abc", [b"ab", b"", b"c"]),
        ([2, None, 1], b"abc", [b"ab", None, b"c"]),
        ([2, 0], b"abc", [None, None]),
        ([4, 0], b"abc", [None, None]),
        ([-1, 4], b"abc", [None, None]),
        ([1 << 62, 1 << 62], b"abc", [None, None]),
        ([True, 2], b"abc", [None, None]),
    ],
)
def test_all_of_standard_output_has_to_be_some_tests(
    claims: list[object], stdout: bytes, outputs: list[bytes | None]
) -> None:
    assert outputs_of(b"".join(map(msgpack.packb, claims)), stdout, len(claims)) == outputs
