"""Mode BESIDE: test code runs in the program's own process, where the program can tamper with it.

For test code that a stand-in cannot serve: classes, objects with identity, patched modules. The token
shows that the tests came through rather than that the process ended; a program bent on it can still
forge it, which is why the judgement then says ``forgeable``.
"""

from __future__ import annotations

import os
import sys

import msgpack

from . import pytest_names
from .call import find_entry_point, write_result
from .program import Loaded, define, fresh_main, show_exception
from .tester import TEST_FILE_NAME, end_of, run_test_code
from .wire import TestEnd, Unit


def run(loaded: Loaded, packed: bytes) -> int:
    """Define the program, run one unit of test code beside it, write how it ended."""
    os.lseek(0, 0, os.SEEK_END)
    unit = Unit.unpack(packed)
    code = compile(unit.code, TEST_FILE_NAME, "exec", dont_inherit=True)  # read before: by LOWER
    sys.modules["pytest"] = pytest_names.as_module()
    module = fresh_main("solution")
    try:
        define(loaded, module)
        candidate = (
            find_entry_point(module, unit.solution_names[0]) if unit.passes_entry_point else None
        )
    except BaseException as error:  # noqa: BLE001 - whatever a program raises is its own
        show_exception(error)
        return 1
    end, message = end_of(lambda: run_test_code(module, code, unit, candidate))
    token = unit.token if end is TestEnd.PASSED else b""
    write_result(msgpack.packb([int(end), message[:2000], token], unicode_errors="replace"))
    return 0
