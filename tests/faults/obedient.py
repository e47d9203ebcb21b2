"""A judge that obeys the code it is given, and notes in a folder what it began: also from a process that dies of it."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any, NamedTuple

from evaluator_service.fault import fault_judgement
from evaluator_service.outputs import Outputs, OutputStore
from evaluator_service.refusals import WithdrawnError
from evaluator_service.schema import JudgeFault, Judgement
from evaluator_service.settings import Settings
from evaluator_service.verdicts import Verdict
from evaluator_service.work import Work
from sandbox.figures import PoolFigures
from sandbox.languages import LANGUAGES
from sandbox.toolchains import Found, find

_LOOK_SECONDS = 0.005


class Began(NamedTuple):
    """A judging that began: of which submission, in which process."""

    id: str
    pid: int


class ObedientJudge:
    """Does what the first word of the code says.

    ``accept``, ``wrong``, ``raise``; ``hold`` until ``let_go`` or withdrawn; ``break`` the whole process.
    Whoever broke two workers is condemned, unless the folder says ``unwell``.
    """

    def __init__(self, settings: Settings, folder: Path) -> None:
        self._settings = settings
        self._folder = folder
        self.outputs: Outputs = OutputStore(settings.max_outputs_bytes)

    def start(self) -> None:
        """Nothing to warm."""

    def close(self) -> None:
        """Nothing to end."""

    def judge(self, work: Work) -> Judgement:
        """Obey."""
        note(self._folder, "began", work)
        word = (work.submission.code or "").partition(" ")[0]
        if word == "raise":
            raise RuntimeError("the judge broke")
        if word == "break":
            os._exit(9)
        if word == "hold":
            self._hold(work)
        return self._marked(work, Verdict.WRONG_ANSWER if word == "wrong" else Verdict.ACCEPTED)

    def _hold(self, work: Work) -> None:
        while not (self._folder / f"go {work.submission.id}").exists():
            if work.withdrawn.is_set():
                note(self._folder, "withdrawn", work)
                raise WithdrawnError
            time.sleep(_LOOK_SECONDS)

    def _marked(self, work: Work, verdict: Verdict) -> Judgement:
        changes: dict[str, Any] = {"verdict": verdict, "error": None}
        changes["reward"] = float(verdict is Verdict.ACCEPTED)
        return self._fault(work).model_copy(update=changes)

    def _fault(self, work: Work) -> Judgement:
        fault = JudgeFault(kind="sandbox", message="nobody gets through", retryable=True)
        return fault_judgement(work, self._settings, fault)

    def condemned(self, work: Work) -> Judgement:
        """A runtime error if a program known to be good gets through, and a fault of ours if not."""
        note(self._folder, "condemned", work)
        is_unwell = (self._folder / "unwell").exists()
        return self._fault(work) if is_unwell else self._marked(work, Verdict.RUNTIME_ERROR)

    def languages(self) -> Found:
        """Python."""
        return Found({"python": find(LANGUAGES["python"])}, {})

    def obstacle(self) -> str | None:
        """None, ever."""
        return None

    def figures(self) -> PoolFigures | None:
        """None: there is no pool."""
        return None

    def tests_of(self, *_: Any) -> Any:
        """Nothing is rescored."""
        raise NotImplementedError


def note(folder: Path, what: str, work: Work) -> None:
    """Write down what happens to ``work``, in one piece whoever else writes."""
    with (folder / what).open("a") as notes:
        notes.write(f"{work.submission.id} {os.getpid()}\n")


def noted(folder: Path, what: str) -> list[Began]:
    """What was written down."""
    path = folder / what
    lines = path.read_text().splitlines() if path.exists() else []
    return [Began(name, int(pid)) for name, pid in (line.split() for line in lines)]
