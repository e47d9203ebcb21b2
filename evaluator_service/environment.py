"""Settings from the environment: reading them, and saying in words what is wrong with them."""

import difflib
import os
from collections.abc import Iterable, Iterator
from typing import Any, get_args

from pydantic import SecretStr, ValidationError
from pydantic_settings import SettingsError as UnreadableSource

from evaluator_service.secrecy import HIDDEN, without_passwords
from evaluator_service.settings import ENVIRONMENT_PREFIX, Settings, SettingsError, variable_name

_VARIABLES_OF_OTHERS = ("MICROCODER_PYTHON", "MICROCODER_CI_REQUIRE")
"""Read by ``scripts/setup`` and by the tests."""
_EXAMPLES_OF_JSON = {"packages": '["numpy"]', "api_keys": '{"trainer": "sha256:…"}'}


def load_settings(**overrides: Any) -> Settings:
    """Read settings from the environment; ``overrides`` that are not None win.

    Raises:
        SettingsError: If a value cannot be used; says which variable and why.
    """
    given = {name: value for name, value in overrides.items() if value is not None}
    try:
        return Settings(**given)
    except ValidationError as error:
        raise SettingsError("; ".join(_complaints(error))) from error
    except UnreadableSource as error:  # a value that has to be JSON and is none
        raise SettingsError(_unreadable(error)) from error


def _complaints(error: ValidationError) -> Iterator[str]:
    for entry in error.errors(include_url=False):
        name = ".".join(str(part) for part in entry["loc"])
        where = f"{variable_name(name)}={shown(name, entry['input'])}: " if name else ""
        yield where + entry["msg"].removeprefix("Value error, ")


def _unreadable(error: UnreadableSource) -> str:
    named = [name for name in Settings.model_fields if f'"{name}"' in str(error)]
    if not named:
        return "a setting must be JSON and is none"
    variable = variable_name(named[0])
    given = shown(named[0], os.environ.get(variable, ""))
    example = _EXAMPLES_OF_JSON.get(named[0], '{"python": …}')
    return f"{variable}={given}: must be JSON, for example {example}"


def is_secret(setting: str) -> bool:
    """Whether nobody sees the value of a setting: it is a secret by its type, or left out of a ``repr``."""
    field = Settings.model_fields.get(setting.partition(".")[0])
    if field is None:
        return False
    return not field.repr or SecretStr in (field.annotation, *get_args(field.annotation))


def shown(setting: str, value: object) -> str:
    """The beginning of a value that somebody gave, without what nobody may see."""
    return HIDDEN if is_secret(setting) else without_passwords(str(value))[:80]


def unknown_variables(environment: Iterable[str]) -> Iterator[str]:
    """A sentence for every name that looks like a setting and is none, with the nearest that is one."""
    known = [variable_name(name) for name in Settings.model_fields]
    for name in environment:
        upper = name.upper()
        if upper.startswith(ENVIRONMENT_PREFIX) and upper not in (*known, *_VARIABLES_OF_OTHERS):
            nearest = difflib.get_close_matches(upper, known, n=1)
            hint = f"; did you mean {nearest[0]}?" if nearest else ""
            yield f"{name} is no setting and has no effect{hint}"
