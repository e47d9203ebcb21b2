"""What a reader of the wire format may rely on: every field explained, every number with its unit."""

from __future__ import annotations

import inspect
import typing

import pytest
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from evaluator_service import problem, schema

UNITS = ("_seconds", "_bytes", "_count", "_ratio")
NUMBERS_WITHOUT_UNIT = {
    "absolute_tolerance": "in the unit of the output it compares",
    "relative_tolerance": "a ratio by its name",
    "weight": "a share",
    "score": "a share",
    "max_score": "in the unit of the checker's scores",
    "reward": "in [-1, 1] by definition",
    "first_k": "a count by its definition",
    "methods": "counts, said in its description",
    "verdicts": "counts, said in its description",
    "passed": "a count, said in its description",
    "total": "a count, said in its description",
    "index": "a place",
    "exit_code": "a code",
    "signal": "a number the kernel gave",
    "status": "the HTTP status",
}
MODELS = sorted(
    {
        model
        for module in (problem, schema)
        for _, model in inspect.getmembers(module, inspect.isclass)
        if issubclass(model, BaseModel) and model.__module__.startswith("evaluator_service.")
    },
    key=lambda model: model.__name__,
)
FIELDS = [
    pytest.param(name, field, id=f"{model.__name__}.{name}")
    for model in MODELS
    for name, field in model.model_fields.items()
]


@pytest.mark.parametrize(("name", "field"), FIELDS)
def test_a_field_says_what_it_means(name: str, field: FieldInfo) -> None:
    assert field.description, f"{name} has no description"


@pytest.mark.parametrize(("name", "field"), FIELDS)
def test_a_number_carries_its_unit_in_its_name(name: str, field: FieldInfo) -> None:
    if _is_number(field.annotation) and name not in NUMBERS_WITHOUT_UNIT:
        assert name.endswith(UNITS), f"{name}: end it in one of {UNITS}"


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_a_model_is_frozen_and_refuses_unknown_fields(model: type[BaseModel]) -> None:
    assert model.model_config.get("frozen") is True
    assert model.model_config.get("extra") == "forbid"


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_a_model_explains_itself(model: type[BaseModel]) -> None:
    assert model.__name__.startswith("_") or model.__doc__


def _is_number(annotation: object) -> bool:
    members = typing.get_args(annotation) or (annotation,)
    return any(_bare(member) in (int, float) for member in members)


def _bare(annotation: object) -> object:
    is_annotated = typing.get_origin(annotation) is typing.Annotated
    return typing.get_args(annotation)[0] if is_annotated else annotation
