"""Test code: read in a jail, to be run apart from the program wherever that is possible.

Three ways, chosen by the test code alone (``sandbox/inside/lowering.py``): plain asserts become calls
compared out here; other code runs in a tester's jail and reaches the program through pipes (``paired``);
what stand-ins cannot serve runs beside the program (``beside``), and is forgeable.
"""

import signal
from typing import cast

import msgpack

from evaluator_service import values
from evaluator_service.case import encoded
from evaluator_service.prepare import BadProblemError, Prepared, prepare_call
from evaluator_service.schema import AssertsProblem
from evaluator_service.values import DictValue, Value
from sandbox.errors import StarvedError
from sandbox.inside.wire import Piece, PieceKind, Unit
from sandbox.model import Mode, Program, Reason, RunLimits
from sandbox.slot import Slot

_MODULE = -1

TESTER_LIMITS = RunLimits(
    cpu_time_seconds=20.0,
    wall_time_seconds=60.0,
    memory_bytes=2 << 30,
    output_bytes=64 << 20,
    processes_count=64,
    compile_time_seconds=30.0,
)
"""For the problem's own code; generous, since what it takes is not the program's doing."""


def lower(slot: Slot, problem: AssertsProblem) -> list[Prepared]:
    """Have the test code read in the tester's jail and lay out what it says.

    Raises:
        BadProblemError: If it cannot be read, or there is nothing in it to run.
        StarvedError: If the machine did not let it be read.
    """
    request = msgpack.packb(
        [
            [test.code for test in problem.tests],
            problem.test_code or "",
            problem.entry_point or "",
            problem.prelude or "",
        ],
        unicode_errors="surrogatepass",
    )
    program = Program(mode=Mode.LOWER, source=b"")
    with slot.open_tester(program, TESTER_LIMITS, test_text(problem)) as session:
        session.compiled()
        (outcome,) = session.run_all([request])
    if outcome.reason is Reason.STARVED:
        raise StarvedError("the test code's reader waited for a CPU beyond all patience")
    if outcome.signal == signal.SIGKILL and outcome.reason is Reason.BY_ITSELF:
        raise StarvedError("the test code's reader was killed, for lack of memory or from outside")
    if outcome.exit_code != 0 or not outcome.result:
        raise BadProblemError("the test code could not be read: its reader gave up")
    readable, answer = msgpack.unpackb(outcome.result, unicode_errors="surrogatepass")
    if not readable:
        raise BadProblemError(f"the test code cannot be used: {answer}")
    pieces = [Piece(*fields) for fields in answer]
    return [_prepared(problem, piece, _weight(problem, piece, pieces)) for piece in pieces]


def test_text(problem: AssertsProblem) -> bytes:
    """All test code of a problem, to see what it imports."""
    texts = [test.code for test in problem.tests] + [problem.test_code or "", problem.prelude or ""]
    return encoded("\n".join(texts))


def _weight(problem: AssertsProblem, piece: Piece, pieces: list[Piece]) -> float:
    """A declared test's weight, shared by the pieces it was read as."""
    if piece.source == _MODULE:
        return 1.0
    siblings_count = sum(other.source == piece.source for other in pieces)
    return problem.tests[piece.source].weight / siblings_count


def _prepared(problem: AssertsProblem, piece: Piece, weight: float) -> Prepared:
    declared = problem.tests[piece.source] if piece.source != _MODULE else None
    name = (declared.id if declared else None) or piece.name or None
    group = declared.group if declared else None
    if piece.kind == PieceKind.CALL:
        arguments, keywords = cast(
            tuple[list[Value], DictValue], values.from_msgpack(piece.arguments)
        )
        expected = values.from_msgpack(piece.expected)
        return prepare_call(
            piece.entry_point,
            arguments,
            keywords,
            expected,
            weight=weight,
            id=name,
            group=group,
        )
    code = declared.code if declared else problem.test_code or ""
    unit = Unit(code, piece.name, piece.passes_entry_point, piece.solution_names, b"")
    mode = Mode.BESIDE if piece.kind == PieceKind.BESIDE else Mode.TEST
    return Prepared(mode, unit.pack(), weight=weight, id=name, group=group)
