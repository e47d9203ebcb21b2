"""Kept outputs: by content hash, within bounds, and given to whoever names them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator_service.content_folder import ContentFolder, content_id
from evaluator_service.outputs import ENTRY_BYTES, OutputStore

NO_OUTPUT = "sha256:" + "0" * 64


def test_an_output_is_named_by_its_hash_and_counts_once() -> None:
    store = OutputStore(2 * ENTRY_BYTES)
    names = [store.put(b"7\n") for _ in range(9)]
    assert set(names) == {content_id(b"7\n")}
    assert store.get(names[0]) == b"7\n"


def test_the_least_recently_used_goes_first() -> None:
    store = OutputStore(2 * (ENTRY_BYTES + 1))
    a, b = store.put(b"a"), store.put(b"b")
    store.get(a)
    c = store.put(b"c")
    assert [store.get(name) for name in (a, b, c)] == [b"a", None, b"c"]


def test_what_never_fits_pushes_nothing_out() -> None:
    store = OutputStore(ENTRY_BYTES + 9)
    small = store.put(b"small")
    large = store.put(b"x" * 10)
    assert (store.get(small), store.get(large)) == (b"small", None)


@given(st.lists(st.binary(max_size=300)), st.integers(0, 4 * ENTRY_BYTES))
def test_the_store_never_holds_more_than_it_may(outputs: list[bytes], most: int) -> None:
    store = OutputStore(most)
    names = {store.put(output) for output in outputs}
    held = [output for name in names if (output := store.get(name)) is not None]
    assert sum(len(output) + ENTRY_BYTES for output in held) <= most


def test_a_folder_keeps_outputs_and_no_traces_of_writing_them(tmp_path: Path) -> None:
    name = ContentFolder(tmp_path).put(b"\0\xff")
    assert ContentFolder(tmp_path).get(name) == b"\0\xff"
    assert [path.name for path in tmp_path.iterdir()] == [name.removeprefix("sha256:")]


def test_a_file_that_is_not_what_its_name_says_is_no_output(tmp_path: Path) -> None:
    folder = ContentFolder(tmp_path)
    name = folder.put(b"7")
    next(tmp_path.iterdir()).write_bytes(b"8")
    assert folder.get(name) is None
    assert folder.get(NO_OUTPUT) is None


@pytest.mark.parametrize("prefix", ["", "/v1"])
def test_an_output_comes_back_as_bytes_that_no_browser_reads(
    client: httpx2.Client, judge: Any, prefix: str
) -> None:
    name = judge.outputs.put(b"<script>\xff")
    answer = client.get(f"{prefix}/outputs/{name}")
    assert (answer.status_code, answer.content) == (200, b"<script>\xff")
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_an_output_that_is_not_kept_is_404(shared_client: httpx2.Client) -> None:
    answer = shared_client.get(f"/outputs/{NO_OUTPUT}")
    assert (answer.status_code, answer.json()["type"]) == (404, "/errors/unknown-output")


@pytest.mark.parametrize("name", ["x", "sha256:", NO_OUTPUT + "0", NO_OUTPUT.upper(), "sha256:%0a"])
def test_what_is_no_hash_is_422(shared_client: httpx2.Client, name: str) -> None:
    answer = shared_client.get(f"/outputs/{name}")
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
