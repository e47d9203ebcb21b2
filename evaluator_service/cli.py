"""What the service commands of ``microcoder`` do. Each returns the exit status of the process.

Status 0: done; 1: done, but something could not be judged; 2: the request made no sense.
"""

import asyncio
import json
import os
import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import IO, Any

from rich.console import Console
from rich.progress import Progress

from evaluator_service.config_cli import print_settings
from evaluator_service.content_folder import ContentFolder
from evaluator_service.embedded import EmbeddedEngine
from evaluator_service.environment import load_settings, unknown_variables
from evaluator_service.executor import Executor
from evaluator_service.judge_file import FileError, judge_lines
from evaluator_service.judging import JudgeLike
from evaluator_service.outputs import Outputs
from evaluator_service.refusals import EngineDownError
from evaluator_service.setting_rows import describe
from evaluator_service.settings import Settings, SettingsError, variable_name
from evaluator_service.verdicts import Verdict
from sandbox.errors import SandboxUnavailableError

AHEAD_PER_SLOT_COUNT = 4


def serve(
    host: str | None = None, port: int | None = None, allow_unauthenticated: bool = False
) -> int:
    """Serve HTTP until a signal."""
    from evaluator_service.server import StartError  # noqa: PLC0415 - only this one needs it
    from evaluator_service.server import serve as serve_http  # noqa: PLC0415

    settings = read_settings(
        host=host, port=port, allow_unauthenticated=allow_unauthenticated or None
    )
    try:
        return serve_http(settings, _judge(settings) if settings.redis_url is None else None)
    except EngineDownError as error:
        return complain(f"cannot start: {error}")
    except (StartError, SettingsError, SandboxUnavailableError) as error:
        return complain(f"cannot start: {_with_binary(str(error), settings)}")


def worker(slots_count: int | None = None) -> int:
    """Judge what comes from the queue until a signal."""
    from evaluator_service.distributed.serving import serve_worker  # noqa: PLC0415
    from evaluator_service.judge import Judge  # noqa: PLC0415 - imports the sandbox

    settings = read_settings(slots_count=slots_count)
    if settings.redis_url is None:
        return complain("a worker needs MICROCODER_REDIS_URL, for example redis://127.0.0.1:6379/0")
    try:
        return serve_worker(settings, lambda outputs: Judge(settings, outputs))
    except EngineDownError as error:
        return complain(f"cannot start: {error}")
    except SandboxUnavailableError as error:
        return complain(f"cannot start: {_with_binary(str(error), settings)}")


def judge(source: str, outputs_folder: str | None = None) -> int:
    """Judge the submissions in a file, or in standard input for ``-``; judgements as JSONL.

    Args:
        source: The file.
        outputs_folder: Where to keep all outputs, one file each; None keeps none.
    """
    from evaluator_service.logs import configure  # noqa: PLC0415

    settings = read_settings()
    try:
        outputs = opened_folder(outputs_folder) if outputs_folder is not None else None
        with opened(source) as lines:
            configure(quieter(settings))
            judge = _judge(settings, outputs)
            stream = judge_stream(
                lines, judge, settings, sys.stdout, keep_outputs=outputs is not None
            )
            return asyncio.run(stream)
    except SandboxUnavailableError as error:
        return cannot_judge(error, settings)
    except FileError as error:
        return complain(str(error))
    except OSError as error:
        return complain(f"{error.filename or source}: {error.strerror or error}")


def cannot_judge(error: SandboxUnavailableError, settings: Settings) -> int:
    """Say why this machine cannot judge; the exit status of a request that made no sense."""
    return complain(f"cannot judge here: {_with_binary(str(error), settings)}")


def _with_binary(message: str, settings: Settings) -> str:
    """The message, and which nsjail was used where somebody named one."""
    variable = variable_name("nsjail_path")
    if settings.nsjail_path is None or variable in message or "no jail" not in message:
        return message
    return f"{message} ({variable}={settings.nsjail_path})"


def opened_folder(path: str) -> ContentFolder:
    """A folder of outputs; made if it is not there.

    Raises:
        OSError: If it is no folder and cannot become one.
    """
    folder = Path(path)
    folder.mkdir(parents=True, exist_ok=True)
    return ContentFolder(folder)


def quieter(settings: Settings) -> Settings:
    """Only what is wrong, where judgements are the output; unless somebody asked for more."""
    if "log_level" in settings.model_fields_set:
        return settings
    return settings.model_copy(update={"log_level": "warning"})


async def judge_stream(
    lines: Iterable[bytes],
    judge: JudgeLike,
    settings: Settings,
    output: IO[str],
    *,
    keep_outputs: bool = False,
) -> int:
    """Judge ``lines`` with ``judge``, write each judgement as a line of ``output``.

    Raises:
        FileError: If a line is no submission.
    """
    executor = Executor(EmbeddedEngine(judge, settings), settings)
    await executor.start()
    ahead_count = min(settings.slots_count * AHEAD_PER_SLOT_COUNT, settings.queue_items_max)
    status, judged_count = 0, 0
    try:
        with _progress() as progress:
            task = progress.add_task("judging", total=None)
            async for judgement in judge_lines(
                lines, executor, ahead_count, keep_outputs=keep_outputs
            ):
                output.write(judgement.model_dump_json() + "\n")
                progress.advance(task)
                judged_count += 1
                if judgement.verdict is Verdict.JUDGE_ERROR:
                    status = 1
    finally:
        await executor.close()
    if not judged_count:
        complain("no submissions")
    return status


def openapi() -> int:
    """Print the OpenAPI document."""
    settings = read_settings()
    try:
        print(openapi_text(settings), end="")  # noqa: T201 - it is what was asked for
    except SettingsError as error:
        return complain(str(error))
    return 0


def openapi_text(settings: Settings | None = None) -> str:
    """The OpenAPI document as it is committed in ``docs/openapi.json``."""
    from evaluator_service.api import create_app  # noqa: PLC0415

    app = create_app(settings or load_settings(), _NoJudge())
    return json.dumps(app.openapi(), indent=1, ensure_ascii=False) + "\n"


def config(as_json: bool = False) -> int:
    """Print every setting with its value, default and meaning."""
    rows = describe(read_settings())
    if as_json:
        print(json.dumps([row._asdict() for row in rows], indent=1))  # noqa: T201
    else:
        print_settings(rows, Console())
    return 0


class _NoJudge:
    """Stands in where the application is described and never run."""

    def start(self) -> None: ...

    def judge(self, work: Any) -> Any:
        raise NotImplementedError

    def condemned(self, work: Any) -> Any:
        raise NotImplementedError

    outputs: Any = None

    def tests_of(self, *_: Any) -> Any:
        raise NotImplementedError

    def languages(self) -> Any:
        raise NotImplementedError

    def obstacle(self) -> str | None:
        return "there is no judge"

    def figures(self) -> None: ...

    def close(self) -> None: ...


def read_settings(**overrides: Any) -> Settings:
    """The settings of a command; says on standard error what it found odd, and ends where one is unusable."""
    for sentence in unknown_variables(os.environ):
        complain(f"warning: {sentence}")
    try:
        return load_settings(**overrides)
    except SettingsError as error:
        sys.exit(complain(str(error)))


def _judge(settings: Settings, outputs: Outputs | None = None) -> JudgeLike:
    from evaluator_service.judge import Judge  # noqa: PLC0415 - imports the sandbox

    return Judge(settings, outputs)


def opened(source: str) -> AbstractContextManager[IO[bytes]]:
    """The bytes of a file, or of standard input for ``-``.

    Raises:
        OSError: If it cannot be read.
    """
    if source == "-":
        return nullcontext(sys.stdin.buffer)
    return open(source, "rb")


def _progress() -> Progress:
    console = Console(stderr=True)
    return Progress(console=console, transient=True, disable=not console.is_terminal)


def complain(message: str) -> int:
    """Say a sentence on standard error; the exit status of a request that made no sense."""
    print(f"microcoder: {message}", file=sys.stderr)  # noqa: T201
    return 2
