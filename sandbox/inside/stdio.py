"""Mode STDIO: the program runs as a script; standard input and output are all it shares with the judge."""

from __future__ import annotations

import atexit
import sys
import threading
from _io import _IOBase
from contextlib import suppress

from .program import Loaded, define, exit_code_of, fresh_main, show_exception

FLUSH_FAILED_EXIT_CODE = 120
"""What Python exits with when standard output cannot be flushed at the end."""


def run(loaded: Loaded) -> int:
    """Run the program to its end, threads and exit handlers included; returns its exit code."""
    return finish(execute(loaded))


def execute(loaded: Loaded) -> int:
    """Run the program to its last line; the exit code it would have so far."""
    module = fresh_main("__main__")
    try:
        define(loaded, module)
        code = 0
    except SystemExit as error:
        code = exit_code_of(error)
    except BaseException as error:  # noqa: BLE001 - whatever a program raises is its own
        show_exception(error)
        code = 1
    return code


def finish(code: int) -> int:
    """Do what the interpreter does after the last line of a script (Py_FinalizeEx)."""
    for last in (threading._shutdown, atexit._run_exitfuncs):  # type: ignore[attr-defined]
        try:
            last()
        except BaseException as error:  # noqa: BLE001 - as the interpreter: print it and go on
            show_exception(error)
    return flush(code)


def flush(code: int) -> int:
    """Write out what is buffered; returns the exit code that a failure to do so makes of ``code``."""
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None and not getattr(stream, "closed", False):
                stream.flush()
    except BaseException as error:  # noqa: BLE001 - a full stream, or one of the program's own making
        show_exception(error)
        code = code or FLUSH_FAILED_EXIT_CODE
    _flush_what_dies()
    return code


def _flush_what_dies() -> None:
    """Files that the program left open, and the first standard output: Python closes them as it ends."""
    names = getattr(sys.modules.get("__main__"), "__dict__", {})
    for thing in (*names.values(), sys.__stdout__):
        if isinstance(thing, _IOBase):
            with suppress(BaseException):  # as Python does
                thing.flush()
