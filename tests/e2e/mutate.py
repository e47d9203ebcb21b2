"""Small faults put into programs, one at a time, by rewriting their syntax trees."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

_SWAPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}


def mutants(source: str) -> Iterator[tuple[str, str]]:
    """(name of the fault, program with it): off by one, swapped comparison, return dropped or wrapped."""
    tree = ast.parse(source)
    for name, change in (
        ("off by one", _off_by_one),
        ("swapped comparison", _swap_comparison),
        ("dropped return", _drop_return),
        ("wrapped return", _wrap_return),
    ):
        mutated = copy.deepcopy(tree)
        if change(mutated):
            yield name, ast.unparse(ast.fix_missing_locations(mutated)) + "\n"


def _off_by_one(tree: ast.Module) -> bool:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            node.value += 1
            return True
    return False


def _swap_comparison(tree: ast.Module) -> bool:
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and type(node.ops[0]) in _SWAPPED:
            node.ops[0] = _SWAPPED[type(node.ops[0])]()
            return True
    return False


def _drop_return(tree: ast.Module) -> bool:
    """Turn the last ``return x`` into ``x``."""
    place = _last_return(tree)
    if place is None:
        return False
    body, index, node = place
    assert node.value is not None
    body[index] = ast.Expr(node.value)
    return True


def _wrap_return(tree: ast.Module) -> bool:
    """Turn the last ``return x`` into ``return [x]``."""
    place = _last_return(tree)
    if place is None:
        return False
    _, _, node = place
    assert node.value is not None
    node.value = ast.List([node.value], ast.Load())
    return True


def _last_return(tree: ast.Module) -> tuple[list[ast.stmt], int, ast.Return] | None:
    found = None
    for parent in ast.walk(tree):
        for name in ("body", "orelse"):
            body = getattr(parent, name, None)
            if not isinstance(body, list):
                continue
            for index, node in enumerate(body):
                if isinstance(node, ast.Return) and node.value is not None:
                    found = body, index, node
    return found
