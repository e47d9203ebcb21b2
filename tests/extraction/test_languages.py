"""What counts as the program in a model's answer, for every language that it may be asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from evaluator_service.extraction import Extracted, extract
from evaluator_service.looks import look_of
from evaluator_service.schema import Language

COMPLETIONS = Path(__file__).parent / "completions"
LANGUAGES: tuple[Language, ...] = get_args(Language)
LOOK_ALIKES = [language for language in LANGUAGES if look_of(language) is look_of("python")]
LOOKS: list[Language] = ["python", *(name for name in LANGUAGES if name not in LOOK_ALIKES)]
CASES = [
    pytest.param(path.stem, case, id=f"{path.stem}: {case['case']}")
    for path in sorted(COMPLETIONS.glob("*.yaml"))
    for case in yaml.safe_load(path.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize(("language", "case"), CASES)
def test_a_models_answer_holds_this_program(language: Language, case: dict[str, Any]) -> None:
    assert extract(case["completion"], language) == Extracted(
        case["code"], case.get("method", "fenced"), complete=case.get("complete", True)
    )


def test_every_language_but_the_pythons_has_a_look_and_completions_of_its_own() -> None:
    of_their_own = {language for language in LANGUAGES if not language.startswith("py")}
    assert set(LOOKS) - {"python"} == of_their_own
    assert of_their_own <= {path.stem for path in COMPLETIONS.glob("*.yaml")}


def test_no_tag_belongs_to_two_languages() -> None:
    tags = [tag for language in LOOKS for tag in look_of(language).tags]
    assert len(tags) == len(set(tags))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_fence_called_by_the_languages_own_name_is_found(language: Language) -> None:
    assert extract(f"```{language}\nx\n```", language) == Extracted("x", "fenced", complete=True)


PIECES = st.sampled_from(
    ["\n", " ", "```", "<think>", "{", "}", "(", ")", "<", ">", ";", "=", "#", "//", "import "]
)
COMPLETION = st.lists(PIECES | st.text(max_size=5), max_size=40).map("".join)


@given(st.sampled_from(LANGUAGES), COMPLETION)
def test_whatever_the_text_code_is_none_exactly_when_the_method_is(
    language: Language, completion: str
) -> None:
    found = extract(completion, language)
    assert (found.code is None) == (found.method == "none")


HOSTILE_BEGINNINGS = [
    "",
    "int ",
    "import ",
    "f(",
    "for x in ",
    "const {",
    "read ",
    "export type x<",
]
HOSTILE_UNITS = ["a", " ", "(", "{", "}", "<", "a<", "a,b ", "x=", "{}=", " from ", "\\", ")//"]


@pytest.mark.parametrize("unit", HOSTILE_UNITS)
@pytest.mark.parametrize("language", LOOKS)
def test_hostile_repetition_is_read_at_once(language: Language, unit: str) -> None:
    """Quadratic time would take minutes here, so that it ends at all is the property."""
    lines = (beginning + unit * (100_000 // len(unit)) + "!" for beginning in HOSTILE_BEGINNINGS)
    assert extract("\n".join(lines), language).method
