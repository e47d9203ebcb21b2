"""The command ``microcoder compare``: lines of expected and actual outputs in, results out.

A line is ``{"id"?, "kind": "stdio" | "call", "expected", "actual", "comparison"?, "want"?}``. For
``stdio`` both outputs are text; for ``call`` both are typed values (plain JSON with ``$``-tags). Lines
with ``want`` are labelled: of these it can also say how often each profile is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, JsonValue, TypeAdapter, ValidationError

from evaluator_service import labelled_pairs, score_table, values
from evaluator_service.comparison import compare_text, compare_values
from evaluator_service.comparison.text import encoded
from evaluator_service.complaints import complaints, place
from evaluator_service.labelled_pairs import Line, Pair, RemarkedLine, Score, policy_of
from evaluator_service.profiles import OUTPUTS_OF_KIND, Profile, misfit


class CompareLineError(ValueError):
    """A line that cannot be compared; the message names it and says why."""


class TextLine(Line):
    """Two outputs of a program."""

    kind: Literal["stdio"] = Field(description="The kind of output.", examples=["stdio"])
    expected: str = Field(description="The expected output.", examples=["7\n"])
    actual: str = Field(description="What the program wrote.", examples=["7"])

    def outputs(self) -> tuple[str, bytes]:
        """Both outputs, ready to be compared."""
        return self.expected, encoded(self.actual)


class ValueLine(Line):
    """Two values that a function returned."""

    kind: Literal["call"] = Field(description="The kind of output.", examples=["call"])
    expected: JsonValue = Field(description="The expected value, typed.", examples=[[1, 2]])
    actual: JsonValue = Field(description="The returned value, typed.", examples=[[1, 2.0]])

    def outputs(self) -> tuple[values.Value, values.Value]:
        """Both values, ready to be compared.

        Raises:
            ValueFormatError: If one of them is no typed value.
        """
        return values.from_json(self.expected), values.from_json(self.actual)


_LINE: TypeAdapter[TextLine | ValueLine] = TypeAdapter(
    Annotated[TextLine | ValueLine, Field(discriminator="kind")]
)


def answers(lines: Iterable[str], profile: str | None, *, as_json: bool) -> Iterator[str]:
    """What the command prints: a line for each line, or one table if these are labelled.

    Args:
        lines: JSON objects, one a line.
        profile: Compare by this profile, whatever the lines name; labels are then only passed over.
        as_json: The table as JSON.

    Raises:
        CompareLineError: At the first line that cannot be compared, or for an unknown profile.
    """
    waiting = iter(lines)
    head = list(_up_to_first_filled(waiting))
    if profile is None and head and _is_labelled(head[-1]):
        yield (score_table.as_json if as_json else score_table.as_text)(
            _scores(chain(head, waiting))
        )
        return
    for result in compare_lines(chain(head, waiting), profile):
        yield json.dumps(result, ensure_ascii=False)


def _up_to_first_filled(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        yield line
        if line.strip():
            return


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
    for name, pair in _pairs(lines, profile):
        compare = compare_text if pair.outputs == "texts" else compare_values
        result = compare(pair.expected, pair.actual, pair.policy)
        yield {"id": name, **result.model_dump(include={"matched", "method", "detail"})}


def _is_labelled(line: str) -> bool:
    try:
        content = json.loads(line)
    except (ValueError, RecursionError):
        return False  # the line is named when it is read
    return isinstance(content, dict) and content.get("want") is not None


def _scores(lines: Iterable[str]) -> list[Score]:
    return labelled_pairs.scores(_labelled(lines))


def _labelled(lines: Iterable[str]) -> Iterator[Pair]:
    for name, pair in _pairs(lines, None):
        if pair.want is None:
            raise CompareLineError(f"{name}: `want` is missing, which the lines before it have")
        yield pair


def _pairs(lines: Iterable[str], profile: str | None) -> Iterator[tuple[str | int, Pair]]:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _pair(number, line, profile)


def _pair(number: int, line: str, profile: str | None) -> tuple[str | int, Pair]:
    """One line's outputs under their policy, by the line's own name or its number."""
    try:
        read = _validated(json.loads(line), profile)
        if why := misfit(read.comparison.profile, read.kind):
            raise ValueError(f"comparison: {why}")
        expected, actual = read.outputs()
    except ValidationError as error:
        raise CompareLineError(f"line {number}: {_first_error(error)}") from error
    except json.JSONDecodeError as error:
        what = f"{error.msg} at column {error.colno}"
        raise CompareLineError(f"line {number}: not JSON: {what}") from error
    except RecursionError as error:
        raise CompareLineError(f"line {number}: nested too deeply") from error
    except (ValueError, TypeError) as error:
        raise CompareLineError(f"line {number}: {error}") from error
    name = number if read.id is None else read.id
    return name, Pair(OUTPUTS_OF_KIND[read.kind], expected, actual, read.comparison, read.want)


def _validated(content: Any, profile: str | None) -> TextLine | ValueLine | RemarkedLine:
    if not isinstance(content, dict):
        return _LINE.validate_python(content)
    is_remarked = "options" in content
    given = (
        policy_of(dict(content.pop("options"))) if is_remarked else content.get("comparison") or {}
    )
    if profile is not None or is_remarked:
        content["comparison"] = given if profile is None else {**given, "profile": profile}
    return RemarkedLine.model_validate(content) if is_remarked else _LINE.validate_python(content)


def _first_error(error: ValidationError) -> str:
    first, *_ = complaints(error.errors(include_url=False), TextLine | ValueLine)
    return f"{place(first.where)}: {first.what}".removeprefix(": ")
