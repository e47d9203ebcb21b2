"""Files are read with suspicion: links stay in the package, and an error names the file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator_service.kattis import Package, PackageError, load_package

Write = Callable[..., Path]
Refused = Callable[..., str]


def test_a_link_within_the_package_is_followed(write: Write) -> None:
    root = write()
    (root / "data/secret/2.in").symlink_to("1.in")
    (root / "data/secret/2.ans").symlink_to(root / "data/secret/1.ans")
    assert [test.input for test in load_package(root).problem.tests] == ["3 4\n"] * 2  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "name",
    ["data/secret/2.in", "data/secret/group", "submissions/accepted/a.py", "include/python3"],
)
def test_a_link_out_of_the_package_is_refused(write: Write, tmp_path: Path, name: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    root = write({"submissions/accepted/b.py": "print(7)"})
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).symlink_to(outside)
    with pytest.raises(PackageError, match=f"{name}.*out of the package"):
        load_package(root)


@pytest.mark.parametrize("target", [".", "..", "self"])
def test_links_in_a_circle_end(write: Write, target: str) -> None:
    root = write()
    (root / "data/secret/self").symlink_to(target)
    with pytest.raises(PackageError, match="circle"):
        load_package(root)


def test_many_links_in_a_circle_end_soon(write: Write) -> None:
    root = write()
    for number in range(20):
        (root / f"data/secret/{number}").symlink_to("..")
    with pytest.raises(PackageError, match="circle"):
        load_package(root)


def test_the_package_itself_may_be_reached_by_a_link(write: Write, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(write())
    assert load_package(link).name == "package"


def test_hidden_files_are_not_there(load: Callable[..., Package]) -> None:
    package = load({"data/secret/.2.in": "x", "submissions/accepted/.a.py": "x", ".git/x": "x"})
    assert len(package.problem.tests) == 1
    assert package.skipped == ()


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    archive = tmp_path / "p.zip"
    archive.write_bytes(b"PK")
    with pytest.raises(PackageError, match="unpack it first"):
        load_package(archive)
    with pytest.raises(PackageError, match="no folder"):
        load_package(tmp_path / "nowhere")


def test_a_test_that_is_not_utf_8_is_named_with_the_byte(refused: Refused) -> None:
    assert refused({"data/secret/1.in": b"ab\xff"}).startswith(
        "data/secret/1.in: not UTF-8: invalid start byte at byte 2"
    )


@pytest.mark.parametrize(
    ("yaml", "place"),
    [
        ("name: n\nlimits: [", "problem.yaml:"),
        ("a: 1\nb: : :\n", "problem.yaml:2: not YAML"),
        ("- a\n", "problem.yaml: must be a mapping"),
        ("a: &x [*x]\nlimits: *y\n", "problem.yaml:2: not YAML"),
        ("a: 2026-99-99\n", "problem.yaml: not YAML"),
        ("a: !!python/object/apply:os.getcwd []\n", "problem.yaml:1: not YAML"),
        ("[" * 100_000, "problem.yaml: not YAML"),
        ("? [a]\n: 1\n", "problem.yaml:1: not YAML"),
    ],
    ids=["open", "colons", "list", "alias", "date", "object", "deep", "key"],
)
def test_yaml_that_cannot_be_read_is_named(refused: Refused, yaml: str, place: str) -> None:
    assert refused({"problem.yaml": yaml}).startswith(place)


def test_an_authors_name_in_another_encoding_is_in_the_way_of_nothing(
    load: Callable[..., Package],
) -> None:
    assert (
        load({"problem.yaml": b"author: Per \xd6\nlimits: {time_limit: 2}\n"}).timing.limit_seconds
        == 2
    )


@pytest.mark.parametrize("mark", ["\ufeff", ""])
def test_yaml_may_have_the_line_ends_and_marks_of_windows(
    load: Callable[..., Package], mark: str
) -> None:
    text = f"{mark}name: n\r\nlimits:\r\n  memory: 64\r\n"
    limits = load({"problem.yaml": text}).problem.limits
    assert limits is not None
    assert limits.memory_bytes == 64 << 20
