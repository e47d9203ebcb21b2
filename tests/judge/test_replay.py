"""Judging again what was logged: the same terms, the same lot, and no claim where nobody can say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaluator_service import replay_cli
from evaluator_service.audit import AuditFolder, AuditLog
from evaluator_service.case import Case, Trial
from evaluator_service.judge import Judge
from evaluator_service.prepare import prepare
from evaluator_service.replay import Replayed, Status, replay
from evaluator_service.schema import Comparison, JudgeFault, StdioProblem, TestResult
from evaluator_service.settings import Settings
from evaluator_service.shared import run_shared
from evaluator_service.verdicts import Verdict
from sandbox.model import Outcome
from tests.judge.audit_helpers import FakeJudge, add, case_of, results

AC, WA = Verdict.ACCEPTED, Verdict.WRONG_ANSWER
PACKAGES = {"numpy": "2.0"}
RIGHT, WRONG = results(AC, AC, AC), results(AC, WA)


def logged(
    folder: Path, ran: list[TestResult], error: JudgeFault | None = None, **sent: Any
) -> None:
    add(AuditLog(folder, 1 << 20, PACKAGES), case_of(**sent), ran, error)


def replayed(folder: Path, judge: FakeJudge, packages: dict[str, str] = PACKAGES) -> list[Replayed]:
    return list(replay(AuditFolder(folder), judge, packages, 2))


# --- what is judged again -------------------------------------------------------------------------


def test_a_case_is_settled_as_it_was(tmp_path: Path) -> None:
    sent: dict[str, Any] = {
        "settings": Settings(rerun_near_limit=True, compile_error_reward=-0.5),
        "likely": 2,
        "limits": {"cpu_time_seconds": 1.25, "memory_bytes": 1 << 28},
        "comparison": Comparison(profile="kattis", absolute_tolerance=0.5),
        "files": {"more.py": "x = 1"},
    }
    then = case_of(**sent)
    add(AuditLog(tmp_path, 1 << 20, PACKAGES), then, WRONG)
    judge = FakeJudge(WRONG)
    replayed(tmp_path, judge)
    (now,) = judge.cases
    for name in (
        *("code", "limits", "policy", "stops_at_failure", "reruns_near_limit"),
        *("penalties", "first_test", "seed", "problem"),
    ):
        assert getattr(now, name) == getattr(then, name), name
    assert now.policy.model_fields_set == then.policy.model_fields_set
    assert now.submission.files == then.submission.files


class FirstSeen(Exception):
    """Carries the input of the test that was run first."""


class Curious:
    """A session that says which test it is given first."""

    def run_first(self, given: bytes) -> Outcome:
        """Fail with the input."""
        raise FirstSeen(given)


def first_of(case: Case) -> bytes:
    session: Any = Curious()
    assert isinstance(case.problem, StdioProblem)
    with pytest.raises(FirstSeen) as seen:
        list(run_shared(session, case, Trial(), list(enumerate(prepare(case.problem)))))
    first: bytes = seen.value.args[0]
    return first


def test_the_secret_lot_of_mode_auto_falls_again_as_it_fell(tmp_path: Path) -> None:
    judge = FakeJudge(RIGHT)
    then = [case_of(isolation_mode="auto") for _ in range(20)]
    for case in then:
        add(AuditLog(tmp_path, 1 << 20, PACKAGES), case, RIGHT)
    replayed(tmp_path, judge)
    by_seed = {case.seed: first_of(case) for case in judge.cases}
    assert [by_seed[case.seed] for case in then] == [first_of(case) for case in then]
    assert set(by_seed.values()) == {b"0", b"1", b"2"}


# --- what is said of it ---------------------------------------------------------------------------


def only(folder: Path, judge: FakeJudge, packages: dict[str, str] = PACKAGES) -> tuple[Status, str]:
    (each,) = replayed(folder, judge, packages)
    return each.status, "; ".join(each.why)


def test_what_comes_out_the_same_is_the_same(tmp_path: Path) -> None:
    logged(tmp_path, WRONG)
    assert only(tmp_path, FakeJudge(WRONG)) == (Status.SAME, "")


def test_what_comes_out_otherwise_is_told_in_what(tmp_path: Path) -> None:
    logged(tmp_path, WRONG)
    status, why = only(tmp_path, FakeJudge(RIGHT))
    assert status is Status.DIFFERS
    assert "verdict wrong_answer, now accepted; reward 0.0, now 1.0; passed 1, now 3" in why
    assert "test 1 WA, now AC (exact)" in why


def test_another_method_is_a_difference(tmp_path: Path) -> None:
    logged(tmp_path, RIGHT)
    numeric = RIGHT[0].comparison.model_copy(update={"method": "numeric"})  # type: ignore[union-attr]
    changed = [RIGHT[0].model_copy(update={"comparison": numeric}), *RIGHT[1:]]
    assert only(tmp_path, FakeJudge(changed)) == (
        Status.DIFFERS,
        "test 0 AC (exact), now AC (numeric)",
    )


def test_where_other_versions_judge_nothing_is_the_same(tmp_path: Path) -> None:
    logged(tmp_path, RIGHT)
    assert only(tmp_path, FakeJudge(RIGHT), {"numpy": "3.0"}) == (
        Status.OTHER_VERSIONS,
        "packages numpy 2.0, now 3.0",
    )


@pytest.mark.parametrize("what", ["programs", "problems"])
def test_what_is_gone_or_damaged_is_lost(tmp_path: Path, what: str) -> None:
    logged(tmp_path, RIGHT)
    (kept,) = (tmp_path / what).iterdir()
    kept.write_bytes(kept.read_bytes() + b" ")
    assert only(tmp_path, FakeJudge(RIGHT))[0] is Status.LOST
    kept.unlink()
    assert only(tmp_path, FakeJudge(RIGHT))[0] is Status.LOST


def test_a_torn_line_is_lost_and_the_others_are_judged(tmp_path: Path) -> None:
    logged(tmp_path, RIGHT)
    with (tmp_path / "audit.jsonl").open("a") as file:
        file.write('{"time":\n')
    logged(tmp_path, RIGHT)
    statuses = [each.status for each in replayed(tmp_path, FakeJudge(RIGHT))]
    assert statuses == [Status.SAME, Status.LOST, Status.SAME]


def test_a_fault_of_the_judge_that_may_have_passed_is_skipped(tmp_path: Path) -> None:
    judge = FakeJudge(RIGHT)
    logged(tmp_path, [], JudgeFault(kind="overload", message="-", retryable=True))
    assert only(tmp_path, judge)[0] is Status.SKIPPED
    assert judge.cases == []


# --- the command ----------------------------------------------------------------------------------


def test_without_a_log_there_is_nothing_to_replay(tmp_path: Path) -> None:
    assert replay_cli.run(str(tmp_path)) == 2


@pytest.mark.nsjail
def test_a_log_is_replayed_and_a_changed_line_is_noticed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MICROCODER_PACKAGES", "[]")
    monkeypatch.setenv("MICROCODER_AUDIT_DIRECTORY", str(tmp_path))
    judge = Judge(Settings(slots_count=1))
    judge.start()
    every: list[dict[str, Any]] = [
        {},
        {"isolation_mode": "auto"},
        {"code": "print(0)", "reward": "fraction"},
    ]
    try:
        for sent in every:
            judge.judge(case_of(**sent).work)
    finally:
        judge.close()
    log = tmp_path / "audit.jsonl"
    lines = log.read_text()

    assert replay_cli.run(str(tmp_path), as_json=True) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["status"] for line in told] == ["same"] * 3
    assert log.read_text() == lines

    log.write_text(lines.replace('"passed":1', '"passed":2'))
    assert replay_cli.run(str(tmp_path)) == 1
    assert "passed 2, now 1" in capsys.readouterr().out
