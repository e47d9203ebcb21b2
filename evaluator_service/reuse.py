"""Do nothing twice: what names everything that decides a judgement, and which judgements may be given again."""

from __future__ import annotations

import hashlib
import json
import platform
import time
from collections.abc import Collection, Mapping
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from operator import attrgetter

from evaluator_service import WIRE_VERSION, __version__
from evaluator_service.recently_used import RecentlyUsed
from evaluator_service.schema import Judgement, SubmissionBase, Timing
from evaluator_service.settings import NOT_DECIDING, Settings
from evaluator_service.verdicts import Verdict
from evaluator_service.work import Work

_NOT_PART_OF_IT = frozenset(
    {"id", "problem", "problem_id", "deadline_seconds", "metadata", "priority", "keep_outputs"}
)
_TEXTS = ("code", "completion")
_asked_of = attrgetter(
    *(name for name in SubmissionBase.model_fields if name not in {*_NOT_PART_OF_IT, *_TEXTS})
)
"""All that is not named above, so that a field which is new decides until somebody says otherwise."""


def judged_by(settings: Settings, versions: Mapping[str, str]) -> str:
    """A name for everything beside the submission that decides: the judge, its settings, its tools.

    Args:
        settings: Of whoever judges.
        versions: Of its languages.
    """
    everything = {
        "version": __version__,
        "wire_version": WIRE_VERSION,
        "python": platform.python_version(),
        "languages": dict(versions),
        "packages": package_versions(settings),
        "settings": settings.model_dump(mode="json", exclude=set(NOT_DECIDING)),
    }
    return hashlib.sha256(json.dumps(everything, sort_keys=True).encode()).hexdigest()


def package_versions(settings: Settings) -> dict[str, str]:
    """The version of each distribution that programs may import; empty where it is not installed."""
    return {name: _installed(name) for name in settings.packages}


def _installed(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""


def identity_of(work: Work, judged_by: str) -> str | None:
    """What names everything that decides the judgement of ``work``; None if it is to run in any case.

    Equal names mean the same bytes of program, problem, limits, policy, way to run and to answer, judged by the
    same. Kept outputs are an effect beside the judgement, so those who want them get a run of their own. A name
    begins with that of who judges (``is_named_for``).
    """
    if work.submission.keep_outputs:
        return None
    submission = work.submission
    texts = [getattr(submission, name) for name in _TEXTS]
    sizes = [None if text is None else len(text) for text in texts]
    terms = repr((judged_by, work.problem_id, _asked_of(submission), sizes))
    everything = terms + "".join(filter(None, texts))
    digest = hashlib.sha256(everything.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{_beginning(judged_by)}{digest}"


def is_named_for(identity: str, judged_by: str) -> bool:
    """Whether a judgement of this name is to come from this judge; another may have got the work."""
    return identity.startswith(_beginning(judged_by))


@lru_cache(maxsize=16)
def _beginning(judged_by: str) -> str:
    return hashlib.sha256(judged_by.encode()).hexdigest()[:16] + "."


def is_reusable(judgement: Judgement) -> bool:
    """Whether another run could only come out the same: a mark, and no limit was near."""
    return judgement.verdict is not Verdict.JUDGE_ERROR and not judgement.near_limit


def given_again(judgement: Judgement, work: Work) -> Judgement:
    """An earlier judgement as the answer to ``work``: its own name and its own time, in which nothing ran."""
    timing = Timing(
        queue_seconds=0.0,
        compile_seconds=0.0,
        run_seconds=0.0,
        compare_seconds=0.0,
        total_seconds=time.monotonic() - work.arrived,
    )
    changes = {"id": work.submission.id, "cached": True, "timing": timing}
    return judgement.model_copy(update=changes)


class Remembered:
    """Reusable judgements in memory, the least used go first and all after a while. Safe from several threads."""

    def __init__(self, max_bytes: int, keep_seconds: float) -> None:
        """Hold at most so many bytes, none longer than ``keep_seconds``."""
        self._kept: RecentlyUsed[tuple[float, Judgement]] = RecentlyUsed(max_bytes)
        self._keep_seconds = keep_seconds

    def recall(self, identities: Collection[str]) -> dict[str, Judgement]:
        """Those that are known, by identity."""
        now = time.monotonic()
        found = {identity: self._kept.get(identity) for identity in identities}
        return {
            identity: entry[1]
            for identity, entry in found.items()
            if entry is not None and now - entry[0] <= self._keep_seconds
        }

    def remember(self, identity: str | None, judgement: Judgement) -> None:
        """Keep a judgement, if it has a name and may be given again; for so long from now on."""
        if identity is not None and is_reusable(judgement):
            self._kept.replace(identity, (time.monotonic(), judgement), size_bytes(judgement))


_ENTRY_BYTES = 4_000
"""What a judgement without tests takes in memory, with its parts and its place."""
_TEST_BYTES = 1_500


def size_bytes(judgement: Judgement) -> int:
    """About how much memory a judgement takes, in bytes."""
    texts = sum(
        len(text or "")
        for test in judgement.tests
        for text in (test.stdout_head, test.stderr_tail, test.message)
    )
    texts += sum(len(said.text) for test in judgement.tests for said in test.transcript or ())
    return _ENTRY_BYTES + _TEST_BYTES * len(judgement.tests) + 4 * texts
