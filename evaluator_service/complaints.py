"""What pydantic found wrong, in our words: what is wrong, at which place, and what would be right.

Knows the wire models only by walking their annotations; quoting and answering is for ``errors``.
"""

import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple, TypeAliasType, Union, get_args, get_origin

from pydantic import BaseModel

KINDS_OF_PROBLEM = ("stdio", "call", "asserts")
MAX_JSON_LEVELS_COUNT = 200
"""Brackets and braces that may be open at a time in a body; the JSON parser's own bound."""

type Place = tuple[int | str, ...]


class Complaint(NamedTuple):
    """One thing that is wrong. ``where`` is a path into the body; empty for the body as a whole."""

    where: Place
    what: str


def complaints(found: Iterable[Mapping[str, Any]], kind: Any) -> list[Complaint]:
    """The entries of ``ValidationError.errors()`` in our words.

    Args:
        found: The entries.
        kind: The type that was validated against; unknown fields are answered with its known ones.
    """
    return [_complaint(entry, kind) for entry in found if not _second_guess(entry["loc"])]


def _second_guess(where: Place) -> bool:
    """A problem that is an object was no failed attempt at a name; pydantic lists both readings."""
    return bool(where) and "constrained-str" in str(where[-1])


def _complaint(entry: Mapping[str, Any], kind: Any) -> Complaint:
    where, context = tuple(entry["loc"]), entry.get("ctx", {})
    match entry["type"]:
        case "extra_forbidden":
            return Complaint(where, _unknown_field(where, kind))
        case "missing":
            return Complaint(where, "field required")
        case "too_short" if context["actual_length"] == 0:
            return Complaint(where, f"at least one {_singular(where)} is needed")
        case "union_tag_not_found":
            return Complaint((*where, "kind"), f"field required: {_kinds(where, kind)}")
        case "union_tag_invalid":
            given, known = str(context["tag"])[:50], _kinds(where, kind)
            return Complaint((*where, "kind"), f"unknown kind {given!r}; there are: {known}")
    return Complaint(where, entry["msg"].removeprefix("Value error, "))


def _kinds(where: Place, kind: Any) -> str:
    models = _models(kind, where)
    return ", ".join(dict.fromkeys(tag for model in models for tag in _tags(model)))


def _singular(where: Place) -> str:
    return str(where[-1]).removesuffix("s") if where else "item"


def _unknown_field(where: Place, kind: Any) -> str:
    known = known_fields(kind, where[:-1])
    return f"unknown field; there are: {', '.join(known)}" if known else "unknown field"


# --- the fields of a place ------------------------------------------------------------------------


def known_fields(kind: Any, where: Place) -> list[str]:
    """The fields that an object at ``where`` within a ``kind`` can have."""
    models = _models(kind, where)
    return list(dict.fromkeys(name for model in models for name in model.model_fields))


def _models(kind: Any, where: Place) -> list[type[BaseModel]]:
    """What an object at ``where`` within a ``kind`` can be."""
    reached = list(_branches(kind))
    for part in where:
        reached = [inner for outer in reached for inner in _step(outer, part)]
    return [branch for branch in reached if _is_model(branch)]


def _step(kind: Any, part: int | str) -> Iterator[Any]:
    """What ``part`` of a path leads to: a field, an item, a value, or the branch of a union."""
    arguments = get_args(kind)
    if _is_model(kind):
        if part in kind.model_fields:
            yield from _branches(kind.model_fields[part].annotation)
        elif part not in KINDS_OF_PROBLEM or part in _tags(kind):
            yield kind  # the name of a branch
    elif get_origin(kind) is list and isinstance(part, int):
        yield from _branches(arguments[0])
    elif get_origin(kind) is dict:
        yield from _branches(arguments[1])


def _branches(kind: Any) -> Iterator[Any]:
    """The members of a union, without annotations."""
    if isinstance(kind, TypeAliasType):
        yield from _branches(kind.__value__)
    elif get_origin(kind) is Annotated:
        yield from _branches(get_args(kind)[0])
    elif get_origin(kind) in (Union, types.UnionType):
        for member in get_args(kind):
            yield from _branches(member)
    else:
        yield kind


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _tags(model: type[BaseModel]) -> tuple[Any, ...]:
    field = model.model_fields.get("kind")
    is_tag = field is not None and get_origin(field.annotation) is Literal
    return get_args(field.annotation) if field is not None and is_tag else ()


# --- places as people write them ------------------------------------------------------------------


def place(where: Sequence[int | str]) -> str:
    """A path into the body as people write it: ``submissions[0].problem.tests[2].args``."""
    text = ""
    for part in _without_branches(where):
        text += f"[{part}]" if isinstance(part, int) else f".{part}"
    return text.removeprefix(".")


def _without_branches(where: Sequence[int | str]) -> Iterator[int | str]:
    """Leave out what pydantic adds to name the branch of a union it was in."""
    kept: list[int | str] = []
    for part in where:
        beside_problem = not kept or kept[-1] == "problem" or kept[-2:-1] == ["problems"]
        is_branch = isinstance(part, str) and ("-union[" in part or "function-" in part)
        if is_branch or (beside_problem and part in KINDS_OF_PROBLEM):
            continue
        kept.append(part)
    return iter(kept)
