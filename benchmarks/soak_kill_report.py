"""What a soak with kills found: each answer excused or wrong, and what outlived its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rich.table import Table

from benchmarks.soak_tasks import Task
from evaluator_service.schema import Judgement
from evaluator_service.verdicts import Verdict

PARTS = ("nsjail", "zygote", "session", "test", "service")
"""What is killed."""

_BROKE_TWO_JAILS = "the program broke the jail it ran in, twice"
_OF_A_KILLED_TEST = {Verdict.RUNTIME_ERROR, Verdict.COMPILE_ERROR}
"""That a process was killed from outside looks no different from its having killed itself."""


class Answer(NamedTuple):
    """A judgement, and when the request that brought it was under way (``time.monotonic()``)."""

    task: Task
    judgement: Judgement
    began: float
    ended: float


@dataclass(slots=True)
class KillReport:
    """What came of a soak with kills.

    Attributes:
        kills: When each part was killed (``time.monotonic()``).
        answers: How often each sort of answer was given.
        wrong: Answers that nothing excuses, in words.
        left: What outlived a kill, or was left behind in the end, in words.
    """

    kills: dict[str, list[float]] = field(default_factory=lambda: {part: [] for part in PARTS})
    answers: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)

    def grade(self, answers: Sequence[Answer]) -> None:
        """Count the answers; once all kills are known."""
        for answer in answers:
            sort = self._sort_of(answer)
            self.answers[sort] += 1
            if sort == "wrong":
                complaints = "; ".join(answer.task.complaints(answer.judgement))
                killed = dict(self._killed_during(answer))
                self.wrong.append(f"{answer.task.name}: {complaints}; killed meanwhile: {killed}")
        self.wrong += self._too_many()

    def _sort_of(self, answer: Answer) -> str:
        judgement = answer.judgement
        if not answer.task.complaints(judgement):
            return "expected"
        if judgement.verdict is Verdict.JUDGE_ERROR and judgement.error is not None:
            return f"judge_error, {judgement.error.kind}"
        if any((test.message or "").startswith(_BROKE_TWO_JAILS) for test in judgement.tests):
            return "broke two jails"
        verdicts = {judgement.verdict, *(test.verdict for test in judgement.tests)}
        if self._killed_during(answer)["test"] and verdicts & _OF_A_KILLED_TEST:
            return "test killed"
        return "wrong"

    def _killed_during(self, answer: Answer) -> Counter[str]:
        """How many of each part were killed in the time of an answer: any of them may have been its own."""
        return Counter(
            part
            for part, moments in self.kills.items()
            for moment in moments
            if answer.began <= moment <= answer.ended
        )

    def _too_many(self) -> Iterator[str]:
        """A kill can bring about one odd answer, and half of one that takes two broken jails."""
        kills = {part: len(moments) for part, moments in self.kills.items()}
        jails_count = kills["nsjail"] + kills["zygote"] + kills["session"]
        if self.answers["test killed"] > kills["test"]:
            yield "more programs died than tests were killed"
        if 2 * self.answers["broke two jails"] > jails_count:
            yield "more programs are said to have broken two jails than pairs of jails were broken"


def table_of_kills(report: KillReport) -> Table:
    """How often each part was killed, and what was answered meanwhile."""
    kills_count = sum(map(len, report.kills.values()))
    table = Table(title=f"{kills_count} kills", title_justify="left")
    table.add_column("")
    table.add_column("count", justify="right")
    for part, moments in report.kills.items():
        table.add_row(f"{part} killed", str(len(moments)))
    table.add_section()
    for sort, count in sorted(report.answers.items(), key=lambda row: -row[1]):
        if sort != "wrong":
            table.add_row(sort, str(count))
    table.add_row("wrong", str(len(report.wrong)))
    table.add_row("left behind", str(len(report.left)))
    return table
