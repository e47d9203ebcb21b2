"""How outputs are compared, on the wire: the policy that a problem or a submission asks for.

Part of ``schema``, which re-exports it. Needs pydantic alone and Python >= 3.11.
"""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from evaluator_service.profiles import TRAITS, Profile
from evaluator_service.wire import Wire

Order = Literal["strict", "lines", "tokens", "elements", "nested", "tree"]

_CASE_COUNTS = ("case", "strict")
"""The one setting beside the defaults that every profile may be given: it holds where none knows the field."""


class Comparison(Wire):
    """How outputs are compared with what is expected."""

    profile: Profile = Field(
        "flexible",
        description="`flexible`: what means the same, by the first of several methods that matches; `strict`: the "
        "same text but for white space at its end, or what Python's `==` accepts; `microcoder`: a permissive chain; "
        "the others as the grader of that name does, its mistakes included. The result names the method. "
        "Where no comparison is given at all, problems of kind `asserts` are compared by `strict`.",
        examples=["flexible"],
    )
    absolute_tolerance: float | None = Field(
        None,
        ge=0,
        description="Allowed |expected - actual|, in the unit of the output; reaches integers as well.",
        examples=[1e-6],
    )
    relative_tolerance: float | None = Field(
        None,
        ge=0,
        description="Allowed |expected - actual| / |expected|, a ratio; reaches integers as well.",
        examples=[1e-6],
    )
    order: Order = Field(
        "strict",
        description="What may come in any order: nothing; lines or tokens of the text; elements of the "
        "outermost container; of every container (nested); or LeetCode trees. Multiplicity always counts.",
        examples=["strict"],
    )
    case: Literal["strict", "ignore"] = Field(
        "strict",
        description="Whether letter case counts; unset, it does not for `kattis` and `sandboxfusion`.",
        examples=["strict"],
    )
    whitespace: Literal["flexible", "strict"] = Field(
        "flexible",
        description="Whether runs of spaces and blank lines count.",
        examples=["flexible"],
    )

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if "case" not in self.model_fields_set and not TRAITS[self.profile].case_counts:
            object.__setattr__(self, "case", "ignore")  # frozen from here on; still unset
        unknown = sorted(self._loosened() - TRAITS[self.profile].fields)
        if unknown:
            raise ValueError(f"profile '{self.profile}' allows none of: {', '.join(unknown)}")
        if self.whitespace == "strict" and self.order != "strict":
            raise ValueError(f"order '{self.order}' cannot keep whitespace strict")
        if self.profile == "dmoj_floats" and not self._has_one_precision():
            raise ValueError(
                "profile 'dmoj_floats' has one precision: give one tolerance, or both alike"
            )
        return self

    def _loosened(self) -> set[str]:
        """The fields that ask for something."""
        return {
            name
            for name in self.model_fields_set - {"profile"}
            if getattr(self, name) != type(self).model_fields[name].default
            and (name, getattr(self, name)) != _CASE_COUNTS
        }

    def _has_one_precision(self) -> bool:
        given = {self.absolute_tolerance, self.relative_tolerance} - {None}
        return len(given) <= 1

    def under(self, profile: Profile) -> Comparison:
        """This policy under another profile: the fields that it knows stay, the others fall away.

        Raises:
            ValueError: If what stays contradicts itself there.
        """
        kept = TRAITS[profile].fields & self.model_fields_set
        if (self.case == "strict") == TRAITS[self.profile].case_counts:
            kept -= {
                "case"
            }  # as its own profile has it, which a policy written out in full says of itself
        known = {name: getattr(self, name) for name in kept}
        return Comparison(profile=profile, **known)
