"""One child for many tests (isolation mode ``auto``): the program runs anew for each, in one process.

Nothing that happens here is taken at its word: the outputs are compared outside, the kernel's figures count for
the process as a whole, and whatever does not come out right is run again in a process of its own. So this
code need not resist the program; it has to make sure that an honest program meets, for every test, what it
would meet in a fresh process, and to stop where it cannot (``_CannotShareError``).

What happens here for every test costs every test: each line counts.
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
from functools import partial
from typing import NamedTuple

import msgpack

from . import call, stdio
from .program import Loaded, names_in, read_whole, show_exception
from .streams import FIRST_RESERVED_FD, Streams, forget_since, written_since
from .surroundings import Surroundings
from .wire import Header, Mode

Output = int | bytes | None
"""What came of one test: how much it wrote to standard output, or its packed result; None if it failed."""


class Way(NamedTuple):
    """How a program is run; all of it takes and gives what ``Group`` says."""

    execute: Callable[[Loaded], int]
    """Run one test as in a process of its own, up to the program's last line; the exit code so far."""
    finish: Callable[[int], int]
    """What follows at the end of such a process, threads and exit handlers included."""
    flush: Callable[[int], int]
    """What of it is left to do without any of these."""
    run_again: Callable[[Loaded, bytes, int], Output]
    """Run one more test in the same process, whose standard output holds so much of earlier ones."""
    reads_input: bool
    """Whether what is given is standard input."""


class _CannotShareError(Exception):
    """A test left behind what the next one would notice."""


class Group:
    """The tests of one program that share this process."""

    def __init__(self, loaded: Loaded, way: Way, surroundings: Surroundings) -> None:
        self._loaded = loaded
        self._way = way
        self._surroundings = surroundings
        self._streams = Streams()
        self._usual = surroundings.of_process()
        self._randomness = any("random" in name for name in names_in(loaded))

    def first(self) -> int | None:
        """Run a test as in a process of its own; its exit code, or None if others may follow.

        Nothing of the others is here yet: what this test came to is reported before.
        """
        pid = os.getpid()
        code = copy_context().run(self._way.execute, self._loaded)
        if not _is_alone():
            return self._way.finish(code)
        code = self._way.flush(code)
        return None if code == 0 and os.getpid() == pid else code

    def rest(self) -> int:
        """Run the program once for each of the packed inputs; write what came of each.

        Tests after one that cannot share come out as None. One after the other is written, packed by itself:
        the outside reads no deeper than that. What was written to standard output stays there, test after
        test.
        """
        inputs = msgpack.unpackb(read_whole(0))
        outputs: list[Output] = [None] * len(inputs)
        self._streams.reserve()
        self._clear_up()
        try:
            for place, given in enumerate(inputs):
                begin = self._streams.renew(given if self._way.reads_input else b"")
                output = copy_context().run(self._way.run_again, self._loaded, given, begin)
                self._clear_up()
                if not _is_alone():
                    raise _CannotShareError("a thread, a child or a handler of the end is left")
                outputs[place] = output
        except (_CannotShareError, OSError, ValueError) as error:
            show_exception(error)  # this test and the rest stay None, and are run again
        if self._surroundings.changed() or self._surroundings.of_process() != self._usual:
            # there is no telling which test did it, and which made use of it
            outputs = [None] * len(inputs)
        call.write_result(b"".join(map(msgpack.packb, outputs)))
        return 0

    def _clear_up(self) -> None:
        _forget_program()
        self._surroundings.restore(randomness=self._randomness)


def way_of(header: Header) -> Way:
    """How tests of this kind are run."""
    if header.mode == Mode.CALL:
        return _call_way(header.entry_point, header.provide_names)
    return Way(stdio.execute, stdio.finish, stdio.flush, _run_script, reads_input=True)


def _run_script(loaded: Loaded, _: bytes, begin: int) -> int | None:
    """Run the program as a script; how much it wrote, or None if it failed, which then wrote nothing."""
    pid = os.getpid()
    code = stdio.execute(loaded)
    _join_threads()
    code = stdio.flush(code)
    if os.getpid() != pid:
        os._exit(code)  # a child that the program forked, at the end of its own script
    if code:
        forget_since(begin)
        return None
    return written_since(begin)


def _call_way(entry_point: str, provide_names: bool) -> Way:
    """Call one function of the program; of a further test its packed result, or None if it failed."""
    execute = partial(call.run, entry_point=entry_point, provide_names=provide_names)

    def leave(code: int) -> int:
        return code

    def run_again(loaded: Loaded, packed: bytes, _: int) -> bytes | None:
        pid = os.getpid()
        result = None
        with suppress(BaseException):  # whatever a program raises is its own
            result = call.result_of(loaded, packed, entry_point, provide_names)
        if os.getpid() != pid:  # a child of the program's: alone, it would write a second result
            os.write(call.RESULT_FD, result or b"")
            os._exit(0 if result else call.NO_RESULT_EXIT_CODE)
        return result

    return Way(execute, leave, leave, run_again, reads_input=False)


def _join_threads() -> None:
    """What ``threading._shutdown`` does, which can be done only once; not where libraries have a part in it."""
    if count_threads() and not threading._threading_atexits:  # type: ignore[attr-defined]
        for thread in threading.enumerate():
            if not thread.daemon and thread is not threading.main_thread():
                thread.join()


def _forget_program() -> None:
    """Let everything that the test made die, with the files it left open, before the next one starts."""
    for name in ("__main__", "solution"):
        sys.modules.pop(name, None)
    gc.callbacks.clear()
    gc.collect()
    gc.freeze()  # what lives on, such as modules that were imported, need not be looked at again
    os.closerange(call.RESULT_FD + 1, FIRST_RESERVED_FD)


def _is_alone() -> bool:
    """Whether nothing is left that would go on beside the next test, or at the end: threads, children, handlers."""
    if count_threads() or atexit._ncallbacks():
        return False
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return True
    return False
