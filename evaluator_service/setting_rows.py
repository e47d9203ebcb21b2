"""Settings as people read them: a row for each, with what nobody may see left out."""

from typing import Any, NamedTuple

from evaluator_service.environment import is_secret
from evaluator_service.secrecy import HIDDEN, without_passwords
from evaluator_service.settings import Settings, variable_name


class SettingRow(NamedTuple):
    """One setting as people read it."""

    name: str
    variable: str
    value: Any
    default: Any
    meaning: str


def describe(settings: Settings) -> list[SettingRow]:
    """Every setting with its value, default and meaning, in declared order; secrets hidden."""
    secret = {name for name in Settings.model_fields if is_secret(name)}
    values = settings.model_dump(mode="json", exclude=secret)
    return [
        SettingRow(
            name=name,
            variable=variable_name(name),
            value=_hidden(getattr(settings, name)) if name in secret else _shown(values[name]),
            default=_plain(field.get_default(call_default_factory=True, validated_data={})),
            meaning=field.description or "",
        )
        for name, field in Settings.model_fields.items()
    ]


def _hidden(value: Any) -> Any:
    return HIDDEN if value else _plain(value)


def _shown(value: Any) -> Any:
    return without_passwords(value) if isinstance(value, str) else value


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
