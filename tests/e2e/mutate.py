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
    """(name of the fault, program with it): off by one, swapped comparison, dropped return."""
    tree = ast.parse(source)
    for name, change in (
        ("off by one", _off_by_one),
        ("swapped comparison", _swap_comparison),
        ("dropped return", _drop_return),
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
    found = None
    for parent in ast.walk(tree):
        for name in ("body", "orelse"):
            body = getattr(parent, name, None)
            if not isinstance(body, list):
                continue
            for place, node in enumerate(body):
                if isinstance(node, ast.Return) and node.value is not None:
                    found = body, place
    if found is None:
        return False
    body, place = found
    body[place] = ast.Expr(body[place].value)
    return True
