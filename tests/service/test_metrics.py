"""What the service says of itself: figures that agree with what it did, each documented."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from prometheus_client.parser import text_string_to_metric_families
from pydantic import BaseModel

from evaluator_service import stats
from evaluator_service.engine import Figures
from evaluator_service.metrics import families
from evaluator_service.tally import Histogram, Tally
from sandbox.figures import JailEnd, JailFigures, Ledger
from sandbox.pool import Pool

Make = Callable[..., dict[str, Any]]
OPERATIONS = (Path(__file__).parents[2] / "docs" / "operations.md").read_text()


def scraped(client: httpx2.Client, path: str = "/metrics") -> dict[str, float]:
    """All samples, by name and labels as they are written."""
    answer = client.get(path)
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    pairs = (line.rsplit(" ", 1) for line in answer.text.splitlines() if line[0] != "#")
    return {name: float(value) for name, value in pairs}


def names_of(client: httpx2.Client) -> Iterator[str]:
    for family in text_string_to_metric_families(client.get("/metrics").text):
        yield f"{family.name}_total" if family.type == "counter" else family.name


def test_the_table_names_exactly_what_is_scraped(client: httpx2.Client, judge: Any) -> None:
    judge.pool = Pool(1)
    documented = re.findall(r"^\| `((?:microcoder|process)_\w+)` \|", OPERATIONS, re.MULTILINE)
    of_workers = {name for name in documented if name.startswith("microcoder_worker")}
    assert sorted(names_of(client)) == sorted(set(documented) - of_workers)
    shown = families(Tally(), Figures(0, 0, 0.0, None, ()), ready=True)
    assert of_workers == {f.name for f in shown if f.name.startswith("microcoder_worker")}


@pytest.mark.parametrize(
    "field",
    sorted(
        {
            name
            for model in vars(stats).values()
            if isinstance(model, type) and issubclass(model, BaseModel)
            for name in model.model_fields
        }
    ),
)
def test_a_field_of_the_stats_is_documented(field: str) -> None:
    assert f"`{field}`" in OPERATIONS


def test_a_service_without_jails_of_its_own_says_nothing_of_jails(client: httpx2.Client) -> None:
    assert not [name for name in names_of(client) if "jail" in name or "slot" in name]
    assert client.get("/stats").json()["sandbox"] is None


@pytest.mark.parametrize("prefix", ["", "/v1"])
def test_answers_are_counted_by_verdict_and_kind_of_fault(
    client: httpx2.Client, submission: Make, prefix: str
) -> None:
    for code in ("accept", "accept", "wrong", "raise"):
        client.post("/judge", json=submission(code))
    figures = scraped(client, f"{prefix}/metrics")
    assert figures['microcoder_submissions_total{verdict="accepted"}'] == 2
    assert figures['microcoder_submissions_total{verdict="wrong_answer"}'] == 1
    assert figures['microcoder_submissions_total{verdict="runtime_error"}'] == 0
    assert figures['microcoder_judge_errors_total{kind="internal"}'] == 1
    assert figures['microcoder_comparisons_total{method="exact"}'] == 2
    assert figures['microcoder_comparisons_total{method="none"}'] == 1
    assert figures['microcoder_comparisons_total{method="numeric"}'] == 0
    told = client.get(f"{prefix}/stats").json()
    assert told["methods_count"] == {"exact": 2, "none": 1}
    assert (told["verdicts_count"]["accepted"], told["judge_errors_count"]["internal"]) == (2, 1)


def test_the_times_of_what_has_a_mark_are_counted_by_phase(
    client: httpx2.Client, submission: Make
) -> None:
    for code in ("accept", "wrong", "raise"):
        client.post("/judge", json=submission(code))
    figures = scraped(client)
    for phase in ("queue", "compile", "run", "compare"):
        assert figures[f'microcoder_phase_seconds_count{{phase="{phase}"}}'] == 2
        assert client.get("/stats").json()["phases"][phase]["count"] == 2


def test_what_waits_is_told_from_what_runs(serve: Callable[..., Any], submission: Make) -> None:
    client, judge = serve(slots_count=1)
    body = {"submissions": [submission("hold")] * 3}
    with client.stream(
        "POST", "/judge/batch", json=body, headers={"Accept": "application/x-ndjson"}
    ):
        judge.wait_until_held()
        told = client.get("/stats").json()
        judge.release.set()
    assert (told["running_count"], told["waiting_count"]) == (1, 2)
    assert told["oldest_wait_seconds"] > 0


def test_an_obstacle_shows_in_all_three_places(client: httpx2.Client, judge: Any) -> None:
    assert scraped(client)["microcoder_ready"] == 1
    judge.obstacle = lambda: "not so: no network"
    assert scraped(client)["microcoder_ready"] == 0
    assert client.get("/stats").json()["obstacle"] == "not so: no network"
    assert client.get("/readyz").json()["detail"] == "not so: no network"


def test_how_fast_the_machine_is_shows_once_it_is_known(client: httpx2.Client, judge: Any) -> None:
    name = "machine_seconds_per_reference_second"
    for known, shown in ((None, (0, None)), (1.5, (1.5, 1.5))):
        judge.pool = Pool(1, machine_seconds_per_reference_second=known)
        told = client.get("/stats").json()["sandbox"]
        assert (scraped(client)[f"microcoder_{name}"], told[name]) == shown


def test_two_services_in_one_process_count_apart(
    serve: Callable[..., Any], submission: Make
) -> None:
    (busy, _), (idle, _) = serve(), serve()
    busy.post("/judge", json=submission())
    name = 'microcoder_submissions_total{verdict="accepted"}'
    assert (scraped(busy)[name], scraped(idle)[name]) == (1, 0)


def test_a_bucket_includes_its_bound_and_the_last_has_none() -> None:
    histogram = Histogram()
    for seconds in (0.001, 0.0011, 1e9):
        histogram.add(seconds)
    assert histogram.cumulative_counts[:2] == [1, 2]
    assert histogram.cumulative_counts[-2:] == [2, 3]
    assert histogram.count == 3


def test_sessions_of_ended_jails_stay_counted() -> None:
    ledger = Ledger()
    ledger.started("base", 0.25)
    ledger.started("base", 0.5)
    ledger.ended(JailEnd.RECYCLED, sessions_count=2000)
    alive = (JailFigures(slot_number=0, role="program", flavour="base", sessions_count=7),)
    figures = ledger.figures(
        level="nsjail", slots_count=1, free_slots_count=1, jails=alive, self_check=None
    )
    assert figures.sessions_count == 2007
    assert (figures.started_jails_count, figures.start_seconds) == ({"base": 2}, {"base": 0.75})
    assert figures.ended_jails_count[JailEnd.RECYCLED] == 1


def test_what_is_given_again_counts_as_an_answer_and_as_nothing_that_ran(
    serve: Callable[..., Any], submission: Make
) -> None:
    client, _ = serve(reuse_judgements=True)
    for _ in range(3):
        client.post("/judge", json=submission())
    stats = client.get("/stats").json()
    assert stats["verdicts_count"]["accepted"] == 3
    assert stats["methods_count"] == {"exact": 1}
    assert stats["phases"]["run"]["count"] == 1
    assert "\nmicrocoder_reused_submissions_total 2.0\n" in client.get("/metrics").text
