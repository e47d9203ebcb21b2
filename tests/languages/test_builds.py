"""Sources are compiled once; whatever becomes of what was made, the verdict is right."""

from __future__ import annotations

import errno
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from evaluator_service.judge import Judge
from evaluator_service.schema import Judgement, Submission, problem_id
from evaluator_service.settings import Settings
from evaluator_service.verdicts import Verdict
from evaluator_service.work import Work
from sandbox import builds, kept, pool
from tests.languages.sources import Source, skip_unless_here, sources

pytestmark = [pytest.mark.nsjail, pytest.mark.languages]

COMPILED = ("c", "java", "typescript", "bash")
"""An executable; files that are read back; a folder of scripts; nothing."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where builds are kept."""
    return tmp_path_factory.mktemp("builds")


@pytest.fixture(scope="module")
def judge(folder: Path) -> Iterator[Judge]:
    """With room for all builds."""
    yield from judges(folder, 1 << 30)


@pytest.fixture(scope="module")
def other_judge(folder: Path) -> Iterator[Judge]:
    """Another service, as far as builds go, with no room for them."""
    yield from judges(folder, 1)


def judges(folder: Path, max_bytes: int) -> Iterator[Judge]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(pool, "Builds", lambda *_: builds.Builds(folder, max_bytes))
        judge = Judge(Settings(slots_count=2, packages=()))
        judge.start()
    yield judge
    judge.close()


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The languages that a compiler was started for, in order."""
    started: list[str] = []
    make = builds._make

    def counted(toolchain: Any, *arguments: Any) -> Any:
        started.append(toolchain.language.name)
        return make(toolchain, *arguments)

    monkeypatch.setattr(builds, "_make", counted)
    return started


def hello(language: str, remark: str) -> dict[str, Any]:
    """A program that greets, told apart from others by a file beside it."""
    skip_unless_here(language)
    (source,) = (
        param.values[0] for param in sources("hello") if param.values[0].language == language
    )
    assert isinstance(source, Source)
    return {**source.fields(), "files": {"remark.txt": remark}}


def judged(judge: Judge, fields: dict[str, Any]) -> Judgement:
    problem = {"kind": "stdio", "tests": [{"input": "", "expected": "hello"}] * 2}
    submission = Submission.model_validate({**fields, "problem": problem})
    assert submission.problem is not None
    name = problem_id(submission.problem)
    return judge.judge(Work(submission, submission.problem, name, time.monotonic()))


@pytest.mark.parametrize("language", COMPILED)
def test_the_same_sources_at_the_same_time_are_compiled_once(
    judge: Judge, compilations: list[str], language: str
) -> None:
    fields = hello(language, "at the same time")
    with ThreadPoolExecutor(4) as threads:
        judgements = list(threads.map(lambda _: judged(judge, fields), range(4)))
    assert {judgement.verdict for judgement in judgements} == {Verdict.ACCEPTED}
    assert compilations == [language]


def test_another_service_finds_what_was_compiled(
    judge: Judge, other_judge: Judge, compilations: list[str]
) -> None:
    fields = hello("c", "of both")
    assert judged(judge, fields).verdict is Verdict.ACCEPTED
    assert judged(other_judge, fields).verdict is Verdict.ACCEPTED
    assert compilations == ["c"]


def test_other_words_to_the_compiler_are_another_build(
    judge: Judge, compilations: list[str]
) -> None:
    assert judged(judge, hello("c", "one")).verdict is Verdict.ACCEPTED
    assert judged(judge, hello("c", "another")).verdict is Verdict.ACCEPTED
    assert compilations == ["c", "c"]


@pytest.mark.parametrize("language", COMPILED)
@pytest.mark.parametrize("damage", ["truncated", "removed"])
def test_what_was_damaged_on_disk_is_made_anew(
    judge: Judge, folder: Path, compilations: list[str], language: str, damage: str
) -> None:
    fields = hello(language, f"to be {damage}")
    assert judged(judge, fields).verdict is Verdict.ACCEPTED
    for file in (path for path in folder.rglob("*") if path.is_file()):
        file.write_bytes(b"") if damage == "truncated" else file.unlink()
    assert judged(judge, fields).verdict is Verdict.ACCEPTED
    assert compilations == [language, language]


@pytest.mark.parametrize("language", COMPILED)
def test_no_run_breaks_where_there_is_no_room_for_builds(other_judge: Judge, language: str) -> None:
    programs = [hello(language, f"one of many: {number % 3}") for number in range(8)]
    with ThreadPoolExecutor(2) as threads:
        judgements = list(threads.map(lambda fields: judged(other_judge, fields), programs))
    assert {judgement.verdict for judgement in judgements} == {Verdict.ACCEPTED}


@pytest.mark.parametrize("language", COMPILED)
def test_no_run_breaks_where_the_disk_is_full(
    judge: Judge, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    def no_space(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(kept.Kept, "_put", no_space)
    assert judged(judge, hello(language, "nowhere kept")).verdict is Verdict.ACCEPTED


def test_nothing_is_kept_of_what_did_not_compile(
    judge: Judge, folder: Path, compilations: list[str]
) -> None:
    fields = {"language": "c", "code": "int main(void) { return nothing; }"}
    before = set(folder.glob("*"))
    assert judged(judge, fields).verdict is Verdict.COMPILE_ERROR
    assert judged(judge, fields).verdict is Verdict.COMPILE_ERROR
    assert set(folder.glob("*")) <= before
    assert compilations == ["c", "c"]


def test_a_program_that_lies_in_a_folder_is_found_there(judge: Judge) -> None:
    fields = hello("typescript", "in a folder")
    assert judged(judge, {**fields, "file_name": "src/main.ts"}).verdict is Verdict.ACCEPTED


@pytest.mark.parametrize("name", ["-o.cpp", "@words.c", "../x.c", "/etc/x.c", "a b.c", "a;b.c", ""])
def test_no_file_is_called_what_a_compiler_takes_for_an_option(name: str) -> None:
    with pytest.raises(ValidationError):
        Submission.model_validate(
            {
                "language": "c",
                "code": "int main(void) {}",
                "files": {name: ""},
                "problem": {"kind": "stdio", "tests": [{"input": "", "expected": ""}]},
            }
        )
