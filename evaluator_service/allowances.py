"""What a language gets on top of a submission's limits: what it takes to start, and the operator's factor on time.

Added after the configured maxima: they bound what a program may do, not what its interpreter needs to begin.
"""

from evaluator_service.limits import in_reference_seconds
from evaluator_service.schema import EffectiveLimits, SubmissionBase
from evaluator_service.settings import Settings
from sandbox.languages import LANGUAGES, Needs
from sandbox.speed import Speed


def is_warm(submission: SubmissionBase) -> bool:
    """Whether the judge's own interpreter, which is there already, runs the program."""
    return submission.language == "python" and not (submission.files or submission.file_name)


def with_allowances(
    limits: EffectiveLimits, submission: SubmissionBase, settings: Settings, speed: Speed
) -> EffectiveLimits:
    """The limits that apply to a program in the submission's language; a slow machine is slow to start one, too."""
    ratio = settings.cpu_time_ratios.get(submission.language, 1.0)
    needs = Needs() if is_warm(submission) else LANGUAGES[submission.language].needs
    start_seconds = needs.cpu_time_seconds * speed.machine_seconds_per_reference_second
    cpu_time_seconds = limits.cpu_time_seconds * ratio + start_seconds
    changes = {
        "cpu_time_seconds": cpu_time_seconds,
        "cpu_time_reference_seconds": in_reference_seconds(cpu_time_seconds, speed),
        "wall_time_seconds": limits.wall_time_seconds * max(ratio, 1.0) + start_seconds,
        "memory_bytes": limits.memory_bytes + needs.memory_bytes,
        "processes_count": limits.processes_count + needs.processes_count,
    }
    return limits.model_copy(update=changes)
