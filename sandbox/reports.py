"""What processes in a jail report of themselves, read with care: any of it may be hostile."""

from __future__ import annotations

from itertools import accumulate, islice

import msgpack

from .model import Outcome, Reason


def outputs_of(packed: bytes, stdout: bytes, count: int) -> list[bytes | None]:
    """What a shared process says came of each test.

    A number is how much of standard output one test wrote: all of it has to be some test's.
    """
    nothing: list[bytes | None] = [None] * count
    unpacker = msgpack.Unpacker(
        max_buffer_size=len(packed) + 1, max_array_len=0, max_map_len=0, max_ext_len=0
    )
    unpacker.feed(packed)
    try:
        claims = list(islice(unpacker, count + 1))
    except (ValueError, TypeError, msgpack.UnpackException):
        return nothing
    if len(claims) != count:
        return nothing
    sizes = [claim if type(claim) is int else 0 for claim in claims]
    if int in map(type, claims) and (min(sizes) < 0 or sum(sizes) != len(stdout)):
        return nothing
    ends = accumulate(sizes)
    return [
        stdout[end - claim : end] if type(claim) is int else claim if type(claim) is bytes else None
        for claim, end in zip(claims, ends, strict=True)
    ]


def compiler_report(outcome: Outcome) -> tuple[str, bool]:
    """(message, complete) of a compilation that failed."""
    if outcome.reason is not Reason.BY_ITSELF:
        return "the compiler ran out of time", True
    try:
        message, incomplete = msgpack.unpackb(outcome.result)
    except (ValueError, TypeError, msgpack.UnpackException):
        how = f"signal {outcome.signal}" if outcome.signal else f"status {outcome.exit_code}"
        return f"the compiler ended with {how}", True
    return str(message).strip()[-2000:], not incomplete
