"""Programs with one small fault each, at places drawn by lot from all where one can be put."""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Callable

_SWAPPED: dict[type, type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Div,
    ast.And: ast.Or,
    ast.Or: ast.And,
}


def mutants(source: str, count: int, lot: random.Random) -> list[str]:
    """Up to ``count`` programs that differ from ``source`` by one fault.

    Raises:
        SyntaxError: If the source is no Python.
    """
    tree = ast.parse(source)
    faults = [
        (place, change)
        for place, node in enumerate(ast.walk(tree))
        for change in (_shift_number, _swap_operator, _drop_return, _drop_statement)
        if change(copy.copy(node))
    ]
    chosen = lot.sample(faults, min(count, len(faults)))
    return [_with_fault(tree, place, change) for place, change in chosen]


def _with_fault(tree: ast.Module, place: int, change: Callable[[ast.AST], bool]) -> str:
    mutated = copy.deepcopy(tree)
    change(list(ast.walk(mutated))[place])
    return ast.unparse(ast.fix_missing_locations(mutated)) + "\n"


def _shift_number(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        node.value += 1
        return True
    return False


def _swap_operator(node: ast.AST) -> bool:
    name = "ops" if isinstance(node, ast.Compare) else "op"
    operator = getattr(node, name, None)
    first = operator[0] if isinstance(operator, list) else operator
    if type(first) not in _SWAPPED:
        return False
    other = _SWAPPED[type(first)]
    setattr(node, name, [other(), *operator[1:]] if isinstance(operator, list) else other())
    return True


def _drop_return(node: ast.AST) -> bool:
    return _change_last(node, ast.Return, lambda last: ast.Expr(last.value or ast.Constant(None)))


def _drop_statement(node: ast.AST) -> bool:
    return _change_last(node, (ast.Assign, ast.AugAssign, ast.Expr), lambda _: ast.Pass())


def _change_last(
    node: ast.AST, kind: type | tuple[type, ...], change: Callable[..., ast.stmt]
) -> bool:
    body = getattr(node, "body", None)
    if not isinstance(body, list) or not body or not isinstance(body[-1], kind):
        return False
    node.body = [*body[:-1], change(body[-1])]  # type: ignore[attr-defined]
    return True
