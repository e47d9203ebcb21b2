"""What a chain of methods is made of."""

from __future__ import annotations

from collections.abc import Callable

from evaluator_service.comparison.text import Text
from evaluator_service.schema import Comparison
from evaluator_service.values import Value

TextMethod = tuple[str, Callable[[Text, Text, Comparison], bool]]
"""Its name, and whether an expected and an actual text match under a policy."""

ValueMethod = tuple[str, Callable[[Value, Value, Comparison], bool]]
"""Its name, and whether an expected and an actual value match under a policy."""
