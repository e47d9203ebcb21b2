"""The scratch directories (sandbox/inside/scratch.py), seen from tests that come one after the other."""

from __future__ import annotations

import pytest

from sandbox.model import Mode, Program, RunLimits
from sandbox.pool import Pool

pytestmark = pytest.mark.nsjail

LIMITS = RunLimits(
    cpu_time_seconds=2.0,
    wall_time_seconds=20.0,
    memory_bytes=256 << 20,
    output_bytes=1 << 20,
    processes_count=8,
    compile_time_seconds=10.0,
)
LOOK_AND_WRITE = b"""
import os
for path in ("/tmp", "/dev/shm"):
    print(os.stat(path).st_mtime_ns, os.listdir(path))
    open(f"{path}/file", "w").close()
"""


def test_a_clean_directory_bears_a_time_that_no_clock_shows_so_that_every_change_shows() -> None:
    pool = Pool(1)
    pool.start()
    seen = []
    with pool.borrow() as slot:
        for _ in range(2):
            program = Program(mode=Mode.STDIO, source=LOOK_AND_WRITE)
            with slot.program().open_session(program, LIMITS) as session:
                assert session.compiled().ok
                seen += [outcome.stdout for outcome in session.run_all([b"", b""])]
    pool.close()
    assert seen == [b"0 []\n0 []\n"] * 4
