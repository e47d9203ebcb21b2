"""The attacks of tests/cases, over HTTP against a real service: right verdicts, and nothing that stays."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import httpx2
import psutil
import pytest

from benchmarks.soak_traces import Traces, settled_traces
from evaluator_service.local_service import running_process
from evaluator_service.schema import Judgement
from evaluator_service.verdicts import Verdict
from tests.sandbox.attack_cases import HONEST, AttackCase, load_cases

pytestmark = [pytest.mark.nsjail, pytest.mark.timeout(600)]

CASES = load_cases()
SLOTS_COUNT = 2
MOST_GROWTH_BYTES = 64 << 20
"""More than what the largest of these answers takes to read; a leak of them all would be many times that."""


class Attacked(NamedTuple):
    """A service after all attacks; judgements of each attack and of the honest program behind it."""

    client: httpx2.Client
    level: str
    judgements: dict[str, tuple[Judgement, Judgement]]
    before: Traces
    after: Traces


@pytest.fixture(scope="module")
def attacked() -> Iterator[Attacked]:
    """All attacks that concern this machine, as many at a time as there are slots."""
    settings = {"MICROCODER_SLOTS_COUNT": str(SLOTS_COUNT)}
    with (
        running_process(settings) as service,
        httpx2.Client(base_url=service.url, timeout=120, trust_env=False) as client,
        ThreadPoolExecutor(SLOTS_COUNT) as clients,
    ):
        process = psutil.Process(service.pid)
        level = judged(client, HONEST).isolation.level
        before = settled_traces(process)
        cases = [case for case in CASES if not case.unmet_needs(level)]
        found = clients.map(lambda case: judged_with_honest(client, case), cases)
        judgements = {case.name: pair for case, pair in zip(cases, found, strict=True)}
        yield Attacked(client, level, judgements, before, settled_traces(process))


def judged(client: httpx2.Client, submission: dict[str, Any]) -> Judgement:
    answer = client.post("/judge", json=submission)
    assert answer.status_code == 200, answer.text
    return Judgement.model_validate_json(answer.content)


def judged_with_honest(client: httpx2.Client, case: AttackCase) -> tuple[Judgement, Judgement]:
    return judged(client, case.submission()), judged(client, HONEST)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_an_attack_gets_its_verdict_and_harms_nobody_else(
    attacked: Attacked, case: AttackCase
) -> None:
    if unmet := case.unmet_needs(attacked.level):
        pytest.skip(f"needs {', '.join(unmet)}, and this machine has {attacked.level}")
    attack, honest = attacked.judgements[case.name]
    assert case.complaints(attack) == []
    assert honest.verdict is Verdict.ACCEPTED


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_the_attacked_service_lives_and_takes_work(attacked: Attacked, path: str) -> None:
    assert attacked.client.get(path).status_code == httpx2.codes.OK


def test_no_process_stays_but_jails_with_their_zygotes(attacked: Attacked) -> None:
    assert attacked.after.strays_count == 0


def test_no_control_group_or_file_stays(attacked: Attacked) -> None:
    assert attacked.after.groups_count <= attacked.before.groups_count
    assert attacked.after.files_count <= attacked.before.files_count


def test_the_attacked_service_grows_within_bounds(attacked: Attacked) -> None:
    assert attacked.after.service_bytes - attacked.before.service_bytes < MOST_GROWTH_BYTES
