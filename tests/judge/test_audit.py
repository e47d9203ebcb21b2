"""The audit log: a whole line for every judgement, no code in it, and no judgement that suffers for it."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import structlog

from evaluator_service import audit
from evaluator_service.audit import AuditFolder, AuditLog
from evaluator_service.content_folder import content_id
from evaluator_service.judge import Judge
from evaluator_service.schema import problem_content
from evaluator_service.settings import Settings
from evaluator_service.verdicts import Verdict
from tests.judge.audit_helpers import ECHO, add, case_of, records, results

AC, WA = Verdict.ACCEPTED, Verdict.WRONG_ANSWER


@pytest.fixture
def log(tmp_path: Path) -> AuditLog:
    return AuditLog(tmp_path / "audit", 1 << 20, {"numpy": "2.0"})


def test_a_line_says_by_what_it_was_judged_and_what_came_of_it(
    log: AuditLog, tmp_path: Path
) -> None:
    case = case_of(likely=1, settings=Settings(rerun_near_limit=True), id="r-1")
    with structlog.contextvars.bound_contextvars(request_id="q-1"):
        add(log, case, results(AC, WA))

    (record,) = records(tmp_path / "audit")

    assert (record.submission_id, record.request_id, record.owner) == ("r-1", "q-1", "trainer")
    assert record.problem_id == case.work.problem_id
    assert (record.terms.limits, record.terms.comparison) == (case.limits, case.policy)
    assert (record.terms.stops_at_failure, record.terms.reruns_near_limit) == (True, True)
    assert (record.drawn.first_test, record.drawn.lot) == (1, case.seed.hex())
    assert (record.versions.toolchains, record.versions.packages, record.versions.isolation) == (
        {"python": "Python 3.12.1"},
        {"numpy": "2.0"},
        "nsjail",
    )
    assert (record.outcome.verdict, record.outcome.reward, record.outcome.passed) == (WA, 0.0, 1)
    assert (record.outcome.verdicts, record.outcome.methods) == (
        ["AC", "WA", "SK"],
        ["exact", None, None],
    )


@pytest.mark.parametrize("sent", [{}, {"code": None, "completion": f"```python\n{ECHO}\n```"}])
def test_code_and_problem_lie_beside_the_line_under_their_hashes(
    log: AuditLog, tmp_path: Path, sent: dict[str, Any]
) -> None:
    case = case_of(**sent)
    add(log, case, results(AC, AC, AC))
    folder = AuditFolder(tmp_path / "audit")
    (record,) = records(tmp_path / "audit")
    program, problem = folder.programs.get(record.program), folder.problems.get(record.problem_id)
    assert ECHO not in folder.latest.read_text()
    assert program is not None
    assert ECHO in program.decode()
    assert problem == problem_content(case.problem)
    assert (content_id(program), content_id(problem)) == (record.program, record.problem_id)


def test_nobody_else_may_look_into_the_folder(log: AuditLog, tmp_path: Path) -> None:
    add(log, case_of(), results(AC))
    assert (tmp_path / "audit").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "audit" / "audit.jsonl").stat().st_mode & 0o777 == 0o600


def test_lines_of_many_writers_do_not_mix(tmp_path: Path) -> None:
    logs = [AuditLog(tmp_path, 20_000, {}) for _ in range(4)]
    with ThreadPoolExecutor(8) as threads:
        for number in range(200):
            threads.submit(add, logs[number % 4], case_of(id=str(number)), results(AC))
    assert {record.submission_id for record in records(tmp_path)} == set(map(str, range(200)))
    assert [log.lost_count for log in logs] == [0] * 4


def test_a_large_file_is_put_aside(tmp_path: Path) -> None:
    log = AuditLog(tmp_path, 3_000, {})
    for number in range(10):
        add(log, case_of(id=str(number)), results(AC))
    files = AuditFolder(tmp_path).files()
    assert len(files) > 2
    assert [record.submission_id for record in records(tmp_path)] == [*map(str, range(10))]
    assert max(path.stat().st_size for path in files) < 2 * 3_000


def test_a_line_that_the_disk_had_no_room_for_does_not_spoil_the_next(
    log: AuditLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", lambda where, data: write(where, data[: len(data) // 2 or 1]))
        add(log, case_of(id="torn"), results(AC))
    add(log, case_of(id="whole"), results(AC))
    _, (_, whole) = AuditFolder(tmp_path / "audit").lines()
    assert b'"submission_id":"whole"' in whole
    assert log.lost_count == 1


def test_lost_lines_are_counted_and_said_once_a_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    logger = structlog.testing.CapturingLogger()
    monkeypatch.setattr(audit, "log", logger)
    log = AuditLog(tmp_path / "file" / "below", 1 << 20, {})
    for _ in range(3):
        add(log, case_of(), results(AC))
    log._complained_at -= audit.COMPLAINT_SECONDS
    add(log, case_of(), results(AC))
    assert [call.kwargs["lost_count"] for call in logger.calls] == [1, 4]


@pytest.mark.nsjail
def test_a_judge_logs_every_judgement_and_judges_on_where_it_cannot(tmp_path: Path) -> None:
    folder = tmp_path / "audit"
    judge = Judge(Settings(slots_count=1, packages=(), audit_directory=folder))
    judge.start()
    nothing: dict[str, Any] = {"code": None, "completion": "I do not know."}
    try:
        for sent in ({"code": ECHO}, {"code": "print(0)"}, {"code": "def"}, nothing):
            judge.judge(case_of(**sent).work)
        outcomes = [record.outcome for record in records(folder)]
        (folder / "programs").rename(folder / "elsewhere")
        (folder / "programs").write_text("in the way")
        assert judge.judge(case_of().work).verdict is AC
    finally:
        judge.close()
    assert [outcome.verdict.code for outcome in outcomes] == ["AC", "WA", "CE", "NC"]
    assert outcomes[1].verdicts == ["AC", "WA", "SK"]
    assert len(records(folder)) == 4
