"""The zygote's memory, settled before the first fork (sandbox/inside/settle.py), seen from tests and from outside."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.jail import Jail
from sandbox.model import Mode, Outcome, Program, RunLimits
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


@pytest.fixture(scope="module")
def jail() -> Iterator[Jail]:
    pool = Pool(1)
    pool.start()
    with pool.borrow() as slot:
        yield slot.program()
    pool.close()


def outcome_of(jail: Jail, source: str) -> Outcome:
    program = Program(mode=Mode.STDIO, source=source.encode())
    with jail.open_session(program, LIMITS) as session:
        assert session.compiled().ok
        (outcome,) = session.run_all([b""])
    return outcome


def test_using_what_the_interpreter_brings_writes_to_no_page_of_it(jail: Jail) -> None:
    code = "import os, sys, re\nprint(*(sys.getrefcount(x) > 1 << 30 for x in (os, re.compile, dict, os.path.join, re)))"
    assert outcome_of(jail, code).stdout == b"True True True True True\n"


def test_what_a_program_makes_dies_as_usual(jail: Jail) -> None:
    code = (
        "import gc, weakref\nclass Thing: pass\nthing = Thing()\nseen = weakref.ref(thing)\ndel thing\n"
        "thing = Thing()\nthing.me = thing\ncycle = weakref.ref(thing)\ndel thing\ngc.collect()\n"
        "print(seen(), cycle())"
    )
    assert outcome_of(jail, code).stdout == b"None None\n"


def test_a_library_takes_two_mappings(jail: Jail) -> None:
    mappings = Path(f"/proc/{jail.zygote_pid}/maps").read_text()
    names = re.findall(r"(\S+\.so\S*)$", mappings, re.MULTILINE)
    counts = Counter(name for name in names if "libpython" not in name)
    assert len(counts) > 5
    assert set(counts.values()) <= {1, 2}


def test_the_interpreters_code_lies_in_huge_pages_where_the_kernel_gives_them(jail: Jail) -> None:
    enabled = Path("/sys/kernel/mm/transparent_hugepage/enabled")
    if not enabled.exists() or "[never]" in enabled.read_text():
        pytest.skip("this kernel gives no huge pages")
    if "libpython" not in Path(f"/proc/{jail.zygote_pid}/maps").read_text():
        pytest.skip(
            "this interpreter is one file with its program, which may be too small or not movable"
        )
    parts = Path(f"/proc/{jail.zygote_pid}/smaps").read_text().split("VmFlags")
    huge = [part for part in parts if " r-xp 00000000 00:00 0" in part and "Anonymous" in part]
    assert any(re.search(r"AnonHugePages: +[1-9]\d{3,} kB", part) for part in huge)


def test_nothing_that_can_be_written_can_be_executed(jail: Jail) -> None:
    mappings = Path(f"/proc/{jail.zygote_pid}/maps").read_text()
    assert "r-xp" in mappings
    assert "wx" not in mappings


def test_the_loaders_wish_is_not_left_in_the_environment(jail: Jail) -> None:
    assert outcome_of(jail, "import os\nprint('LD_BIND_NOW' in os.environ)").stdout == b"False\n"
