"""Every fault once, under load: a cluster whose parts die, freeze and fill up, and not one submission lost or wrong.

    python -m benchmarks.cluster_faults --submissions 20000

Two API processes, two workers of one slot, a Redis with an append-only file, all of them processes of this machine.
Takes some minutes; ends with 1 if anything was not as promised.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from benchmarks.cluster import Cluster
from benchmarks.cluster_clients import ANSWER_SECONDS, PROBLEM, Client, Planned, Tally, planned
from evaluator_service.distributed import keys
from sandbox.languages import LANGUAGES

BATCH_COUNT = 512
CLIENTS_COUNT = 4
KEPT_SECONDS = 30
FROZEN_SECONDS = 20.0
FULL_SECONDS = 15.0
SETTLE_SECONDS = 120.0
STATE_MEBIBYTES = 512
MORE_BYTES = 4 << 20
"""How much more Redis may hold afterwards: its own bookkeeping, and fragments."""


class Fault(NamedTuple):
    """Something that happens once.

    Attributes:
        name: In words.
        share: When: after that part of all submissions has marks.
        happen: Makes it happen, and undoes it where that is part of it; blocks.
    """

    name: str
    share: float
    happen: Callable[[], None]


def main() -> int:
    """Run it; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--submissions", type=int, default=20_000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    report = run(options.submissions, Console(stderr=True))
    if options.json:
        Console().print_json(json.dumps(report))
    else:
        _show(report)
    return 1 if report["wrongs"] else 0


def run(submissions_count: int, console: Console) -> dict[str, Any]:
    """Let everything happen once while so many submissions are judged; what came of it."""
    with tempfile.TemporaryDirectory() as name, _small_disk(Path(name) / "state") as state:
        settings = {
            "MICROCODER_SLOTS_COUNT": "1",
            "MICROCODER_STATE_DIRECTORY": str(state),
            "MICROCODER_RESULT_SECONDS": str(KEPT_SECONDS),
            "MICROCODER_REUSE_SECONDS": str(KEPT_SECONDS),
            "MICROCODER_QUEUE_ITEMS_MAX": "4000",
            "MICROCODER_TOOLCHAINS": json.dumps(
                dict.fromkeys(LANGUAGES.keys() - {"python", "c"}, "")
            ),
        }
        cluster = Cluster(Path(name), settings, apis_count=2, workers_count=2)
        with cluster.running():
            with cluster.redis.client() as client:
                before_bytes = client.info("memory")["used_memory"]
            tally, happened, elapsed_seconds = _load(cluster, state, submissions_count, console)
            left = _left_behind(cluster, before_bytes)
        left += [f"process {process.pid} lives on" for process in cluster.left_processes()]
        report: dict[str, Any] = {
            "submissions": submissions_count,
            "marks": len(tally.marks),
            "submissions_per_second": round(submissions_count / elapsed_seconds, 1),
            "faults_made": happened,
            "judge_errors_sent_again": dict(tally.faults),
            "requests_sent_again": dict(tally.refusals),
            "wrongs": [*tally.wrongs, *left],
        }
        report["wrongs"] += _unanswered(tally, submissions_count)
        report["wrongs"] += [
            f"did not happen: {fault.name}; send more submissions"
            for fault in _faults(cluster, state)
            if fault.name not in happened
        ]
        return report


def _unanswered(tally: Tally, submissions_count: int) -> list[str]:
    missing_count = submissions_count - len(tally.marks)
    return [f"{missing_count} submissions have no mark"] if missing_count else []


def _load(
    cluster: Cluster, state: Path, submissions_count: int, console: Console
) -> tuple[Tally, list[str], float]:
    tally = Tally()
    batches = enumerate(_batches(submissions_count))
    clients = [Client(cluster.urls, batches, tally) for _ in range(CLIENTS_COUNT)]
    faults = iter(_faults(cluster, state))
    happened: list[str] = []
    began = time.monotonic()
    for client in clients:
        client.start()
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("judging", total=submissions_count)
        following = next(faults, None)
        while any(client.is_alive() for client in clients):
            progress.update(task, completed=len(tally.marks))
            if following is not None and len(tally.marks) >= following.share * submissions_count:
                console.print(f"{len(tally.marks):>6} marks: {following.name}")
                following.happen()
                happened.append(following.name)
                following = next(faults, None)
            time.sleep(0.05)
    return tally, happened, time.monotonic() - began


def _batches(count: int) -> Iterator[list[Planned]]:
    submissions = planned(count)
    while batch := list(itertools.islice(submissions, BATCH_COUNT)):
        yield batch


# --- what happens ---------------------------------------------------------------------------------


def _faults(cluster: Cluster, state: Path) -> list[Fault]:
    return [
        Fault(
            "kill -9 of a worker in the middle of a chunk", 0.05, lambda: _again(cluster.workers[0])
        ),
        Fault("kill -9 of an API process", 0.15, lambda: _again(cluster.apis[0])),
        Fault("kill -9 of Redis, started again on its file", 0.25, lambda: _restart_redis(cluster)),
        Fault("a client that vanishes in the middle of a stream", 0.35, lambda: _vanish(cluster)),
        Fault(
            f"a worker frozen for {FROZEN_SECONDS:g} s", 0.45, lambda: _freeze(cluster.workers[1])
        ),
        Fault("a full disk where builds are kept", 0.85, lambda: _fill(state)),
    ]


def _again(process: Any) -> None:
    process.kill()
    process.start()


def _restart_redis(cluster: Cluster) -> None:
    cluster.redis.end(signal.SIGKILL)
    cluster.redis.start()


def _vanish(cluster: Cluster) -> None:
    """Take one answer of a batch, and go."""
    programs = [f"print({n})  # vanished" for n in range(200)]
    submissions = [{"code": code, "problem": "sum"} for code in programs]
    body = {"problems": {"sum": PROBLEM}, "submissions": submissions}
    headers = {"Accept": "application/x-ndjson"}
    with (
        httpx2.Client(base_url=cluster.urls[1], timeout=ANSWER_SECONDS, trust_env=False) as client,
        client.stream("POST", "/judge/batch", json=body, headers=headers) as stream,
    ):
        next(stream.iter_lines())


def _freeze(worker: Any) -> None:
    worker.signal(signal.SIGSTOP)
    thaw = threading.Timer(FROZEN_SECONDS, worker.signal, (signal.SIGCONT,))
    thaw.start()
    thaw.join()


def _fill(state: Path) -> None:
    """Leave no room for a while."""
    filler = state / "filler"
    try:
        with filler.open("wb") as file:
            while True:
                file.write(bytes(1 << 20))
    except OSError:
        time.sleep(FULL_SECONDS)
    finally:
        filler.unlink()


@contextmanager
def _small_disk(folder: Path) -> Iterator[Path]:
    """A file system of its own, where we may make one; else a folder, which nothing here can fill."""
    folder.mkdir(mode=0o755)
    os.chmod(folder.parent, 0o755)  # noqa: S103 - jails run as others, and nothing secret is in it
    options = f"size={STATE_MEBIBYTES}m,mode=755"
    mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:  # noqa: S603
        raise SystemExit("a small file system is needed to fill it up: run this as root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)  # noqa: S603, S607


# --- what is left ---------------------------------------------------------------------------------


def _left_behind(cluster: Cluster, before_bytes: int) -> list[str]:
    """What Redis still holds once everything that is kept for a while is gone."""
    give_up = time.monotonic() + SETTLE_SECONDS
    with cluster.redis.client() as client:
        while (left := _unsettled(client, before_bytes)) and time.monotonic() < give_up:
            time.sleep(1)
    return left


def _unsettled(client: Any, before_bytes: int) -> list[str]:
    left = [
        f"{count} {what} in Redis"
        for what, count in (
            ("items pending", client.zcard(keys.PENDING)),
            ("chunks in the queue", client.llen(keys.QUEUE_KEY)),
            ("chunks between queue and work", client.llen(f"{keys.QUEUE_KEY}:intermediate")),
            ("chunks at work", client.zcard(f"rq:wip:{keys.QUEUE}")),
            ("chunks failed", client.zcard(f"rq:failed:{keys.QUEUE}")),
        )
        if count
    ]
    strays = [name.decode() for name in client.keys("*") if not _belongs(name.decode())]
    if strays:
        left.append(f"{len(strays)} stray keys in Redis: {', '.join(sorted(strays)[:5])}")
    more_bytes = client.info("memory")["used_memory"] - before_bytes
    if more_bytes > MORE_BYTES:
        left.append(f"{more_bytes >> 20} MiB more in Redis than before")
    return left


def _belongs(name: str) -> bool:
    """Whether a key is one of those that are there while nothing is to be done."""
    return name in (keys.APIS, keys.WORKERS, keys.LAST_URGENT) or name.startswith(
        ("rq:queues", "rq:workers", "rq:worker:", keys.problem(""))
    )


def _show(report: dict[str, Any]) -> None:
    table = Table(title="Every fault once, under load")
    table.add_column("what")
    table.add_column("came of it", overflow="fold")
    for name, value in report.items():
        if name != "wrongs":
            words = "\n".join(value) if isinstance(value, list) else str(value)
            table.add_row(name.replace("_", " "), words)
    wrongs = "\n".join(report["wrongs"][:20])
    table.add_row("not as promised", wrongs or "nothing", style="red" if wrongs else "green")
    Console().print(table)


if __name__ == "__main__":
    sys.exit(main())
