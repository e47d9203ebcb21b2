"""The command ``microcoder``. Commands of the service are loaded only when they are called.

So the command line also starts where the service cannot run, and says in one sentence what is missing.
"""

from __future__ import annotations

import importlib
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from evaluator_service import __version__

OLDEST_SERVICE_PYTHON = (3, 12)

app = typer.Typer(
    name="microcoder",
    help="Runs untrusted programs against tests and returns a reward that a training run can trust.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"microcoder {__version__}")
        raise typer.Exit


Version = Annotated[
    bool,
    typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version."),
]


@app.callback()
def _options(version: Version = False) -> None:
    """Take what stands before a command."""


AsJson = Annotated[bool, typer.Option("--json", help="Print for machines.")]


def main() -> None:
    """Run the command line."""
    app()


@app.command()
def serve(
    host: Annotated[
        Optional[str], typer.Option(help="Address to listen on. [MICROCODER_HOST]")  # noqa: UP045
    ] = None,
    port: Annotated[
        Optional[int], typer.Option(help="TCP port; 0 takes a free one. [MICROCODER_PORT]")  # noqa: UP045
    ] = None,
    allow_unauthenticated: Annotated[
        bool,
        typer.Option(
            "--allow-unauthenticated",
            help="Listen without API keys where other machines reach it. [MICROCODER_ALLOW_UNAUTHENTICATED]",
        ),
    ] = False,
) -> None:
    """Serve the HTTP interface until SIGTERM or Ctrl-C, then finish what was accepted."""
    _end(_service("evaluator_service.cli").serve(host, port, allow_unauthenticated))


@app.command()
def worker(
    slots: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(help="Submissions to judge at a time. [MICROCODER_SLOTS_COUNT]"),
    ] = None,
) -> None:
    """Judge what comes from the queue of MICROCODER_REDIS_URL, until SIGTERM or Ctrl-C."""
    _end(_service("evaluator_service.cli").worker(slots))


@app.command()
def judge(
    file: Annotated[
        Optional[str],  # noqa: UP045
        typer.Argument(help="Submissions, JSON or JSONL; - is standard input."),
    ] = None,
    package: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            metavar="DIR", help="A problem package, instead of a file: are its labels reproduced?"
        ),
    ] = None,
    keep_outputs: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            metavar="DIR", help="Keep what was compared here, a file each, for `rescore`."
        ),
    ] = None,
    replay: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            metavar="DIR",
            help="The folder of an audit log, instead of a file: does it come out the same?",
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="With --package or --replay: print for machines.")
    ] = False,
) -> None:
    """Judge submissions here, without a server; judgements come out as JSONL, in the same order.

    Ends with 0 if every submission got a mark, 1 if one is a judge_error, 2 if nothing can be judged.
    With --package DIR, the labelled submissions of a Kattis problem package are judged, and a table says what was
    expected of each and what it got: 0 if every label is reproduced, 1 if one is not, 2 if nothing can be judged.
    With --replay DIR, every line of an audit log is judged again under the terms, seeds and order that it records: 0
    if all came out the same, 1 if one did not or other versions judge here, 2 if there is nothing to replay.
    Example: microcoder judge rollouts.jsonl > judgements.jsonl
    """
    if [file, package, replay].count(None) != 2:
        _fail("give a file of submissions, or --package DIR, or --replay DIR")
    if file is None and keep_outputs is not None:
        _fail("--keep-outputs is for a file of submissions, not for --package or --replay")
    if package is not None:
        _end(_service("evaluator_service.package_cli").run(package, as_json))
    if replay is not None:
        _end(_service("evaluator_service.replay_cli").run(replay, as_json))
    _end(_service("evaluator_service.cli").judge(file, keep_outputs))


@app.command("import")
def import_(
    format_name: Annotated[str, typer.Argument(metavar="FORMAT", help="Of SRC: kattis.")],
    source: Annotated[str, typer.Argument(metavar="SRC", help="What to read: a folder.")],
    output: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("-o", "--output", metavar="FILE", help="Write here, not to standard output."),
    ] = None,
) -> None:
    """Turn problems of another format into ours, a JSON line each; nothing is run.

    Ends with 0, or 2 if something cannot be read, or asks for what cannot be judged.
    Example: microcoder import kattis hello/ -o problems.jsonl
    """
    _end(importlib.import_module("evaluator_service.import_cli").run(format_name, source, output))


@app.command()
def rescore(
    judgements: Annotated[
        str,
        typer.Argument(help="Judgements, JSONL, of `judge --keep-outputs`; - is standard input."),
    ],
    problems: Annotated[
        str,
        typer.Option(metavar="FILE", help="The submissions that were judged, with their problems."),
    ],
    outputs: Annotated[str, typer.Option(metavar="DIR", help="Where the outputs were kept.")],
    *,
    profile: Annotated[
        Optional[str], typer.Option(help="Compare by this profile.")  # noqa: UP045
    ] = None,
    reward: Annotated[
        Optional[str], typer.Option(metavar="MODE", help="Reward by this mode.")  # noqa: UP045
    ] = None,
    first_k: Annotated[
        Optional[int], typer.Option(help="How many tests count, with --reward first_k.")  # noqa: UP045
    ] = None,
    ladder: Annotated[
        bool, typer.Option("--ladder", help="Say what each profile would have said.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Compare kept outputs by another policy; nothing runs again. A table on a terminal, else JSONL.

    Ends with 0 if every judgement has a mark, 1 if one is a judge_error, 2 if something cannot be read.
    Example: microcoder rescore judgements.jsonl --problems rollouts.jsonl --outputs kept --profile strict
    """
    wanted = {"profile": profile, "reward": reward, "first_k": first_k, "ladder": ladder}
    run = _service("evaluator_service.rescore_cli").run
    _end(run(judgements, problems, outputs, as_json=as_json, **wanted))


@app.command()
def compare(
    file: Annotated[
        str,
        typer.Argument(
            help="Lines {id?, kind, expected, actual, comparison?}; - is standard input."
        ),
    ],
    profile: Annotated[
        Optional[str], typer.Option(help="Use this profile for every line.")  # noqa: UP045
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare recorded outputs; lines {id, matched, method, detail} come out.

    If the lines are labelled ("want": accept, reject or depends) and no profile is given, a table comes
    out instead: how often each profile is wrong about them.
    Example: microcoder compare pairs.jsonl --profile strict
    """
    answers = _service("evaluator_service.compare_cli").answers
    printed_count = 0
    try:
        with nullcontext(sys.stdin) if file == "-" else Path(file).open(encoding="utf-8") as lines:
            for answer in answers(lines, profile, as_json=as_json):
                typer.echo(answer)
                printed_count += 1
    except UnicodeDecodeError as error:
        _fail(f"{file}: not UTF-8: {error.reason} at byte {error.start}")
    except OSError as error:
        _fail(f"{error.filename or file}: {error.strerror or error}")
    except ValueError as error:
        _fail(str(error))
    if not printed_count:
        typer.echo("microcoder: no lines to compare", err=True)


@app.command()
def doctor(as_json: AsJson = False) -> None:
    """Say what this machine can isolate and what it cannot."""
    _end(_service("evaluator_service.doctor").run(json=as_json))


@app.command()
def demo(as_json: AsJson = False) -> None:
    """Start a service, judge the bundled sample rollouts over HTTP, show the verdicts."""
    _end(_service("evaluator_service.demo").run(json=as_json))


@app.command()
def bench(
    name: Annotated[str, typer.Argument(help="What to measure: sandbox.")],
    as_json: AsJson = False,
) -> None:
    """Measure side by side, all graders in one interleaved run; takes minutes.

    Example: microcoder bench sandbox --json > sandbox.json
    """
    _end(_service("evaluator_service.bench.report").run(name, json=as_json))


@app.command()
def openapi() -> None:
    """Print the OpenAPI document of the service."""
    _end(_service("evaluator_service.cli").openapi())


keys = typer.Typer(help="API keys of the service.", no_args_is_help=True)
app.add_typer(keys, name="keys")


@keys.command("new")
def new_key(
    name: Annotated[str, typer.Argument(help="Whose it is; in logs and in the file of keys.")],
    max_items: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(min=1, help="Quota: submissions accepted and unanswered at a time."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make a key: print it, this once, and the line for MICROCODER_API_KEYS_FILE that lets it in.

    Nothing is stored; the line has a hash alone.
    Example: microcoder keys new trainer --max-items 4096
    """
    _end(_service("evaluator_service.keys_cli").new(name, max_items, as_json))


@app.command()
def config(as_json: AsJson = False) -> None:
    """Print every setting of the service with its value, default and meaning."""
    _end(_service("evaluator_service.cli").config(as_json))


def _service(module: str) -> Any:
    """A module of the service; ends the command in one sentence where the service cannot run."""
    if sys.version_info[:2] < OLDEST_SERVICE_PYTHON:
        oldest, here = (
            ".".join(map(str, v[:2])) for v in (OLDEST_SERVICE_PYTHON, sys.version_info)
        )
        _fail(
            f"the service needs Python {oldest} or newer, and this is {here}: run it in an environment of its own"
        )
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing in ("evaluator_service", "sandbox", "trainer_client"):
            raise
        _fail(
            f"{missing} is not installed; get what the service needs by: pip install 'microcoder[service]'"
        )


def _fail(message: str) -> None:
    typer.echo(f"microcoder: {message}", err=True)
    raise typer.Exit(2)


def _end(status: int) -> None:
    raise typer.Exit(status)
