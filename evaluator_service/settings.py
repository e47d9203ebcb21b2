"""Settings: every knob of the service, its unit, default and meaning, read from ``MICROCODER_*``.

Owns the defaults and the maxima of limits; how those of one submission follow from them stands in ``limits``.
Reads the environment only when ``load_settings`` is called.
"""

import os
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, PositiveFloat, SecretStr, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from evaluator_service.keys import ApiKeys
from evaluator_service.schema import MAX_BATCH_SUBMISSIONS_COUNT, EffectiveLimits
from evaluator_service.verdicts import Penalties

ENVIRONMENT_PREFIX = "MICROCODER_"


ENFORCED = tuple(
    name for name in EffectiveLimits.model_fields if name != "cpu_time_reference_seconds"
)
"""The limits that hold; each has a default and a maximum."""

NOT_DECIDING = (
    *("host", "port", "worker_port", "api_keys", "api_keys_file", "allow_unauthenticated"),
    *("max_batch_items", "slots_count", "queue_items_max", "drain_seconds", "redis_url"),
    *("problem_seconds", "result_seconds", "max_results_bytes"),
    *("reuse_judgements", "reuse_seconds", "max_reused_bytes"),
    *("max_body_bytes", "max_bodies_bytes", "max_problems_count", "max_problems_bytes"),
    *("max_outputs_bytes", "max_builds_bytes", "toolchains", "state_directory", "nsjail_path"),
    *("log_level", "log_format", "audit_directory", "max_audit_bytes"),
)
"""Settings that no judgement depends on; of toolchains the versions count. What is not named here decides."""

KIBIBYTE_BYTES = 1 << 10
MEBIBYTE_BYTES = 1 << 20
GIBIBYTE_BYTES = 1 << 30


class SettingsError(ValueError):
    """A setting that cannot be used; the message names the variable and what it must be."""


def _usable_cores_count() -> int:
    return len(os.sched_getaffinity(0))


class Settings(BaseSettings):
    """All settings of one service process, frozen. ``microcoder config`` prints them."""

    model_config = SettingsConfigDict(
        env_prefix=ENVIRONMENT_PREFIX,
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        hide_input_in_errors=True,
    )

    # --- where it listens
    host: str = Field(
        "127.0.0.1",
        min_length=1,
        description="Address to listen on; the default is this machine alone.",
    )
    port: int = Field(
        8000, ge=0, le=65_535, description="TCP port to listen on; 0 takes a free one."
    )

    worker_port: int | None = Field(
        None,
        ge=0,
        le=65_535,
        description="TCP port on which a worker answers `/healthz`, `/readyz` and `/metrics`; 0 takes a free one, unset: "
        "none.",
    )

    # --- who may call
    api_keys: ApiKeys = Field(
        default_factory=tuple,
        repr=False,
        description='API keys by name, as hashes: `{"trainer": "sha256:…"}`, or `{"hash": "sha256:…", "max_items": 512}` '
        "in place of the hash for one with a quota. `microcoder keys new` makes a key.",
    )
    api_keys_file: Path | None = Field(
        None,
        description="File of further API keys, a line each: `trainer sha256:… max_items=512`. What changes in it holds "
        "from the next request on. With neither, no key is asked for.",
    )
    allow_unauthenticated: bool = Field(
        False,
        description="Whether to listen without API keys where other machines can reach it, too.",
    )

    # --- how much it does at a time
    slots_count: int = Field(
        default_factory=_usable_cores_count,
        ge=1,
        le=1024,
        description="Warm jails, a count: submissions judged at the same time. Default: the usable cores.",
    )
    queue_items_max: int = Field(
        20_000,
        ge=1,
        description="Submissions accepted and not answered yet, a count; beyond it the answer is 429.",
    )
    drain_seconds: float = Field(
        60.0,
        ge=0,
        description="On SIGTERM, seconds for accepted work to finish; what is left is a judge_error.",
    )

    max_batch_items: int = Field(
        MAX_BATCH_SUBMISSIONS_COUNT,
        ge=1,
        le=MAX_BATCH_SUBMISSIONS_COUNT,
        description="Submissions in one batch, a count; beyond it the answer is 413.",
    )

    redis_url: SecretStr | None = Field(
        None,
        description="Redis that API and workers share, as `redis://[:password@]host:port/db`; unset: this process "
        "judges by itself.",
    )

    problem_seconds: float = Field(
        6 * 3600.0,
        ge=60,
        description="How long Redis keeps a problem after its last use, in seconds.",
    )

    # --- nothing twice
    reuse_judgements: bool = Field(
        True,
        description="Whether what was judged before, byte for byte and under the same terms, is answered from memory "
        "(`cached`) rather than run again; never what a limit was near to.",
    )
    reuse_seconds: float = Field(
        3600.0, ge=0, description="How long a judgement may be given again, in seconds."
    )
    max_reused_bytes: int = Field(
        64 * MEBIBYTE_BYTES,
        ge=KIBIBYTE_BYTES,
        description="Judgements kept to be given again, in bytes; the least used go first.",
    )

    # --- what clients come back for
    result_seconds: float = Field(
        3600.0,
        ge=1,
        description="How long the judgement of what was sent by POST /submissions, or with an Idempotency-Key, is "
        "kept once it is done, in seconds.",
    )
    max_results_bytes: int = Field(
        256 * MEBIBYTE_BYTES,
        ge=KIBIBYTE_BYTES,
        description="Such judgements kept at a time, in bytes; the oldest go first.",
    )

    # --- what it accepts and keeps
    max_body_bytes: int = Field(
        64 * MEBIBYTE_BYTES, ge=KIBIBYTE_BYTES, description="Largest request body, in bytes."
    )
    max_bodies_bytes: int = Field(
        512 * MEBIBYTE_BYTES,
        ge=KIBIBYTE_BYTES,
        description="Request bodies held at a time, in bytes, each until its answer, or until what is kept "
        "of it is done; beyond it the answer is 429. What is read of a body can take many times its size in memory.",
    )
    max_problems_count: int = Field(
        10_000,
        ge=1,
        description="Problems kept by POST /problems, a count; the least used go first.",
    )
    max_problems_bytes: int = Field(
        256 * MEBIBYTE_BYTES,
        ge=KIBIBYTE_BYTES,
        description="Problems kept by POST /problems, in bytes of their JSON; the least used go first.",
    )

    max_outputs_bytes: int = Field(
        256 * MEBIBYTE_BYTES,
        ge=KIBIBYTE_BYTES,
        description="Outputs kept for submissions with keep_outputs, in bytes, with what keeping each takes; the "
        "least used go first.",
    )

    max_builds_bytes: int = Field(
        1024 * MEBIBYTE_BYTES,
        ge=KIBIBYTE_BYTES,
        description="Compiled programs kept on disk, in bytes; the least used go first.",
    )
    cpu_time_ratios: dict[str, PositiveFloat] = Field(
        default_factory=dict,
        description="Factors on CPU time limits by language, for problems whose limits were made for another: "
        '`{"python": 3}` gives Python three times what a problem says.',
    )
    toolchains: dict[str, str] = Field(
        default_factory=dict,
        description="Paths of compilers and interpreters, by language, for those that are not to be searched on the "
        "PATH; an empty path leaves a language out.",
    )

    # --- limits of a run when nobody asks for others
    default_cpu_time_seconds: float = Field(
        4.0, gt=0, description="CPU time of one test, in seconds, when the request names none."
    )
    default_wall_time_seconds: float = Field(
        30.0,
        gt=0,
        description="Backstop on elapsed time of one test, in seconds, when none is named.",
    )
    default_memory_bytes: int = Field(
        GIBIBYTE_BYTES,
        ge=16 * MEBIBYTE_BYTES,
        description="Memory of one test, in bytes, when the request names none.",
    )
    default_output_bytes: int = Field(
        16 * MEBIBYTE_BYTES,
        ge=1,
        description="Standard output of one test, in bytes, when the request names none.",
    )
    default_processes_count: int = Field(
        64,
        ge=1,
        description="Processes and threads of one test, a count, when the request names none.",
    )
    default_compile_time_seconds: float = Field(
        30.0, gt=0, description="CPU time of compiling, in seconds, when the request names none."
    )

    # --- the most a request can ask for; what is above is clamped
    max_cpu_time_seconds: float = Field(
        60.0, gt=0, description="Most CPU time one test can be given, in seconds."
    )
    max_wall_time_seconds: float = Field(
        300.0, gt=0, description="Widest backstop on elapsed time of one test, in seconds."
    )
    max_memory_bytes: int = Field(
        4 * GIBIBYTE_BYTES,
        ge=16 * MEBIBYTE_BYTES,
        description="Most memory one test can be given, in bytes.",
    )
    max_output_bytes: int = Field(
        64 * MEBIBYTE_BYTES,
        ge=1,
        description="Most standard output one test can be given, in bytes.",
    )
    max_processes_count: int = Field(
        256, ge=1, description="Most processes and threads one test can be given, a count."
    )
    max_compile_time_seconds: float = Field(
        60.0, gt=0, description="Most CPU time compiling can be given, in seconds."
    )

    # --- verdicts and rewards
    no_code_reward: float = Field(
        0.0,
        ge=-1,
        le=0,
        description="Reward, in [-1, 0], of a completion in which nothing to run was found.",
    )
    compile_error_reward: float = Field(
        0.0, ge=-1, le=0, description="Reward, in [-1, 0], of a program that does not compile."
    )
    rerun_near_limit: bool = Field(
        False,
        description="Whether a test whose time ran out only just is run once more, alone in its slot; within "
        "the limits, the second run counts. Makes close verdicts repeatable, at the price of that run.",
    )

    likely_failure_first: bool = Field(
        True,
        description="Whether, with stop=first_failure in mode strict, the test that failed most often of late for its "
        "problem runs first: sooner done, and the verdict is that of the failure met, not of the first declared. "
        "Acceptance and reward are the same.",
    )

    # --- the sandbox
    state_directory: Path | None = Field(
        None,
        description="Directory for what jails mount and for their logs; unset: the sandbox chooses one.",
    )
    nsjail_path: Path | None = Field(
        None,
        description="The nsjail binary; unset: the one that was installed, else the one on PATH.",
    )

    packages: tuple[str, ...] = Field(
        ("numpy",),
        description="Installed distributions that programs may import, as a JSON list; each is imported "
        "ahead in jails of its own. Those that are not installed are passed over.",
    )

    machine_seconds_per_reference_second: float | None = Field(
        None,
        ge=0.01,
        le=100,
        description="CPU seconds of this machine that are one of the reference machine, by which limits in reference "
        "seconds are turned into its own; unset: measured at the start.",
    )

    # --- logs
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="Least severe event that is logged."
    )
    log_format: Literal["json", "console"] = Field(
        "json", description="`json`: one object a line; `console`: coloured lines for people."
    )
    audit_directory: Path | None = Field(
        None,
        description="Folder for a line about every judgement made here, with its program and problem, to judge it again "
        "exactly; may be shared, and is never cleaned. Unset: none.",
    )
    max_audit_bytes: int = Field(
        256 * MEBIBYTE_BYTES,
        ge=KIBIBYTE_BYTES,
        description="Size of audit.jsonl, in bytes, beyond which it is put aside under the time of its last line.",
    )

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        for name in ENFORCED:
            if getattr(self, f"default_{name}") > getattr(self, f"max_{name}"):
                default, most = variable_name(f"default_{name}"), variable_name(f"max_{name}")
                raise ValueError(
                    f"{default} is larger than {most}: lower the one or raise the other"
                )
        for name in ("max_problems_bytes", "max_bodies_bytes"):
            if getattr(self, name) < self.max_body_bytes:
                raise ValueError(
                    f"{variable_name(name)} is smaller than MICROCODER_MAX_BODY_BYTES: a body may never fit"
                )
        return self


def variable_name(setting: str) -> str:
    """The environment variable of a setting, for example ``MICROCODER_SLOTS_COUNT``."""
    return ENVIRONMENT_PREFIX + setting.upper()


def penalties(settings: Settings) -> Penalties:
    """The rewards of what could not be run."""
    return Penalties(no_code=settings.no_code_reward, compile_error=settings.compile_error_reward)
