"""A problem's prelude, tried once before any program: what fails there is never a program's fault."""

import dataclasses

from evaluator_service import values
from evaluator_service.asserts import TESTER_LIMITS
from evaluator_service.case import Case
from evaluator_service.classify import last_line
from evaluator_service.prepare import BadProblemError
from evaluator_service.values import DictValue
from sandbox.errors import StarvedError
from sandbox.model import Mode, Program, Reason
from sandbox.slot import Slot

PRELUDE_LIMITS = dataclasses.replace(TESTER_LIMITS, cpu_time_seconds=5.0)

_PROBE = b"def prelude_came_through():\n    return True\n"
_NO_ARGUMENTS = values.to_msgpack([[], DictValue(())])
_CAME_THROUGH = values.to_msgpack(True)


def try_prelude(slot: Slot, case: Case) -> None:
    """Run the prelude with a program that does nothing, in the jail where the problem's own code runs.

    Raises:
        BadProblemError: If it does not compile, raises, exits or takes too long.
        StarvedError: If the machine did not let it run.
    """
    program = Program(
        mode=Mode.CALL,
        source=_PROBE,
        prelude=case.prelude,
        entry_point="prelude_came_through",
        provide_names=case.problem.kind == "call",
    )
    with slot.open_tester(program, PRELUDE_LIMITS, case.prelude) as session:
        compiled = session.compiled()
        if not compiled.ok:
            raise BadProblemError(f"the prelude does not compile: {compiled.message}")
        (outcome,) = session.run_all([_NO_ARGUMENTS])
    if outcome.reason is Reason.STARVED:
        raise StarvedError("the prelude waited for a CPU beyond all patience")
    if outcome.result != _CAME_THROUGH:
        why = last_line(outcome.stderr_tail) or f"it ended with {outcome.reason.name.lower()}"
        raise BadProblemError(f"the prelude fails: {why}")
