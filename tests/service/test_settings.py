"""Settings: documented, with units, consistent, and clear when they are not."""

from __future__ import annotations

import re

import pytest
from pydantic import ValidationError

from evaluator_service.environment import load_settings, unknown_variables
from evaluator_service.setting_rows import describe
from evaluator_service.settings import ENFORCED, Settings, SettingsError

WITHOUT_UNIT = {"port", "no_code_reward", "compile_error_reward"}
UNIT = re.compile(r"_(seconds|bytes|count|items|items_max)$")


def test_every_setting_says_what_it_means() -> None:
    assert [row.name for row in describe(Settings()) if len(row.meaning) < 20] == []


def test_every_number_carries_its_unit_in_its_name() -> None:
    numbers = {name for name, value in Settings() if type(value) in (int, float)}
    assert {name for name in numbers - WITHOUT_UNIT if not UNIT.search(name)} == set()


def test_the_environment_sets_a_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MICROCODER_SLOTS_COUNT", "7")
    assert load_settings().slots_count == 7


def test_an_argument_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MICROCODER_PORT", "1")
    assert load_settings(port=2, host=None).port == 2


def test_a_bad_value_names_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MICROCODER_SLOTS_COUNT", "many")
    with pytest.raises(SettingsError, match=r"MICROCODER_SLOTS_COUNT=many: .*integer"):
        load_settings()


@pytest.mark.parametrize("limit", ENFORCED)
def test_a_default_above_its_maximum_is_refused(limit: str) -> None:
    maximum = getattr(Settings(), f"max_{limit}")
    with pytest.raises(
        ValidationError, match=f"MICROCODER_DEFAULT_{limit.upper()} is larger than MICROCODER_MAX_"
    ):
        Settings(**{f"default_{limit}": maximum + 1})


def test_settings_do_not_change() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Settings().port = 1  # type: ignore[misc]


def test_a_list_that_is_no_json_names_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MICROCODER_PACKAGES", "numpy")
    with pytest.raises(SettingsError, match=r'MICROCODER_PACKAGES=numpy: .*\["numpy"\]'):
        load_settings()


@pytest.mark.parametrize("setting", ["max_problems_bytes", "max_bodies_bytes"])
def test_a_store_that_holds_no_body_is_refused_by_its_variables(setting: str) -> None:
    with pytest.raises(SettingsError, match=f"MICROCODER_{setting.upper()} is smaller than MICROC"):
        load_settings(**{setting: 1 << 20})


def test_a_variable_that_is_no_setting_is_named_with_the_nearest_that_is_one() -> None:
    given = ["MICROCODER_SLOT_COUNT", "microcoder_port", "MICROCODER_PYTHON", "HOME"]
    assert list(unknown_variables(given)) == [
        "MICROCODER_SLOT_COUNT is no setting and has no effect; did you mean MICROCODER_SLOTS_COUNT?"
    ]


def test_a_setting_left_alone_has_its_default() -> None:
    rows = describe(Settings())
    assert [row.name for row in rows if row.value != row.default] == []
