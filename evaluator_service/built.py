"""Programs in other languages, or of several files: compiled once in a jail, then a command that each test runs."""

from evaluator_service.case import Case, Stopwatch, Trial, encoded
from evaluator_service.schema import Checker, Interactor, SubmissionBase
from sandbox.builds import Sources, command_of
from sandbox.languages import LANGUAGES, main_file_of
from sandbox.model import CommandProgram
from sandbox.slot import Slot


def built_program(
    slot: Slot, case: Case, trial: Trial, *, talks: bool = False
) -> CommandProgram | None:
    """Compile the program of a case; None if there is nothing to run, which the trial then says.

    Raises:
        ToolchainMissingError: If its language is not here.
        StarvedError: If the machine did not let the compiler run.
        JailDiedError: If the jail did not survive it.
        SandboxUnavailableError: If no jail can be started.
    """
    toolchain = slot.toolchain(case.submission.language)
    with Stopwatch(trial, "compile"):
        build = slot.build(toolchain, sources_of(case.submission, case.code), case.run_limits)
    trial.compiled = build.compiled
    if not build.compiled.ok:
        return None
    return command_of(toolchain, build, case.run_limits, talks=talks)


def sources_of(program: SubmissionBase | Checker | Interactor, code: bytes) -> Sources:
    """The files of a program whose main one holds this code."""
    main_file = program.file_name or main_file_of(LANGUAGES[program.language], code)
    further = {name: encoded(text) for name, text in program.files.items()}
    return Sources(main_file, {**further, main_file: code})
