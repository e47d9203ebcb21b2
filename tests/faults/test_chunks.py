"""Whatever is submitted arrives at a worker as it was, once, in chunks that are worth a job."""

from __future__ import annotations

import math
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from evaluator_service.distributed.chunks import (
    MAX_ITEMS_COUNT,
    TARGET_SECONDS,
    Chunk,
    item_key,
    pack,
    unpacked,
)
from evaluator_service.engine import Run
from evaluator_service.schema import SubmissionBase
from evaluator_service.work import Work
from tests.service.executors import PROBLEM

_TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=64)
_FEW_TEXTS = st.sampled_from(["", "print()", "\N{PILE OF POO}"]) | _TEXT
"""Often the same: equal programs travel once."""
_SURROGATES = st.text(st.characters(codec=None))
"""Any text that JSON can hold, lone surrogates too."""

submissions = st.builds(
    SubmissionBase,
    id=st.none() | _TEXT,
    code=_FEW_TEXTS,
    files=st.dictionaries(st.sampled_from(["a.py", "b.py"]), _FEW_TEXTS),
    metadata=st.dictionaries(_SURROGATES, _SURROGATES | st.integers() | st.booleans(), max_size=3),
    priority=st.sampled_from(["train", "eval"]),
    deadline_seconds=st.none() | st.floats(0.1, 3600),
    report=st.sampled_from(["summary", "tests", "full"]),
)


@st.composite
def runs(draw: st.DrawFn) -> Run:
    """Any run."""
    submission = draw(submissions)
    work = Work(submission, PROBLEM, "sha256:0", 0.0, kept_as=draw(st.none() | st.text(max_size=9)))
    identity = draw(st.none() | st.text(max_size=9))
    return Run(work, identity, expected_seconds=draw(st.floats(0, 10)))


def packed(given: Sequence[Run], slots_count: int = 1) -> list[Chunk]:
    """The chunks, as a worker reads them."""
    return [unpacked(chunk.packed()) for chunk in pack(given, "api", slots_count)]


@given(st.lists(runs(), min_size=1, max_size=40), st.integers(0, 20))
def test_every_run_is_in_one_chunk_the_longest_first(given: list[Run], slots_count: int) -> None:
    items = [item for chunk in packed(given, slots_count) for item in chunk.items]
    assert sorted(item.key for item in items) == sorted(item_key(run, "api") for run in given)
    expected = [item.expected_seconds for item in items]
    assert expected == sorted(expected, reverse=True)


@given(st.lists(runs(), min_size=1, max_size=40), st.integers(0, 20))
def test_a_chunk_is_small_and_short_and_no_more_than_the_share_of_a_slot(
    given: list[Run], slots_count: int
) -> None:
    share = math.ceil(len(given) / max(1, slots_count))
    for chunk in packed(given, slots_count):
        seconds = sum(item.expected_seconds for item in chunk.items)
        assert len(chunk.items) == 1 or seconds <= TARGET_SECONDS
        assert 1 <= len(chunk.items) <= min(MAX_ITEMS_COUNT, share)


@given(st.lists(runs(), min_size=1, max_size=40))
def test_a_submission_arrives_as_it_was(given: list[Run]) -> None:
    sent = {item_key(run, "api"): run for run in given}
    for chunk in packed(given):
        for item in chunk.items:
            run, program = sent[item.key], chunk.programs[item.program]
            arrived = SubmissionBase.model_validate(item.submission | program)
            assert arrived.model_dump() == run.work.submission.model_dump()
            assert (item.kept_as, item.identity) == (run.work.kept_as, run.identity)


@given(st.lists(runs(), min_size=1, max_size=40), st.data())
def test_a_part_of_a_chunk_has_what_its_items_need(given: list[Run], data: st.DataObject) -> None:
    chunk = packed(given)[0]
    items = data.draw(st.lists(st.sampled_from(chunk.items), min_size=1))
    part = unpacked(chunk.part(items).packed())
    assert part.items == items
    assert {item.program for item in items} == part.programs.keys()
    assert part.id != chunk.id
