"""Mode SERVE: the program answers calls that a tester, in another jail, sends through pipes.

A request is ``[name, arguments, keywords]``; an answer ``[0, result, arguments as they are now]`` or
``[1, names of the exception's classes, its message]``.
"""

from __future__ import annotations

import sys
import types

import msgpack

from . import frames, nodes
from .call import find_entry_point
from .program import Loaded, define, exit_code_of, fresh_main, show_exception
from .values import Decoder, encode

REQUESTS_FD = 3
ANSWERS_FD = 4

RETURNED = 0
RAISED = 1


def run(loaded: Loaded) -> int:
    """Define the program, then answer calls until nobody asks any more."""
    module = fresh_main("solution")
    try:
        define(loaded, module)
    except SystemExit as error:
        return exit_code_of(error) or 1
    except BaseException as error:  # noqa: BLE001 - whatever a program raises is its own
        show_exception(error)
        return 1
    while True:
        try:
            request = frames.receive(REQUESTS_FD)
        except frames.PeerGoneError:
            return 0
        frames.send(ANSWERS_FD, _answer(module, request))


def _answer(module: types.ModuleType, request: bytes) -> bytes:
    space = module.__dict__
    decoder = Decoder(space.get("ListNode", nodes.ListNode), space.get("TreeNode", nodes.TreeNode))
    try:
        name, arguments, keywords = decoder.decode(request)
        before = _encoded_or_none([arguments, keywords])
        result = encode(find_entry_point(module, name)(*arguments, **keywords))
        after = _encoded_or_none([arguments, keywords])
    except BaseException as error:  # noqa: BLE001 - the tester decides what a raised exception means
        return _raised(error)
    changed = after if before != after else None
    return msgpack.packb([RETURNED, result, changed])  # type: ignore[no-any-return]


def _encoded_or_none(value: object) -> bytes | None:
    """Arguments that are no plain data any more cannot have been changed in a way a test can see."""
    try:
        return encode(value)
    except (TypeError, ValueError):
        return None


def _raised(error: BaseException) -> bytes:
    show_exception(error)
    sys.stderr.flush()
    classes = [kind.__name__ for kind in type(error).__mro__]
    try:
        message = str(error)[:2000]
    except BaseException:  # noqa: BLE001 - a program's exception may refuse to be shown
        message = "(its message could not be read)"
    return msgpack.packb([RAISED, classes, message], unicode_errors="surrogatepass")  # type: ignore[no-any-return]
