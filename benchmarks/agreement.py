"""Whether ``auto`` gives the verdicts of ``strict``: on public records and on programs with a fault put in.

    python benchmarks/agreement.py RECORDS_DIRECTORY [--mutants 5000] [--seed 0]

Takes JSONL records of the shape ``{kind, tests | input_output, entry_point, prelude, submissions}``. Every
submission, and a sample of its mutants, is judged in both modes. Prints what came out and every difference;
exits with 1 if there is one.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.progress import track
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent))

from mutants import mutants  # type: ignore[import-not-found]

from evaluator_service.environment import load_settings
from evaluator_service.judge import Judge
from evaluator_service.schema import Judgement, Submission, problem_id
from evaluator_service.work import Work

LIMITS = {"cpu_time_seconds": 2.0, "wall_time_seconds": 20.0, "memory_bytes": 512 << 20}


class Program(NamedTuple):
    """A program and the problem it is for."""

    name: str
    code: str
    problem: dict[str, Any]


class Pair(NamedTuple):
    """What both modes said."""

    program: Program
    strict: Judgement
    auto: Judgement

    @property
    def agrees(self) -> bool:
        """Whether verdict, reward and the first test that failed are the same."""
        return _outline(self.strict) == _outline(self.auto)


def _outline(judgement: Judgement) -> list[Any]:
    return [judgement.verdict, judgement.reward, [test.verdict for test in judgement.tests]]


def problem_of(record: dict[str, Any]) -> dict[str, Any] | None:
    """The record's problem in our shape; None if it has no tests that we can run."""
    given, tests = record.get("input_output"), record.get("tests")
    entry_point = (record.get("entry_point") or "").removeprefix("Solution().")
    shared = {"limits": LIMITS, **({"prelude": record["prelude"]} if record.get("prelude") else {})}
    if record["kind"] == "stdin-record" and isinstance(given, dict) and "inputs" in given:
        pairs = zip(given["inputs"], given["outputs"], strict=True)
        return {"kind": "stdio", "tests": [{"input": a, "expected": b} for a, b in pairs], **shared}
    if isinstance(tests, list) and tests and isinstance(tests[0], list):
        calls = [{"args": args, "expected": expected} for args, expected in tests]
        return {"kind": "call", "entry_point": entry_point, "tests": calls, **shared}
    if isinstance(tests, list):
        return {"kind": "asserts", "tests": tests, **shared}
    if isinstance(tests, str):
        candidate = {"entry_point": entry_point} if "def check(" in tests else {}
        return {"kind": "asserts", "test_code": tests, **candidate, **shared}
    return None


def programs_of(records: Path) -> Iterator[Program]:
    """Every submission of every record."""
    for path in sorted(records.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            problem = problem_of(record)
            if problem is None:
                continue
            for number, submission in enumerate(record["submissions"]):
                yield Program(f"{record['id']} #{number}", submission["code"], problem)


def sample_of_mutants(programs: list[Program], count: int, lot: random.Random) -> list[Program]:
    """As many mutants, drawn evenly from all programs."""
    waiting = [(program, _mutants_of(program, lot)) for program in programs]
    found: list[Program] = []
    while waiting and len(found) < count:
        left = []
        for program, faulty in waiting:
            if faulty and len(found) < count:
                found.append(program._replace(name=f"{program.name}, mutant", code=faulty.pop()))
                left.append((program, faulty))
        waiting = left
    return found


def _mutants_of(program: Program, lot: random.Random) -> list[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the records' own escape sequences
        try:
            return list(mutants(program.code, 40, lot))
        except (SyntaxError, ValueError, RecursionError):
            return []


def judge_both(judge: Judge, program: Program) -> Pair | None:
    """Both modes, one after the other; None if the problem cannot be judged, or strict itself is not steady."""
    strict = judged(judge, program, "strict")
    if strict.error is not None:
        return None
    pair = Pair(program, strict, judged(judge, program, "auto"))
    if pair.agrees:
        return pair
    again = [_outline(judged(judge, program, "strict")) for _ in range(4)]
    return pair if all(outline == _outline(strict) for outline in again) else None


def judged(judge: Judge, program: Program, mode: str) -> Judgement:
    """One judgement in one mode."""
    fields = {"code": program.code, "problem": program.problem, "isolation_mode": mode}
    submission = Submission.model_validate(fields)
    assert submission.problem is not None
    name = problem_id(submission.problem)
    return judge.judge(Work(submission, submission.problem, name, time.monotonic()))


def show(pairs: list[Pair], console: Console) -> None:
    """A table of verdicts, then every difference."""
    table = Table("verdict of strict", "programs", "judged in a shared process", "differ")
    for verdict, count in Counter(pair.strict.verdict for pair in pairs).most_common():
        same = [pair for pair in pairs if pair.strict.verdict is verdict]
        shared = sum(pair.auto.isolation.mode == "auto" for pair in same)
        table.add_row(verdict, str(count), str(shared), str(sum(not p.agrees for p in same)))
    console.print(table)
    for pair in pairs:
        if not pair.agrees:
            console.print(
                f"[red]{pair.program.name}[/]: {_outline(pair.strict)} {_outline(pair.auto)}"
            )
            console.print(pair.program.code, markup=False, highlight=False)


def main() -> int:
    """Judge everything twice."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("records", type=Path)
    parser.add_argument("--mutants", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    programs = list(programs_of(options.records))
    lot = random.Random(options.seed)  # noqa: S311 - a sample that can be drawn again
    everything = programs + sample_of_mutants(programs, options.mutants, lot)
    cores = len(os.sched_getaffinity(0))
    settings = {"log_level": "error", "slots_count": cores, "likely_failure_first": False}
    judge = Judge(load_settings(**settings))
    judge.start()
    console = Console(stderr=True)
    try:
        with ThreadPoolExecutor(cores) as threads:
            running = threads.map(lambda program: judge_both(judge, program), everything)
            found = list(track(running, "judging twice", len(everything), console=console))
    finally:
        judge.close()
    pairs = [pair for pair in found if pair is not None]
    left_out = len(everything) - len(pairs)
    console.print(
        f"{len(programs)} programs, {len(everything) - len(programs)} mutants; left out {left_out} whose problem "
        "cannot be judged here, or whose verdict in strict is not steady (at the edge of a limit)"
    )
    show(pairs, Console())
    return 0 if all(pair.agrees for pair in pairs) else 1


if __name__ == "__main__":
    sys.exit(main())
