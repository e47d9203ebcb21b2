"""One child for many tests (isolation mode ``auto``): the program runs anew for each, in one process.

Nothing that happens here is taken at its word: the outputs are compared outside, the kernel's figures count for
the process as a whole, and whatever does not come out right is run again in a process of its own. So this
code need not resist the program; it has to make sure that an honest program meets, for every test, what it
would meet in a fresh process, and to stop where it cannot (``_CannotShareError``).
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
import threading
from _contextvars import copy_context
from _thread import _count as count_threads
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgpack

from . import call, scratch, stdio
from .program import Loaded, read_whole, show_exception
from .surroundings import Surroundings

_INPUT_FD = 250
_OUTPUT_FD = 251
_STDOUT_FD = 252
_STDERR_FD = 253
"""Above what programs open: some close every small number there is."""

RunOne = Callable[[Loaded, bytes], bytes | None]


class _CannotShareError(Exception):
    """A test left behind what the next one would notice."""


def run(loaded: Loaded, run_one: RunOne) -> int:
    """Run the program once for each of the packed inputs; write the outputs, None for what failed.

    Tests after one that cannot share come out as None as well. One after the other is written, packed by
    itself: the outside reads no deeper than that.
    """
    inputs = msgpack.unpackb(read_whole(0))
    outputs: list[bytes | None] = [None] * len(inputs)
    _reserve_descriptors()
    surroundings = Surroundings()
    untouched = [scratch.state_of(path) for path in scratch.PATHS]
    try:
        for place, given in enumerate(inputs):
            output = copy_context().run(run_one, loaded, given)
            _forget_program()
            surroundings.restore()
            _check_alone(untouched)
            outputs[place] = output
    except (_CannotShareError, OSError, ValueError) as error:
        show_exception(error)  # this test and the rest stay None, and are run again
    os.dup2(_STDOUT_FD, 1)  # what comes now, from a thread or the like, belongs to no test
    call.write_result(b"".join(map(msgpack.packb, outputs)))
    return 0


def run_script(loaded: Loaded, given: bytes) -> bytes | None:
    """Run the program as a script; what it wrote, or None if it failed."""
    _set_streams(given)
    pid = os.getpid()
    code = stdio.execute(loaded)
    _join_threads()
    code = stdio.flush(code)
    if os.getpid() != pid:
        os._exit(code)  # a child that the program forked, at the end of its own script
    return read_whole(_OUTPUT_FD) if code == 0 else None


def run_call(entry_point: str, provide_names: bool) -> RunOne:
    """Call one function of the program; its packed result, or None if it failed."""

    def run_one(loaded: Loaded, packed: bytes) -> bytes | None:
        _set_streams(b"")
        pid = os.getpid()
        result = None
        with suppress(BaseException):  # whatever a program raises is its own
            result = call.result_of(loaded, packed, entry_point, provide_names)
        if os.getpid() != pid:  # a child of the program's: alone, it would write a second result
            os.write(_STDOUT_FD, result or b"")
            os._exit(0 if result else call.NO_RESULT_EXIT_CODE)
        return result

    return run_one


def _join_threads() -> None:
    """What ``threading._shutdown`` does, which can be done only once; not where libraries have a part in it."""
    if count_threads() and not threading._threading_atexits:  # type: ignore[attr-defined]
        for thread in threading.enumerate():
            if not thread.daemon and thread is not threading.main_thread():
                thread.join()


def _reserve_descriptors() -> None:
    os.dup2(1, _STDOUT_FD)
    os.dup2(2, _STDERR_FD)
    for name, number in (("input", _INPUT_FD), ("output", _OUTPUT_FD)):
        made = os.memfd_create(name)
        os.dup2(made, number)
        os.close(made)


def _set_streams(given: bytes) -> None:
    """Standard input that holds this, an empty output, and Python's objects for them as new."""
    for number, place in ((_INPUT_FD, 0), (_OUTPUT_FD, 1)):
        os.ftruncate(number, 0)
        os.lseek(number, 0, os.SEEK_SET)
        os.dup2(number, place)
    os.dup2(_STDERR_FD, 2)
    written = 0
    while written < len(given):
        written += os.pwrite(_INPUT_FD, given[written:], written)
    wanted = [("stdin", 0, "r"), ("stdout", 1, "w")]
    if (
        sys.stderr.closed
    ):  # what is written there decides nothing: else the same one serves all tests
        wanted.append(("stderr", 2, "w"))
    for name, number, mode in wanted:
        stream = _stream_like(getattr(sys, f"__{name}__"), number, mode)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _stream_like(first: Any, number: int, mode: str) -> Any:
    """As the interpreter made the ``first`` one (create_stdio in CPython's pylifecycle.c)."""
    stream = open(  # noqa: SIM115 - lives as long as the test
        number,
        mode,
        buffering=1 if first.line_buffering else -1,
        encoding=first.encoding,
        errors=first.errors,
        newline="\n",
        closefd=False,
    )
    stream.buffer.raw.name = first.name  # type: ignore[attr-defined]
    return stream


def _forget_program() -> None:
    """Let everything that the test made die, with the files it left open, before the next one starts."""
    for name in ("__main__", "solution"):
        sys.modules.pop(name, None)
    gc.callbacks.clear()
    gc.collect()
    gc.freeze()  # what lives on, such as modules that were imported, need not be looked at again
    os.closerange(call.RESULT_FD + 1, _INPUT_FD)


def _check_alone(untouched: list[tuple[int, ...]]) -> None:
    if count_threads():
        raise _CannotShareError("a thread still runs")
    if atexit._ncallbacks():
        raise _CannotShareError("something is left to be done at exit")
    if [scratch.state_of(path) for path in scratch.PATHS] != untouched:
        raise _CannotShareError("a scratch directory was written to")
