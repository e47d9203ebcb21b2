"""Every way to isolate that this machine can try keeps what it promises; memory is bounded in each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from evaluator_service.judge import Judge
from evaluator_service.schema import Judgement, Submission, problem_id
from evaluator_service.settings import Settings
from evaluator_service.verdicts import Verdict
from evaluator_service.work import Work
from sandbox import pool
from sandbox.isolation import plans

pytestmark = pytest.mark.nsjail

PLANS = list(plans())

MEMORY_BYTES = 128 << 20


@pytest.fixture(scope="module", params=PLANS, ids=lambda plan: plan.level)
def judge(request: pytest.FixtureRequest) -> Iterator[Judge]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool, "plans", lambda: iter([request.param]))
        judge = Judge(Settings(slots_count=1))
        judge.start()
    yield judge
    judge.close()


def judged(judge: Judge, code: str) -> Judgement:
    problem: dict[str, Any] = {
        "kind": "stdio",
        "tests": [{"input": "", "expected": "done\n"}, {"input": "later", "expected": "later\n"}],
        "limits": {"memory_bytes": MEMORY_BYTES, "cpu_time_seconds": 4, "processes_count": 16},
    }
    later = "import sys\nif sys.stdin.read():\n    print('later')\n    sys.exit()\n"
    fields = {"code": later + code, "problem": problem, "report": "full", "stop": "never"}
    submission = Submission.model_validate(fields)
    assert submission.problem is not None
    return judge.judge(Work(submission, submission.problem, problem_id(submission.problem), 0.0))


def test_the_self_check_passes_and_the_level_is_named(
    judge: Judge, request: pytest.FixtureRequest
) -> None:
    judgement = judged(judge, "print('done')")
    assert judgement.verdict is Verdict.ACCEPTED
    assert f"[{judgement.isolation.level}]" in request.node.name


def test_memory_of_one_process_is_bounded(judge: Judge) -> None:
    judgement = judged(judge, f"bytearray({2 * MEMORY_BYTES})\nprint('done')")
    assert judgement.verdict is Verdict.MEMORY_LIMIT_EXCEEDED
    assert judgement.tests[1].verdict is Verdict.ACCEPTED


def test_memory_of_all_processes_together_is_bounded(judge: Judge) -> None:
    code = (
        "import os, time\nfor _ in range(8):\n    if os.fork() == 0:\n"
        f"        kept = os.urandom(1 << 20) * {(MEMORY_BYTES * 3 // 4) >> 20}\n        time.sleep(3)\n"
        "        os._exit(0)\nassert not any(os.wait()[1] for _ in range(8))\nprint('done')"
    )
    judgement = judged(judge, code)
    assert judgement.tests[0].verdict is Verdict.MEMORY_LIMIT_EXCEEDED
    assert judgement.tests[1].verdict is Verdict.ACCEPTED


def test_what_processes_share_counts_once(judge: Judge) -> None:
    code = (
        f"import os, time\nkept = os.urandom(1 << 20) * {(MEMORY_BYTES // 2) >> 20}\n"
        "for _ in range(6):\n    if os.fork() == 0:\n        time.sleep(0.5)\n        os._exit(0)\n"
        "for _ in range(6):\n    os.wait()\nprint('done')"
    )
    assert judged(judge, code).verdict is Verdict.ACCEPTED
