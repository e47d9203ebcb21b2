"""The profiles of comparison: their names, what each can compare, and which fields of a policy it knows.

Needs nothing. The methods of each profile are in ``comparison/``; a field that a profile does not know
would change nothing, so that setting it is a mistake and refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

Profile = Literal[
    "flexible", "strict", "microcoder", "livecodebench", "apps", "taco", "verl", "sandboxfusion", "kattis",
    "dmoj", "dmoj_floats", "evalplus",
]  # fmt: skip
Outputs = Literal["texts", "values"]

OUTPUTS_OF_KIND: Mapping[str, Outputs] = {"stdio": "texts", "call": "values", "asserts": "values"}
"""What the tests of each kind of problem compare."""


class Traits(NamedTuple):
    """What a profile can compare, which fields it knows beside ``profile``, and whether case counts if unset."""

    outputs: tuple[Outputs, ...]
    fields: frozenset[str] = frozenset()
    case_counts: bool = True


_BOTH: tuple[Outputs, ...] = ("texts", "values")
_TOLERANCES = frozenset({"absolute_tolerance", "relative_tolerance"})

TRAITS: Mapping[Profile, Traits] = {
    "strict": Traits(_BOTH, frozenset({"whitespace"})),
    "dmoj": Traits(("texts",)),
    "livecodebench": Traits(_BOTH),
    "kattis": Traits(("texts",), _TOLERANCES | {"case", "whitespace"}, case_counts=False),
    "verl": Traits(_BOTH),
    "sandboxfusion": Traits(("texts",), frozenset({"case"}), case_counts=False),
    "dmoj_floats": Traits(("texts",), _TOLERANCES),
    "evalplus": Traits(("values",), frozenset({"absolute_tolerance"})),
    "flexible": Traits(_BOTH, _TOLERANCES | {"order", "case", "whitespace"}),
    "apps": Traits(_BOTH),
    "microcoder": Traits(_BOTH),
    "taco": Traits(_BOTH),
}
"""Strictest first: by how many outputs each accepts, right or wrong, of pairs labelled by hand."""


def misfit(profile: Profile, kind: str) -> str | None:
    """Why a profile cannot compare outputs of this kind of problem, or None if it can."""
    outputs = OUTPUTS_OF_KIND.get(kind)
    if outputs is None:
        return f"kind '{kind}' has no outputs to compare: leave `comparison` out"
    if outputs in TRAITS[profile].outputs:
        return None
    fitting = ", ".join(name for name, traits in TRAITS.items() if outputs in traits.outputs)
    return f"profile '{profile}' cannot compare {outputs}, which kind '{kind}' has; take one of: {fitting}"
