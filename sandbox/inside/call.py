"""Mode CALL: one function of the program is called once; its return value goes out as typed data."""

from __future__ import annotations

import functools
import os
import sys
import types
from collections.abc import Callable
from typing import Any

from . import names, nodes
from .program import Loaded, define, fresh_main, read_whole, show_exception
from .values import Decoder, encode

RESULT_FD = 3
NO_RESULT_EXIT_CODE = 1


def run(loaded: Loaded, entry_point: str, provide_names: bool) -> int:
    """Call the entry point with the arguments on standard input; write its result to RESULT_FD."""
    packed = read_whole(0)
    os.lseek(0, 0, os.SEEK_END)  # the program's own standard input is empty
    try:
        result = result_of(loaded, packed, entry_point, provide_names)
    except SystemExit as error:
        print(f"SystemExit: {error.code}", file=sys.stderr)  # noqa: T201 - the program's own words
        return NO_RESULT_EXIT_CODE
    except BaseException as error:  # noqa: BLE001 - whatever a program raises is its own
        show_exception(error)
        return NO_RESULT_EXIT_CODE
    write_result(result)
    return 0


def result_of(loaded: Loaded, packed: bytes, entry_point: str, provide_names: bool) -> bytes:
    """Define the program, call its entry point, encode what it returns; whatever it raises goes through."""
    known = names.provided() if provide_names else {}
    lent = known.get(entry_point)
    if callable(lent):
        # told from the program's own by its identity: ``from math import gcd`` is a definition
        known[entry_point] = lent = functools.partial(lent)
    module = fresh_main("solution", known)
    define(loaded, module)
    return call_packed(module, find_entry_point(module, entry_point, lent), packed)


def write_result(data: bytes) -> None:
    """Write all of ``data`` to RESULT_FD."""
    view = memoryview(data)
    while view:
        view = view[os.write(RESULT_FD, view) :]


def find_entry_point(
    module: types.ModuleType, entry_point: str, lent: object = None
) -> Callable[..., Any]:
    """The function to call: of the module, or a method of its ``class Solution``.

    Args:
        module: What the program defined.
        entry_point: What the problem calls it.
        lent: What stood under that name before the program: no definition of its own.

    Raises:
        NameError: If the program defines no such thing.
    """
    *_, name = entry_point.rpartition(".")
    space = module.__dict__
    if entry_point == name and callable(space.get(name)) and space[name] is not lent:
        return space[name]  # type: ignore[no-any-return]
    solution = space.get("Solution")
    if isinstance(solution, type) and hasattr(solution, name):
        return getattr(solution(), name)  # type: ignore[no-any-return]
    raise NameError(f"the program defines no {entry_point!r}")


def call_packed(module: types.ModuleType, function: Callable[..., Any], packed: bytes) -> bytes:
    """Decode arguments, call, encode the result; nodes are built where annotations ask for them."""
    list_node = module.__dict__.get("ListNode", nodes.ListNode)
    tree_node = module.__dict__.get("TreeNode", nodes.TreeNode)
    arguments, keywords = Decoder(list_node, tree_node).decode(packed)
    signature = _Annotations(function, list_node, tree_node)
    result = function(
        *(signature.argument(place, value) for place, value in enumerate(arguments)),
        **{key: signature.argument(key, value) for key, value in keywords.items()},
    )
    return encode([] if result is None and signature.returns_nodes else result)


class _Annotations:
    """Which arguments a function wants as nodes, read off its annotations."""

    def __init__(self, function: Callable[..., Any], list_node: Any, tree_node: Any) -> None:
        self._list_node = list_node
        self._tree_node = tree_node
        plain = getattr(function, "__func__", function)
        annotations = getattr(plain, "__annotations__", None)
        self._of = annotations if isinstance(annotations, dict) else {}
        code = getattr(plain, "__code__", None)
        places = list(code.co_varnames[: code.co_argcount]) if code is not None else []
        self._places = places[1:] if plain is not function else places
        self.returns_nodes = self._wanted("return") is not None

    def argument(self, place: int | str, value: Any) -> Any:
        if isinstance(place, int):
            place = self._places[place] if place < len(self._places) else ""
        build = self._wanted(place)
        if build is None or not isinstance(value, list):
            return value
        annotation = _text_of(self._of[place])
        if annotation.startswith(("List[", "list[", "typing.List[")):
            return [build(item) if isinstance(item, list) else item for item in value]
        return build(value)

    def _wanted(self, name: str) -> Callable[[list[Any]], Any] | None:
        text = _text_of(self._of.get(name, ""))
        if "ListNode" in text:
            return lambda values: nodes.linked_list(values, self._list_node)
        if "TreeNode" in text:
            return lambda values: nodes.tree(values, self._tree_node)
        return None


def _text_of(annotation: Any) -> str:
    if isinstance(annotation, str):
        return annotation
    if isinstance(annotation, type) and not hasattr(annotation, "__args__"):
        return annotation.__name__
    return repr(annotation)
