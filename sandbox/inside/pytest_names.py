"""The handful of pytest's names that test code in data sets uses: raises, approx, mark.parametrize.

pytest itself would take longer to import than most tests take to run. Test code that needs more of it
(fixtures, plugins) fails with an AttributeError that names what is missing.
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Iterable
from typing import Any


class _Raises:
    """Context manager: the block must raise one of ``expected``."""

    def __init__(self, expected: Any, match: str | None) -> None:
        self._expected = expected
        self._match = match
        self.value: BaseException | None = None
        self.type: Any = None

    def __enter__(self) -> _Raises:
        return self

    def __exit__(self, kind: Any, value: BaseException | None, trace: Any) -> bool:
        if value is None:
            raise AssertionError(f"did not raise {self._expected}")
        if not isinstance(value, self._expected):
            return False
        self.value, self.type = value, kind
        if self._match is not None and not re.search(self._match, str(value)):
            raise AssertionError(f"{self._match!r} does not match {str(value)!r}")
        return True


def raises(expected: Any, *call: Any, match: str | None = None, **keywords: Any) -> Any:
    """``pytest.raises``: as a context manager, or with a function and its arguments."""
    context = _Raises(expected, match)
    if not call:
        return context
    with context:
        call[0](*call[1:], **keywords)
    return context


class _Approx:
    """``pytest.approx``: equal within relative 1e-6 or absolute 1e-12, or as given."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, expected: Any, rel: float | None, abs: float | None) -> None:  # noqa: A002 - pytest's own
        self._expected = expected
        self._relative = 1e-6 if rel is None and abs is None else rel or 0.0
        self._absolute = 1e-12 if abs is None else abs

    def __eq__(self, actual: object) -> bool:
        return self._near(self._expected, actual)

    def __repr__(self) -> str:
        return f"approx({self._expected!r})"

    def _near(self, expected: Any, actual: Any) -> bool:
        if isinstance(expected, dict):
            return (
                isinstance(actual, dict)
                and expected.keys() == actual.keys()
                and all(self._near(expected[key], actual[key]) for key in expected)
            )
        if isinstance(expected, (list, tuple)):
            return (
                isinstance(actual, (list, tuple))
                and len(expected) == len(actual)
                and all(map(self._near, expected, actual))
            )
        if not all(isinstance(value, (int, float, complex)) for value in (expected, actual)):
            return bool(expected == actual)
        return bool(
            expected == actual
            or abs(expected - actual) <= max(self._relative * abs(expected), self._absolute)
        )


def approx(expected: Any, rel: float | None = None, abs: float | None = None) -> _Approx:  # noqa: A002 - pytest's own
    """A value that equals whatever is near it."""
    return _Approx(expected, rel, abs)


class _Mark:
    """``pytest.mark``: parametrize counts, every other mark is passed over."""

    @staticmethod
    def parametrize(
        names: str | Iterable[str], sets: Iterable[Any], **_: Any
    ) -> Callable[[Any], Any]:
        """Run the test once for every set of arguments."""
        listed = [name.strip() for name in names.split(",")] if isinstance(names, str) else [*names]
        made = [
            dict(zip(listed, values if len(listed) > 1 else (values,), strict=True))
            for values in sets
        ]

        def remember(function: Any) -> Any:
            before = getattr(function, "parameter_sets", [{}])
            function.parameter_sets = [{**old, **new} for new in made for old in before]
            return function

        return remember

    def __getattr__(self, name: str) -> Any:
        def passed_over(*arguments: Any, **_: Any) -> Any:
            if len(arguments) == 1 and callable(arguments[0]):
                return arguments[0]
            return lambda function: function

        return passed_over


def parameter_sets(function: Any) -> list[dict[str, Any]]:
    """The sets of arguments a test function is to run with; one empty set by default."""
    return getattr(function, "parameter_sets", [{}])


def fail(reason: str = "") -> None:
    """Fail the test."""
    raise AssertionError(reason)


def as_module() -> types.ModuleType:
    """A module to import as ``pytest``."""
    module = types.ModuleType("pytest")
    module.__dict__.update(raises=raises, approx=approx, mark=_Mark(), fail=fail)
    return module
