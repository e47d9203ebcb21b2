"""The main job in one command: a real service judges every bundled rollout over HTTP.

Starts the service with the embedded executor on a free loopback port, stores the sample problems, sends all
rollouts as one streamed batch, and reports. The verdicts that the rollouts name are the yardstick.
"""

import json as json_module
import sys
import time
from collections.abc import Iterable, Iterator, Sequence

import httpx2

from evaluator_service.demo_report import Report, Row, as_json, print_report
from evaluator_service.local_service import SERVE, ServiceStartError, running_service
from evaluator_service.samples import Rollout, Sample, load_samples
from evaluator_service.schema import BatchRequest, Judgement, ProblemReference
from evaluator_service.streaming import NDJSON
from evaluator_service.terminal import judging_progress, table_console

_FILE_WIDTH_CHARACTERS = 110
_SETTINGS = {"MICROCODER_LIKELY_FAILURE_FIRST": "false"}
"""What is expected of a rollout is the verdict of the first test that it fails as they are declared."""
_SILENCE_SECONDS = 120.0
"""Longest wait for the next judgement: far above the slowest rollout."""


def run(json: bool = False, *, command: tuple[str, ...] = SERVE) -> int:
    """Judge the bundled rollouts and print what came of it.

    Args:
        json: Print one JSON document instead of a table.
        command: What serves, see `running_service`.

    Returns:
        The exit status: 0 if every verdict is the expected one, 1 if not, 2 if there was no service.
    """
    samples = load_samples()
    try:
        with running_service(_SETTINGS, command) as url:
            report = judge_samples(url, samples)
    except (ServiceStartError, httpx2.HTTPError) as error:
        print(f"microcoder demo: {error}", file=sys.stderr)  # noqa: T201 - the command's answer
        return 2
    if json:
        print(json_module.dumps(as_json(report), ensure_ascii=False, indent=1))  # noqa: T201
    else:
        print_report(report, table_console(_FILE_WIDTH_CHARACTERS))
    return 0 if report.is_as_expected else 1


def judge_samples(url: str, samples: Sequence[Sample]) -> Report:
    """Have the service at ``url`` judge every rollout of ``samples``, with a progress bar on a terminal.

    Raises:
        httpx2.HTTPError: If the service cannot be reached, refuses the batch, or ends its answer early.
    """
    with httpx2.Client(base_url=url, timeout=_SILENCE_SECONDS, trust_env=False) as client:
        languages = client.get("/version").raise_for_status().json()["languages"]
        every = [(sample, rollout) for sample in samples for rollout in sample.rollouts]
        plan = [(sample, rollout) for sample, rollout in every if rollout.language in languages]
        problem_ids = {sample.name: _store(client, sample) for sample in samples}
        batch = _batch((rollout, problem_ids[sample.name]) for sample, rollout in plan)
        started = time.monotonic()
        judgements = dict(_watched(_judged(client, batch), len(plan)))
        elapsed_seconds = time.monotonic() - started
    if len(judgements) != len(plan):
        raise httpx2.HTTPError(f"{len(judgements)} judgements came for {len(plan)} submissions")
    rows = [
        Row(sample.name, sample.problem.kind, rollout, judgements[index])
        for index, (sample, rollout) in enumerate(plan)
    ]
    missing = {rollout.language for _, rollout in every} - languages.keys()
    return Report(rows, elapsed_seconds, tuple(sorted(missing)))


def _store(client: httpx2.Client, sample: Sample) -> str:
    content = sample.problem.model_dump_json(exclude_unset=True)
    response = client.post("/problems", content=content, headers=_JSON_BODY)
    response.raise_for_status()
    return ProblemReference.model_validate_json(response.content).problem_id


def _batch(rollouts: Iterable[tuple[Rollout, str]]) -> str:
    submissions = [rollout.submission(problem_id) for rollout, problem_id in rollouts]
    return BatchRequest(submissions=submissions).model_dump_json(exclude_unset=True)


_JSON_BODY = {"Content-Type": "application/json"}


def _judged(client: httpx2.Client, batch: str) -> Iterator[tuple[int, Judgement]]:
    """Index and judgement of each submission, the moment it is judged."""
    headers = {**_JSON_BODY, "Accept": NDJSON}
    with client.stream("POST", "/judge/batch", content=batch, headers=headers) as response:
        response.raise_for_status()
        for line in _lines(response.iter_bytes()):
            message = json_module.loads(line)
            if "judgement" in message:
                yield message["index"], Judgement.model_validate(message["judgement"])


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Split at line feeds alone: JSON text may hold the other characters that `splitlines` splits at."""
    rest = b""
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines
    if rest:
        yield rest


def _watched(
    judgements: Iterator[tuple[int, Judgement]], total: int
) -> Iterator[tuple[int, Judgement]]:
    with judging_progress() as progress:
        task = progress.add_task("judging", total=total)
        for judgement in judgements:
            progress.advance(task)
            yield judgement
