"""The command ``microcoder rescore``: kept outputs compared by another policy, nothing run again."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_args

from pydantic import ValidationError
from rich.console import Console

from evaluator_service.cli import complain, opened, quieter, read_settings
from evaluator_service.complaints import complaints, place
from evaluator_service.content_folder import ContentFolder
from evaluator_service.judge import Judge
from evaluator_service.judge_file import FileError, read_judgements, read_works
from evaluator_service.logs import configure
from evaluator_service.outputs import Archive, Outputs
from evaluator_service.prepare import Prepared
from evaluator_service.profiles import Profile, misfit
from evaluator_service.rescore import MisfitError, rescore
from evaluator_service.rescore_report import Comparisons, print_report
from evaluator_service.schema import AnyProblem, AssertsProblem, Judgement, Rescored, Rescoring
from evaluator_service.settings import Settings, penalties
from evaluator_service.verdicts import RewardMode, Verdict


def run(
    judgements: str,
    problems: str,
    outputs: str,
    *,
    profile: str | None = None,
    reward: str | None = None,
    first_k: int | None = None,
    ladder: bool = False,
    as_json: bool = False,
) -> int:
    """Rescore a file; a table on a terminal, else judgements as JSONL, with ``ladder`` as ``Rescored``.

    Args:
        judgements: The file of judgements; ``-`` is standard input.
        problems: The file of the submissions that were judged.
        outputs: The folder of their outputs.
        profile: Compare by this profile; None: by each judgement's own policy.
        reward: Reward by this mode; None: by each judgement's own.
        first_k: How many tests count, with ``first_k``.
        ladder: Whether to say what each profile would have said.
        as_json: JSONL on a terminal as well.

    Returns:
        The exit status.
    """
    settings = read_settings()
    configure(quieter(settings))
    wanted = {"reward": reward, "first_k": first_k, "ladder": ladder}
    console = Console()
    seen = Comparisons()
    try:
        _require_known(profile, get_args(Profile), "profile")
        _require_known(reward, get_args(RewardMode), "reward")
        known = _problems(problems)
        with _archive(settings, _folder(outputs)) as archive:
            for old, new in _rescored(judgements, known, archive, settings, profile, wanted):
                seen.add(old, new)
                if as_json or not console.is_terminal:
                    _write(new)
    except FileError as error:
        return complain(str(error))
    except OSError as error:
        return complain(f"{error.filename or judgements}: {error.strerror or error}")
    if not seen.total_count:
        complain("no judgements")
    elif console.is_terminal and not as_json:
        print_report(seen, console)
    return 1 if seen.new_verdicts[Verdict.JUDGE_ERROR] else 0


def _require_known(name: str | None, names: tuple[str, ...], what: str) -> None:
    if name is not None and name not in names:
        raise FileError(f"unknown {what} {name!r}; there are: {', '.join(names)}")


def _folder(path: str) -> ContentFolder:
    if not Path(path).is_dir():
        raise FileError(f"{path}: no such folder of outputs")
    return ContentFolder(Path(path))


def _problems(path: str) -> dict[str, AnyProblem]:
    with opened(path) as lines:
        return {work.problem_id: work.problem for work in read_works(lines)}


def _rescored(
    path: str,
    problems: dict[str, AnyProblem],
    archive: Archive,
    settings: Settings,
    profile: str | None,
    wanted: dict[str, Any],
) -> Iterator[tuple[Judgement, Rescored]]:
    with opened(path) as lines:
        for where, judgement in read_judgements(lines):
            name = judgement.problem_id or ""
            if name not in problems:
                raise FileError(
                    f"{where}: problem_id: none of the submissions has the problem {name or '(none)'}"
                )
            try:
                asked = _asked(where, judgement, problems[name], profile, wanted)
                yield judgement, rescore(asked, problems[name], name, archive, penalties(settings))
            except MisfitError as error:
                raise FileError(f"{where}: {place(error.where)}: {error.what}") from None


def _asked(
    where: str, judgement: Judgement, problem: AnyProblem, profile: Any, wanted: dict[str, Any]
) -> Rescoring:
    try:
        policy = judgement.comparison.under(profile) if profile is not None else None
        if policy is not None and (why := misfit(policy.profile, problem.kind)):
            raise FileError(f"{where}: {why}")
        return Rescoring(
            judgement=judgement, problem=problem, comparison=policy, report="tests", **wanted
        )
    except ValidationError as error:
        first, *_ = complaints(error.errors(include_url=False), Rescoring)
        raise FileError(first.what) from None


def _write(new: Rescored) -> None:
    answer = new.judgement if new.ladder is None else new
    sys.stdout.write(answer.model_dump_json() + "\n")


@contextmanager
def _archive(settings: Settings, outputs: ContentFolder) -> Iterator[Archive]:
    archive = _Archive(settings, outputs)
    try:
        yield archive
    finally:
        archive.close()


class _Archive:
    """A folder of outputs; jails are started only if there is test code to read."""

    def __init__(self, settings: Settings, outputs: ContentFolder) -> None:
        self.outputs: Outputs = outputs
        self._judge = Judge(settings, outputs)
        self._is_started = False

    def tests_of(self, problem: AnyProblem, problem_id: str) -> list[Prepared]:
        """The tests of a problem; see ``Archive``."""
        if isinstance(problem, AssertsProblem) and not self._is_started:
            self._judge.start()
            self._is_started = True
        return self._judge.tests_of(problem, problem_id)

    def close(self) -> None:
        """End the jails, if there are any."""
        if self._is_started:
            self._judge.close()
