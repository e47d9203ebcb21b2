"""The same behaviour gets the same verdict in every language."""

from __future__ import annotations

import re

import pytest

from evaluator_service.verdicts import Verdict
from tests.languages.conftest import Judged
from tests.languages.sources import FOLDER, Source, languages_here, sources

pytestmark = [pytest.mark.nsjail, pytest.mark.languages]

MEBIBYTE_BYTES = 1 << 20
NUMBERS = [i * 7919 % 1_000_003 - 500_000 for i in range(100_000)]
ANSWERS = {
    "hello": "hello",
    "deep": "100000",
    "threads": str(sum(range(1000))),
    "files": "42",
    "empty_input": "0 bytes",
}
SIGNALS = {"c": "SIGSEGV", "cpp": "SIGFPE", "bash": "SIGSEGV"}
ABORTED = "SIGABRT"


@pytest.mark.parametrize("source", sources(*ANSWERS))
def test_an_honest_program_is_accepted(judged: Judged, source: Source) -> None:
    judgement = judged(source, "", ANSWERS[source.path.stem])
    assert judgement.verdict is Verdict.ACCEPTED, judgement


def test_every_other_python_that_is_here_runs_programs_of_several_files(judged: Judged) -> None:
    others = [name for name in languages_here().toolchains if name.startswith("python3.")]
    judgements = [judged(Source(name, FOLDER / "python" / "files"), "", "42") for name in others]
    assert {judgement.verdict for judgement in judgements} <= {Verdict.ACCEPTED}


@pytest.mark.parametrize("source", sources("sum"))
def test_much_input_is_read_as_one_does_within_the_usual_limits(
    judged: Judged, source: Source
) -> None:
    given = f"{len(NUMBERS)}\n{' '.join(map(str, NUMBERS))}\n"
    assert judged(source, given, str(sum(NUMBERS))).verdict is Verdict.ACCEPTED


@pytest.mark.parametrize("source", sources("busy"))
def test_a_program_that_never_ends_uses_up_its_cpu_time(judged: Judged, source: Source) -> None:
    judgement = judged(source, cpu_time_seconds=0.5)
    (test,) = judgement.tests
    assert test.verdict is Verdict.TIME_LIMIT_EXCEEDED
    assert test.cpu_time_seconds is not None
    assert test.cpu_time_seconds >= judgement.limits.cpu_time_seconds >= 0.5


@pytest.mark.parametrize("source", sources("sleeps"))
def test_a_program_that_sleeps_is_not_waited_for(judged: Judged, source: Source) -> None:
    (test,) = judged(source, cpu_time_seconds=0.1).tests
    assert test.verdict is Verdict.TIME_LIMIT_EXCEEDED
    assert test.message == "idled far beyond its CPU time"


@pytest.mark.parametrize("source", sources("memory_in_steps", "memory_at_once"))
def test_a_program_that_takes_too_much_memory_is_told_so(judged: Judged, source: Source) -> None:
    judgement = judged(source, memory_bytes=128 * MEBIBYTE_BYTES)
    assert judgement.verdict is Verdict.MEMORY_LIMIT_EXCEEDED, judgement


@pytest.mark.parametrize("source", sources("floods"))
def test_a_program_that_writes_without_end_is_stopped(judged: Judged, source: Source) -> None:
    judgement = judged(source, output_bytes=MEBIBYTE_BYTES, cpu_time_seconds=1)
    assert judgement.verdict is Verdict.OUTPUT_LIMIT_EXCEEDED, judgement


@pytest.mark.parametrize("source", sources("fails"))
def test_a_program_that_fails_is_quoted(judged: Judged, source: Source) -> None:
    (test,) = judged(source).tests
    assert test.verdict is Verdict.RUNTIME_ERROR
    assert "this went wrong" in (test.message or "")
    assert test.exit_code not in (0, None)


@pytest.mark.parametrize("source", sources("signal"))
def test_the_signal_that_ended_a_program_is_named(judged: Judged, source: Source) -> None:
    (test,) = judged(source).tests
    assert test.verdict is Verdict.RUNTIME_ERROR
    assert test.message == f"was ended by {SIGNALS.get(source.language, ABORTED)}"


@pytest.mark.parametrize("source", sources("does_not_compile"))
def test_the_compiler_names_the_line_that_is_wrong(judged: Judged, source: Source) -> None:
    lines = source.text.splitlines()
    wrong = next(number for number, line in enumerate(lines, 1) if line.endswith(" wrong"))
    judgement = judged(source)
    assert judgement.verdict is Verdict.COMPILE_ERROR
    assert re.search(rf"\b{wrong}\b", judgement.message or ""), judgement.message
    assert judgement.extraction.complete


@pytest.mark.parametrize("source", sources("breaks_off"))
def test_source_that_breaks_off_is_incomplete_rather_than_wrong(
    judged: Judged, source: Source
) -> None:
    judgement = judged(source)
    assert judgement.verdict is Verdict.COMPILE_ERROR
    assert not judgement.extraction.complete, judgement.message


@pytest.mark.parametrize("source", sources("odd_bytes"))
def test_output_that_is_no_utf_8_is_compared_and_shown(judged: Judged, source: Source) -> None:
    (test,) = judged(source, "", "another answer").tests
    assert test.verdict is Verdict.WRONG_ANSWER
    assert test.stdout_head == "\ufffd\ufffd\n"
