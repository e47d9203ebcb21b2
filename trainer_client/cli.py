"""The command ``microcoder``. Commands of the service are loaded only when they are called.

So the command line also works where only the client is installed, and says in one sentence what is missing.
"""

from __future__ import annotations

import importlib
import json
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

OLDEST_SERVICE_PYTHON = (3, 12)

app = typer.Typer(
    name="microcoder",
    help="Runs untrusted programs against tests and returns a reward that a training run can trust.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)

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
) -> None:
    """Serve the HTTP interface until SIGTERM or Ctrl-C, then finish what was accepted."""
    _end(_service("evaluator_service.cli").serve(host=host, port=port))


@app.command()
def judge(
    file: Annotated[str, typer.Argument(help="Submissions, JSON or JSONL; - is standard input.")],
) -> None:
    """Judge submissions here, without a server; judgements come out as JSONL, in the same order.

    Example: microcoder judge rollouts.jsonl > judgements.jsonl
    """
    _end(_service("evaluator_service.cli").judge(file))


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
) -> None:
    """Compare recorded outputs; lines {id, matched, method, detail} come out.

    Example: microcoder compare pairs.jsonl --profile strict
    """
    compare_lines = _service("evaluator_service.compare_cli").compare_lines
    try:
        with nullcontext(sys.stdin) if file == "-" else Path(file).open(encoding="utf-8") as lines:
            for line in compare_lines(lines, profile):
                typer.echo(json.dumps(line, ensure_ascii=False))
    except (OSError, ValueError) as error:
        _fail(str(error))


@app.command()
def doctor(as_json: AsJson = False) -> None:
    """Say what this machine can isolate and what it cannot."""
    _end(_service("evaluator_service.doctor").run(json=as_json))


@app.command()
def demo(as_json: AsJson = False) -> None:
    """Start a service, judge the bundled sample rollouts over HTTP, show the verdicts."""
    _end(_service("evaluator_service.demo").run(json=as_json))


@app.command()
def openapi() -> None:
    """Print the OpenAPI document of the service."""
    _end(_service("evaluator_service.cli").openapi())


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
