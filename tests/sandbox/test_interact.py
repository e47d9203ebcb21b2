"""One direction of a talk: what is said is passed on, in whatever pieces it comes."""

from __future__ import annotations

import os

from sandbox.inside.interact import PROGRAM, Way


def test_many_small_packets_are_heard_at_once() -> None:
    source, said = os.pipe2(os.O_DIRECT)  # as a program can make its own end
    heard, target = os.pipe()
    way = Way(PROGRAM, source, target)
    for _ in range(10):
        os.write(said, b"x")
    assert way.hear() == b"x" * 10
    os.write(said, b"end")
    os.close(said)
    assert way.hear() == b"end"
    way.tell()
    assert way.is_over
    assert os.read(heard, 100) == b"x" * 10 + b"end"
    assert os.read(heard, 100) == b""
    os.close(heard)
