"""The command ``microcoder judge --package``: are the labels of a package's submissions reproduced here?"""

import asyncio
import json
from pathlib import Path

from evaluator_service.cli import cannot_judge, complain, quieter, read_settings
from evaluator_service.embedded import EmbeddedEngine
from evaluator_service.executor import Executor
from evaluator_service.judge import Judge
from evaluator_service.judging import JudgeLike
from evaluator_service.kattis import Package, PackageError, load_package
from evaluator_service.logs import configure
from evaluator_service.package_judge import PackageReport, judge_package
from evaluator_service.package_report import as_json as json_report
from evaluator_service.package_report import print_report
from evaluator_service.refusals import LanguageMissing
from evaluator_service.settings import Settings
from evaluator_service.terminal import judging_progress, table_console
from sandbox.errors import SandboxUnavailableError

_FILE_WIDTH_CHARACTERS = 160


def run(path: str, as_json: bool = False) -> int:
    """Judge the labelled submissions of a package and print expected against got.

    Args:
        path: The package's folder.
        as_json: One JSON document instead of a table.

    Returns:
        The exit status: 0 if every label was reproduced, 1 if one was not, 2 if nothing could be judged.
    """
    settings = read_settings(likely_failure_first=False)  # labels go by the order of the tests
    configure(quieter(settings))
    try:
        package = load_package(Path(path))
    except PackageError as error:
        return complain(str(error))
    try:
        report = asyncio.run(_judged(package, Judge(settings), settings))
    except SandboxUnavailableError as error:
        return cannot_judge(error, settings)
    except LanguageMissing as error:
        return complain(f"{package.name}: {error}")
    if as_json:
        print(json.dumps(json_report(report), ensure_ascii=False, indent=1))  # noqa: T201
    else:
        print_report(report, table_console(_FILE_WIDTH_CHARACTERS))
    if not report.judged_count:
        return complain(f"{package.name}: no submission was judged")
    return 1 if report.not_reproduced else 0


async def _judged(package: Package, judge: JudgeLike, settings: Settings) -> PackageReport:
    executor = Executor(EmbeddedEngine(judge, settings), settings)
    await executor.start()
    try:
        with judging_progress() as progress:
            task = progress.add_task("judging", total=len(package.submissions))
            return await judge_package(package, executor, settings, lambda: progress.advance(task))
    finally:
        await executor.close()
