"""The figures of one service in Prometheus's text format.

Nothing is counted here: each scrape reads ``Tally`` and the executor. A registry belongs to one application,
so that two in one process do not add up.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
    SummaryMetricFamily,
)
from prometheus_client.registry import Collector

from evaluator_service.boundaries import errors_count
from evaluator_service.engine import Figures, WorkerFigures
from evaluator_service.executor import Executor
from evaluator_service.tally import BUCKETS_SECONDS, Tally
from sandbox.figures import JailEnd, PoolFigures
from sandbox.flavours import BASE
from sandbox.selfcheck import SelfCheck

_BOUNDS = (*(f"{bound:g}" for bound in BUCKETS_SECONDS), "+Inf")

Labels = tuple[str, ...]


class Exposition(Collector):
    """A registry of its own, so that two in one process do not add up, and its text."""

    def __init__(self, collect: Callable[[], Iterator[Metric]]) -> None:
        """Ask ``collect`` at every scrape."""
        self._collect = collect
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)  # the process's memory, descriptors, CPU time

    def text(self) -> bytes:
        """Everything, in the text format 0.0.4."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """Called by the registry at every scrape."""
        yield from self._collect()


class Metrics(Exposition):
    """The figures of one application. Ask for their text on the event loop."""

    def __init__(self, executor: Executor, tally: Tally) -> None:
        """Read ``executor`` and ``tally`` at every scrape."""
        super().__init__(
            lambda: families(tally, executor.figures(), ready=executor.obstacle() is None)
        )


def of_worker(pool: PoolFigures | None, running_count: int, *, ready: bool) -> Iterator[Metric]:
    """What a worker says of itself; answers and the queue are for API processes to count."""
    yield _ready(ready)
    yield _running(running_count)
    yield _errors()
    if pool is not None:
        yield from _of_pool(pool)


def families(tally: Tally, figures: Figures, *, ready: bool) -> Iterator[Metric]:
    """Every metric of ours; none of jails where those are in other processes."""
    yield from _of_answers(tally)
    yield _ready(ready)
    yield from _of_queue(figures)
    yield _errors()
    if figures.pool is not None:
        yield from _of_pool(figures.pool)
    if figures.workers is not None:
        yield from _of_workers(figures.workers)


def _of_answers(tally: Tally) -> Iterator[Metric]:
    yield _counter(
        "microcoder_submissions_total",
        "Submissions answered, by verdict.",
        ("verdict",),
        {(verdict.value,): count for verdict, count in tally.verdicts.items()},
    )
    yield _counter(
        "microcoder_judge_errors_total",
        "Submissions that got no mark by our own fault, by kind of fault.",
        ("kind",),
        {(kind,): count for kind, count in tally.judge_errors.items()},
    )
    yield _counter(
        "microcoder_comparisons_total",
        "Outputs compared, by the method that matched; `none`: none did.",
        ("method",),
        {(method,): count for method, count in tally.methods.items()},
    )
    yield _counter(
        "microcoder_reused_submissions_total",
        "Submissions answered with what was judged before, or for another at the same time.",
        (),
        {(): tally.reused_count},
    )
    phases = HistogramMetricFamily(
        "microcoder_phase_seconds",
        "Time that each phase of a submission took, of those that ran and got a mark; waiting for a slot is one.",
        labels=("phase",),
    )
    for phase, histogram in tally.phases.items():
        buckets = list(zip(_BOUNDS, histogram.cumulative_counts, strict=True))
        phases.add_metric((phase,), buckets, histogram.sum_seconds)
    yield phases


def _errors() -> Metric:
    return _counter(
        "microcoder_errors_total",
        "Errors that are no program's, by the boundary that they crossed in this process: `http` a request failed, `judge` a judge "
        "raised, `sandbox` a jail died or could not start, `redis` it did not answer, or not as it should, `audit` lines "
        "could not be written.",
        ("boundary",),
        {(boundary,): count for boundary, count in errors_count().items()},
    )


def _ready(ready: bool) -> Metric:
    return _gauge(
        "microcoder_ready",
        "1 while new work is taken and would be judged, else 0; `/readyz` says why.",
        ready,
    )


def _running(count: int) -> Metric:
    return _gauge(
        "microcoder_running_submissions",
        "Submissions that a slot has taken, not answered yet.",
        count,
    )


def _of_queue(figures: Figures) -> Iterator[Metric]:
    yield _gauge(
        "microcoder_waiting_submissions",
        "Submissions accepted that no slot has taken yet.",
        figures.waiting_count,
    )
    yield _running(figures.running_count)
    yield _gauge(
        "microcoder_oldest_wait_seconds",
        "How long the oldest of those that wait has waited; 0 if none waits.",
        figures.oldest_wait_seconds,
    )


def _of_pool(pool: PoolFigures) -> Iterator[Metric]:
    yield _gauge("microcoder_slots", "Submissions that may run at a time.", pool.slots_count)
    yield _gauge("microcoder_free_slots", "Slots that nothing runs in.", pool.free_slots_count)
    yield from _of_jails(pool)
    yield _counter(
        "microcoder_sessions_total",
        "Sessions opened in jails: one or more for each run of a submission, and those of the self-check.",
        (),
        {(): pool.sessions_count},
    )
    yield _counter(
        "microcoder_swept_cgroups_total",
        "Control groups of killed services that were removed at the start.",
        (),
        {(): pool.swept_cgroups_count},
    )
    yield _counter(
        "microcoder_builds_total",
        "Programs that had to be compiled or checked first, by what came of it.",
        ("outcome",),
        {(end.value,): count for end, count in pool.builds_count.items()},
    )
    yield from _of_self_check(pool.self_check)
    yield _gauge(
        "microcoder_machine_seconds_per_reference_second",
        "CPU seconds of this machine that are one of the reference machine; 0 before that is known.",
        pool.speed.machine_seconds_per_reference_second if pool.speed is not None else 0,
    )


def _of_workers(workers: Sequence[WorkerFigures]) -> Iterator[Metric]:
    yield _gauge("microcoder_workers", "Worker processes that were heard of lately.", len(workers))
    yield _gauge(
        "microcoder_worker_slots",
        "Submissions that all of them may run at a time.",
        sum(worker.slots_count for worker in workers),
    )
    yield _gauge(
        "microcoder_workers_ready",
        "Those of them that would judge.",
        sum(worker.obstacle is None for worker in workers),
    )


def _of_jails(pool: PoolFigures) -> Iterator[Metric]:
    alive = {(role, BASE): 0 for role in ("program", "tester")}
    for jail in pool.jails:
        key = (jail.role, jail.flavour)
        alive[key] = alive.get(key, 0) + 1
    jails = GaugeMetricFamily(
        "microcoder_jails",
        "Living jails, by what they are for and what they have imported ahead.",
        labels=("role", "flavour"),
    )
    for labels, count in alive.items():
        jails.add_metric(labels, count)
    yield jails
    starts = SummaryMetricFamily(
        "microcoder_jail_start_seconds",
        "Jails that came to serve and how long each took, by flavour.",
        labels=("flavour",),
    )
    for flavour, count in ({BASE: 0} | dict(pool.started_jails_count)).items():
        starts.add_metric((flavour,), count, pool.start_seconds.get(flavour, 0.0))
    yield starts
    yield _counter(
        "microcoder_jails_ended_total",
        "Jails that are no more, by reason: served their number, died, closed with the service, never started.",
        ("reason",),
        {(end.value,): count for end, count in pool.ended_jails_count.items()},
    )
    yield SummaryMetricFamily(
        "microcoder_sessions_per_jail",
        "Jails that are no more and the sessions that each had served.",
        count_value=sum(
            count
            for end, count in pool.ended_jails_count.items()
            if end is not JailEnd.START_FAILED
        ),
        sum_value=pool.ended_sessions_count,
    )


def _of_self_check(check: SelfCheck | None) -> Iterator[Metric]:
    yield _gauge(
        "microcoder_self_check_passed",
        "1 once the first jail has passed the self-check; nothing is judged before.",
        check is not None and check.passed,
    )
    yield _gauge(
        "microcoder_self_check_ended_timestamp_seconds",
        "When the self-check ended, in seconds since 1970; 0 before.",
        check.ended_at.timestamp() if check is not None else 0,
    )


def _gauge(name: str, meaning: str, value: float) -> Metric:
    return GaugeMetricFamily(name, meaning, value=float(value))


def _counter(name: str, meaning: str, labels: Labels, values: Mapping[Labels, int]) -> Metric:
    family = CounterMetricFamily(name, meaning, labels=labels)
    for label_values, count in values.items():
        family.add_metric(label_values, count)
    return family
