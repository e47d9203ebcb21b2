"""Programs in other languages, or of several files: compiled once in a jail, then a command that each test runs."""

from evaluator_service.case import Case, Stopwatch, Trial, encoded
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
        build = slot.build(toolchain, _sources(case), case.run_limits)
    trial.compiled = build.compiled
    if not build.compiled.ok:
        return None
    return command_of(toolchain, build, case.run_limits, talks=talks)


def _sources(case: Case) -> Sources:
    submission = case.submission
    main_file = submission.file_name or main_file_of(LANGUAGES[submission.language], case.code)
    further = {name: encoded(text) for name, text in submission.files.items()}
    return Sources(main_file, {**further, main_file: case.code})
