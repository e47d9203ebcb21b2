"""Builds are made once, kept within bounds, and counted."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest

from sandbox.builds import Build, Builds, Sources, command_of
from sandbox.errors import InterruptionError
from sandbox.figures import BuildEnd
from sandbox.kept import Executable
from sandbox.model import RunLimits
from sandbox.pollable_event import PollableEvent
from sandbox.pool import Pool
from sandbox.session import Session
from sandbox.slot import Slot

pytestmark = pytest.mark.nsjail

LIMITS = RunLimits(2.0, 10.0, 256 << 20, 1 << 20, 16, 20.0)


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    pool = Pool(1)
    pool.start()
    yield pool
    pool.close()


@pytest.fixture
def slot(pool: Pool) -> Iterator[Slot]:
    with pool.borrow() as slot:
        yield slot


def source(number: int) -> Sources:
    text = f"#include <stdio.h>\nint main(void) {{ printf({number}); }}\n"
    return Sources("a.c", {"a.c": text.replace(f"({number})", f'("{number}")').encode()})


def built(builds: Builds, slot: Slot, number: int) -> Build:
    return builds.get(slot.toolchain("c"), source(number), LIMITS, slot.open_program)


def test_each_outcome_is_counted(pool: Pool, slot: Slot) -> None:
    before = pool.figures().builds_count
    unique = Sources("a.c", {"a.c": b"int main(void) { return 0; } // " + str(id(slot)).encode()})
    broken = Sources("a.c", {"a.c": b"int main( {"})
    for sources in (unique, unique, broken):
        slot.build(slot.toolchain("c"), sources, LIMITS)
    after = pool.figures().builds_count
    assert {end: after[end] - before[end] for end in BuildEnd} == dict.fromkeys(BuildEnd, 1)


def test_the_least_used_go_first_and_the_newest_stays(tmp_path: Path, slot: Slot) -> None:
    folder = tmp_path / "builds"
    one = built(Builds(folder, 1 << 30), slot, 0).files
    assert isinstance(one, Executable)
    size_bytes = one.path.stat().st_size
    builds = Builds(folder, 4 * (size_bytes + 4 * 4096))
    for number in range(8):
        build = built(builds, slot, number)
        with slot.open_program(command_of(slot.toolchain("c"), build, LIMITS), LIMITS) as session:
            (outcome,) = session.run_all([b""])
        assert outcome.stdout == str(number).encode()
        built(builds, slot, 0)  # used again and again
        assert len(list(folder.iterdir())) <= 5
    assert built(builds, slot, 0).cached
    assert not built(builds, slot, 1).cached


def test_what_does_not_compile_in_time_is_not_kept(tmp_path: Path, slot: Slot) -> None:
    folder = tmp_path / "builds"
    endless = Sources(
        "a.cpp",
        {
            "a.cpp": b"constexpr int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\n"
            b"constexpr int x = f(45); int main() { return x; }"
        },
    )
    limits = replace(LIMITS, compile_time_seconds=0.2)
    build = Builds(folder, 1 << 30).get(slot.toolchain("cpp"), endless, limits, slot.open_program)
    assert not build.compiled.ok
    assert not folder.exists() or not list(folder.iterdir())


class Held:
    """Opens no session: holds who asks until released, who then gives up."""

    def __init__(self) -> None:
        self.entered, self.released = Event(), Event()

    def __call__(self, *_: object) -> Session:
        """Hold, then give up."""
        self.entered.set()
        assert self.released.wait(30), "nobody released who builds"
        raise InterruptionError


def test_who_waits_for_anothers_build_need_not(tmp_path: Path, slot: Slot) -> None:
    builds, held, unwanted = Builds(tmp_path, 1 << 30), Held(), PollableEvent()
    given = slot.toolchain("c"), source(1), LIMITS, held
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(builds.get, *given)
        assert held.entered.wait(30)
        second = threads.submit(builds.get, *given, unwanted)
        unwanted.set()
        with pytest.raises(InterruptionError):
            second.result(30)
        assert not first.done()
        held.released.set()


def test_who_waits_for_a_build_makes_it_where_the_other_gives_up(
    tmp_path: Path, slot: Slot
) -> None:
    builds, held = Builds(tmp_path, 1 << 30), Held()
    with ThreadPoolExecutor(2) as threads:
        threads.submit(builds.get, slot.toolchain("c"), source(1), LIMITS, held)
        assert held.entered.wait(30)
        second = threads.submit(built, builds, slot, 1)
        held.released.set()
        build = second.result(30)
    assert (build.compiled.ok, build.cached) == (True, False)
