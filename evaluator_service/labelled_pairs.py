"""Pairs of outputs that people have labelled, and how often each profile is wrong about them.

A labelled line is a line of ``microcoder compare`` with ``want``: ``accept``, ``reject``, or ``depends``
where both are defensible, which counts for nothing. A second form is read as well: the options of the
problem by the names that judges use, returned values as Python writes them, and remarks for people.

==========================  ====================================
 option                      field of ``comparison``
==========================  ====================================
 ``float_abs``               ``absolute_tolerance``
 ``float_rel``               ``relative_tolerance``
 ``unordered``, ``tree``     ``order``
 ``case_sensitive``          ``case``
 ``space_change_sensitive``  ``whitespace``
==========================  ====================================
"""

from __future__ import annotations

import ast
import math
import operator
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field

from evaluator_service.comparison import ladder
from evaluator_service.comparison.text import encoded
from evaluator_service.profiles import OUTPUTS_OF_KIND, TRAITS, Outputs
from evaluator_service.schema import Comparison, Profile
from evaluator_service.values import DictValue, SetValue
from evaluator_service.wire import Wire

Want = Literal["accept", "reject", "depends"]


class Line(Wire):
    """What every line of two outputs may say."""

    id: str | int | None = Field(None, description="Name of the pair, echoed.", examples=["a-1"])
    comparison: Comparison = Field(
        default_factory=Comparison, description="How to compare.", examples=[{"case": "ignore"}]
    )
    want: Want | None = Field(
        None, description="Which answer is right, where somebody said so.", examples=["reject"]
    )


class RemarkedLine(Line):
    """The second form, its options already made fields of ``comparison``."""

    kind: Literal["stdio", "call"] = Field(description="The kind of output.", examples=["call"])
    expected: str = Field(description="Text, or a Python expression.", examples=["[1, 2]"])
    actual: str = Field(description="Text, or a Python expression.", examples=["(1, 2)"])
    why: str = Field("", description="For people.", examples=["an error of 3.3e-5"])
    source: str = Field("", description="For people.", examples=["made for this"])
    context: str = Field("", description="For people.", examples=["real-valued answer"])
    trap: str = Field("", description="For people.", examples=["removing all blanks"])

    def outputs(self) -> tuple[Any, Any]:
        """Both outputs, ready to be compared.

        Raises:
            ValueError: If a returned value is written in a way that is not read here.
        """
        if self.kind == "stdio":
            return self.expected, encoded(self.actual)
        return value_of(self.expected), value_of(self.actual)


@dataclass(frozen=True)
class Pair:
    """Two outputs, how the problem compares them, and what is right, if somebody said so."""

    outputs: Outputs
    expected: Any
    actual: Any
    policy: Comparison
    want: Want | None = None


@dataclass(frozen=True)
class Score:
    """How often a profile was wrong. Its pairs are those that it can compare and that have a right answer."""

    profile: Profile
    outputs: Outputs
    pairs_count: int
    wrong_accepts_count: int
    wrong_rejects_count: int


def scores(pairs: Iterable[Pair]) -> list[Score]:
    """How often each profile was wrong, under the fields of each pair's policy that it knows."""
    counts: Counter[tuple[Profile, Outputs, str]] = Counter()
    for pair in pairs:
        if pair.want not in ("accept", "reject"):
            continue
        for profile, result in ladder(pair.expected, pair.actual, pair.policy, pair.outputs):
            counts[profile, pair.outputs, "all"] += 1
            counts[profile, pair.outputs, pair.want] += result.matched != (pair.want == "accept")
    return [
        Score(
            profile,
            outputs,
            total,
            counts[profile, outputs, "reject"],
            counts[profile, outputs, "accept"],
        )
        for outputs in dict.fromkeys(OUTPUTS_OF_KIND.values())
        for profile in TRAITS
        if (total := counts[profile, outputs, "all"])
    ]


# --- the second form ------------------------------------------------------------------------------

_FIELDS: Mapping[str, Callable[[Any], tuple[str, Any]]] = {
    "float_abs": lambda value: ("absolute_tolerance", value),
    "float_rel": lambda value: ("relative_tolerance", value),
    "unordered": lambda value: ("order", value),
    "tree": lambda value: ("order", "tree" if value else "strict"),
    "case_sensitive": lambda value: ("case", "strict" if value else "ignore"),
    "space_change_sensitive": lambda value: ("whitespace", "strict" if value else "flexible"),
}


def policy_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a problem as fields of ``comparison``.

    Raises:
        ValueError: If there is no such option.
    """
    unknown = sorted(options.keys() - _FIELDS.keys())
    if unknown:
        raise ValueError(f"options: unknown option {unknown[0]!r}; there are: {', '.join(_FIELDS)}")
    given = {name: value for name, value in options.items() if value is not None}
    return dict(_FIELDS[name](value) for name, value in given.items())


def value_of(expression: str) -> Any:
    """The value of a Python expression made of literals, ``nan``, ``inf``, and a few types of values.

    Nothing is evaluated but what stands here; its cost is bounded only by what was written.

    Raises:
        ValueError: If it is anything else.
    """
    try:
        return _value(ast.parse(expression.strip(), mode="eval").body)
    except (SyntaxError, TypeError, OverflowError, MemoryError, RecursionError) as error:
        raise ValueError(f"no value: {expression:.60}: {error}") from error


def _value(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value):
            return value
        case ast.Name(name) if name in _NAMES:
            return _NAMES[name]
        case ast.List(items):
            return [_value(item) for item in items]
        case ast.Tuple(items):
            return tuple(_value(item) for item in items)
        case ast.Set(items):
            return SetValue(tuple(_value(item) for item in items))
        case ast.Dict(keys, items) if None not in keys:
            pairs = zip(keys, items, strict=True)
            return DictValue(tuple((_value(key), _value(item)) for key, item in pairs if key))
        case ast.UnaryOp(ast.USub(), operand):
            return -_value(operand)
        case ast.BinOp(left, sign, right) if type(sign) in _OPERATORS:
            return _OPERATORS[type(sign)](_value(left), _value(right))
        case ast.Call(ast.Name(name), arguments, []) if name in _CALLS:
            return _CALLS[name](*map(_value, arguments))
    raise ValueError(f"not read here: {ast.unparse(node):.60}")


def _counts(items: Iterable[Any]) -> DictValue:
    return DictValue(tuple(Counter(items).items()))


_NAMES: Mapping[str, float] = {"nan": math.nan, "inf": math.inf}
_OPERATORS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Mult: operator.mul, ast.Pow: operator.pow,
}  # fmt: skip
_CALLS: Mapping[str, Callable[..., Any]] = {
    "float": float,
    "Decimal": float,
    "Fraction": lambda one, other=1: one / other,
    "deque": list,
    "Counter": _counts,
    "set": lambda items=(): SetValue(tuple(items)),
    "frozenset": lambda items=(): SetValue(tuple(items)),
}
"""Types that a jail sends as plain values, and as which."""
