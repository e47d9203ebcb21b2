"""The command ``microcoder compare``: lines of expected and actual outputs in, results out.

A line is ``{"id"?, "kind": "stdio" | "call", "expected", "actual", "comparison"?}``. For ``stdio`` both
outputs are text; for ``call`` both are typed values (plain JSON with ``$``-tags).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, JsonValue, TypeAdapter, ValidationError

from evaluator_service import values
from evaluator_service.comparison import compare_text, compare_values
from evaluator_service.comparison.text import encoded
from evaluator_service.complaints import complaints, place
from evaluator_service.problem import Wire
from evaluator_service.schema import Comparison, ComparisonResult, Profile


class CompareLineError(ValueError):
    """A line that cannot be compared; the message names it and says why."""


class TextLine(Wire):
    """Two outputs of a program."""

    kind: Literal["stdio"] = Field(description="The kind of output.", examples=["stdio"])
    id: str | int | None = Field(None, description="Name of the pair, echoed.", examples=["a-1"])
    expected: str = Field(description="The expected output.", examples=["7\n"])
    actual: str = Field(description="What the program wrote.", examples=["7"])
    comparison: Comparison = Field(
        default_factory=Comparison, description="How to compare.", examples=[{"case": "ignore"}]
    )

    def compared(self) -> ComparisonResult:
        """How the two outputs compare."""
        return compare_text(self.expected, encoded(self.actual), self.comparison)


class ValueLine(Wire):
    """Two values that a function returned."""

    kind: Literal["call"] = Field(description="The kind of output.", examples=["call"])
    id: str | int | None = Field(None, description="Name of the pair, echoed.", examples=["a-1"])
    expected: JsonValue = Field(description="The expected value, typed.", examples=[[1, 2]])
    actual: JsonValue = Field(description="The returned value, typed.", examples=[[1, 2.0]])
    comparison: Comparison = Field(
        default_factory=Comparison, description="How to compare.", examples=[{"order": "elements"}]
    )

    def compared(self) -> ComparisonResult:
        """How the two values compare.

        Raises:
            ValueFormatError: If one of them is no typed value.
        """
        expected, actual = values.from_json(self.expected), values.from_json(self.actual)
        return compare_values(expected, actual, self.comparison)


_LINE: TypeAdapter[TextLine | ValueLine] = TypeAdapter(
    Annotated[TextLine | ValueLine, Field(discriminator="kind")]
)


def compare_lines(lines: Iterable[str], profile: str | None = None) -> Iterator[dict[str, Any]]:
    """Compare each line's outputs; blank lines are passed over.

    Args:
        lines: JSON objects, one a line.
        profile: Compare by this profile, whatever the lines name.

    Yields:
        ``{"id", "matched", "method", "detail"}``; ``id`` is the line's own, or its number from 1.

    Raises:
        CompareLineError: At the first line that cannot be compared, or for an unknown profile.
    """
    if profile is not None and profile not in get_args(Profile):
        raise CompareLineError(
            f"unknown profile {profile!r}; there are: {', '.join(get_args(Profile))}"
        )
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _compared(number, line, profile)


def _compared(number: int, line: str, profile: str | None) -> dict[str, Any]:
    try:
        content = json.loads(line)
        if profile is not None and isinstance(content, dict):
            content["comparison"] = {**(content.get("comparison") or {}), "profile": profile}
        pair = _LINE.validate_python(content)
        result = pair.compared()
    except ValidationError as error:
        raise CompareLineError(f"line {number}: {_first_error(error)}") from error
    except json.JSONDecodeError as error:
        what = f"{error.msg} at column {error.colno}"
        raise CompareLineError(f"line {number}: not JSON: {what}") from error
    except RecursionError as error:
        raise CompareLineError(f"line {number}: nested too deeply") from error
    except (ValueError, TypeError) as error:
        raise CompareLineError(f"line {number}: {error}") from error
    name = number if pair.id is None else pair.id
    return {"id": name, **result.model_dump(include={"matched", "method", "detail"})}


def _first_error(error: ValidationError) -> str:
    first, *_ = complaints(error.errors(include_url=False), TextLine | ValueLine)
    return f"{place(first.where)}: {first.what}".removeprefix(": ")
