"""What of a submission does not fit its problem, in words; pure, and known before anything runs."""

from collections.abc import Iterator

from evaluator_service.profiles import misfit
from evaluator_service.schema import (
    AnyProblem,
    Comparison,
    InteractiveProblem,
    StdioProblem,
    SubmissionBase,
)
from sandbox.languages import LANGUAGES

_WITH_PROGRAMS = frozenset({"stdio", "interactive"})
"""Kinds whose submissions are whole programs, of any language and number of files."""


def misfits(
    submission: SubmissionBase, problem: AnyProblem
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each field that does not fit, and why."""
    if submission.comparison is not None:
        yield from comparison_misfits(submission.comparison, problem)
    if problem.kind in _WITH_PROGRAMS:
        yield from _clash(submission)
        return
    if submission.language != "python":
        yield (
            ("language",),
            f"problems of kind '{problem.kind}' are judged in 'python' alone, not '{submission.language}'",
        )
    if submission.files:
        yield ("files",), f"problems of kind '{problem.kind}' take one file, in `code`"


def _clash(submission: SubmissionBase) -> Iterator[tuple[tuple[str, ...], str]]:
    main_file = submission.file_name or LANGUAGES[submission.language].main_file
    if main_file in submission.files:
        yield ("files",), f"'{main_file}' is the name of the file that `code` is"


def comparison_misfits(
    comparison: Comparison, problem: AnyProblem
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Why a comparison says nothing about the outputs of this problem."""
    decider = decider_of(problem)
    if decider is not None:
        yield ("comparison",), f"the problem's {decider} decides: leave `comparison` out"
    elif why := misfit(comparison.profile, problem.kind):
        yield ("comparison", "profile"), why


def decider_of(problem: AnyProblem) -> str | None:
    """What of the problem's own decides in place of a comparison, if anything does."""
    if problem.kind == "interactive":
        return "interactor"
    return "checker" if problem.kind == "stdio" and problem.checker is not None else None


def languages_of(
    submission: SubmissionBase, problem: AnyProblem
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every language that has to be here to judge it, and where it is named."""
    yield ("language",), submission.language
    if isinstance(problem, InteractiveProblem):
        yield ("problem", "interactor", "language"), problem.interactor.language
    if isinstance(problem, InteractiveProblem | StdioProblem) and problem.checker is not None:
        yield ("problem", "checker", "language"), problem.checker.language
