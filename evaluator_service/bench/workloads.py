"""What the graders are given: trivial programs, so that what is measured is the grader."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Workload:
    """One program and its tests.

    Attributes:
        name: Name in tables.
        kind: ``stdio`` or ``call`` (of a function ``add``).
        code: The program.
        inputs: Standard inputs; for ``call`` two integers each, as text.
        expected: Expected outputs; for ``call`` one integer each, as text.
    """

    name: str
    kind: str
    code: str
    inputs: tuple[str, ...]
    expected: tuple[str, ...]

    @property
    def tests_count(self) -> int:
        """Tests of the program, a count."""
        return len(self.inputs)


_PLAIN = "print(sum(map(int, input().split())))\n"
_NUMPY = "import numpy as np\nprint(int(np.array(input().split(), dtype=np.int64).sum()))\n"
_CALL = "def add(a, b):\n    return a + b\n"


def workload(name: str, kind: str, code: str, tests_count: int) -> Workload:
    """A workload whose tests are sums of two numbers."""
    numbers = [(place, 3 * place + 1) for place in range(tests_count)]
    return Workload(
        name,
        kind,
        code,
        tuple(f"{a} {b}\n" for a, b in numbers),
        tuple(f"{a + b}\n" for a, b in numbers),
    )


def sandbox_workloads(*, with_numpy: bool) -> list[Workload]:
    """1, 10 and 100 tests on standard input, 20 calls, and with numpy if the jails have it."""
    found = [workload(f"stdio x {count}", "stdio", _PLAIN, count) for count in (1, 10, 100)]
    found.append(workload("call x 20", "call", _CALL, 20))
    if with_numpy:
        found += [workload(f"numpy x {count}", "stdio", _NUMPY, count) for count in (1, 10, 100)]
    return found
