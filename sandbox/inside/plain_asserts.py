"""Asserts that say no more than ``f(literals) == literal``."""

from __future__ import annotations

import ast
import builtins
from typing import Any


def equality(node: ast.stmt) -> tuple[ast.Call, ast.expr] | None:
    """The two sides of ``assert call == value``, in either order."""
    if not isinstance(node, ast.Assert) or not isinstance(node.test, ast.Compare):
        return None
    compare = node.test
    if len(compare.ops) != 1 or not isinstance(compare.ops[0], ast.Eq):
        return None
    left, right = compare.left, compare.comparators[0]
    if isinstance(left, ast.Call) and _is_literal(right):
        return left, right
    if isinstance(right, ast.Call) and _is_literal(left):
        return right, left
    return None


def _is_literal(node: ast.expr) -> bool:
    try:
        literal(node)
    except (ValueError, TypeError):
        return False
    return True


def literal(node: ast.expr) -> Any:
    """The value of a literal; also ``set()``, ``float("inf")`` and the like.

    Raises:
        ValueError: If the expression is none.
    """
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        values = [literal(argument) for argument in node.args]
        if node.func.id in ("set", "frozenset", "tuple", "list", "dict") and len(values) <= 1:
            return getattr(builtins, node.func.id)(*values)
        if node.func.id == "float" and len(values) == 1 and isinstance(values[0], str):
            return float(values[0])
    return ast.literal_eval(node)
