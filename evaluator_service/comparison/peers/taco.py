"""rLLM's path for TACO: a first step that overlooks words that differ, then the whole chain of APPS.

Known to accept wrongly: ``NO`` for ``YES``, ``xyz uvw`` for ``abc def``, ``Impossible`` for ``1``, and
all that APPS accepts wrongly. Values are compared as APPS compares them.
"""

from __future__ import annotations

from itertools import zip_longest

from evaluator_service.comparison.chain import TextMethod
from evaluator_service.comparison.peers import apps
from evaluator_service.comparison.peers.closeness import as_float, isclose
from evaluator_service.comparison.text import Text
from evaluator_service.schema import Comparison


def loose_words(expected: Text, actual: Text, _policy: Comparison) -> bool:
    """Accepts as many words on as many lines, however they read, so long as no two are numbers apart.

    Two texts that are a number each are compared as such. Lines without words are dropped.
    """
    wanted, got = expected.characters.strip(), actual.characters.strip()
    if wanted == got:
        return True
    numbers = as_float(wanted), as_float(got)
    if numbers[0] is not None and numbers[1] is not None:
        return isclose(numbers[1], numbers[0])
    return all(
        one is not None and other is not None and _loosely_same(one.split(), other.split())
        for one, other in zip_longest(_filled(wanted), _filled(got))
    )


def _filled(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


def _loosely_same(expected: list[str], actual: list[str]) -> bool:
    return len(expected) == len(actual) and all(map(_not_numbers_apart, expected, actual))


def _not_numbers_apart(expected: str, actual: str) -> bool:
    if expected == actual:
        return True
    wanted, got = as_float(expected), as_float(actual)
    return wanted is None or got is None or isclose(got, wanted)


TEXT_METHODS: tuple[TextMethod, ...] = (("loose_words", loose_words), *apps.TEXT_METHODS)
