"""Mode LOWER: read test code, unprivileged and jailed, and say how each piece of it can be run.

Plain ``assert f(literals) == literal`` becomes a ``call`` whose result is compared outside every jail.
Other code becomes a unit for a tester's jail, or, where stand-ins for the program's functions cannot
serve it, a unit that has to run beside the program. The answer depends on the test code alone: a
program must not be able to choose the weaker way.
"""

from __future__ import annotations

import ast
import builtins
import importlib.util
import symtable
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgpack

from .call import write_result
from .plain_asserts import equality, literal
from .program import read_whole
from .values import encode
from .wire import Piece, PieceKind

_TOUCHES_THE_PROGRAM = frozenset(
    "mock patch monkeypatch capsys capfd redirect_stdout redirect_stderr stdin stdout stderr input open".split()
)
"""Names whose use shows that the tests reach into the program's own process."""


_KEEPS_AN_OBJECT = (
    ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.Attribute, ast.withitem, ast.Return, ast.Expr,
)  # fmt: skip


class Request(NamedTuple):
    """What is to be read: single pieces, or a module, and what the entry point is called."""

    pieces: list[str]
    module: str
    entry_point: str
    prelude: str


class BadTestError(Exception):
    """The test code cannot be read or run, whatever the program."""


def run() -> int:
    """Answer the request on standard input through the result descriptor."""
    request = Request(*msgpack.unpackb(read_whole(0), unicode_errors="surrogatepass"))
    try:
        answer: list[Any] = [True, [list(piece) for piece in lower(request)]]
    except (BadTestError, SyntaxError, ValueError, RecursionError, MemoryError) as error:
        answer = [False, f"{type(error).__name__}: {error}"]
    write_result(msgpack.packb(answer, unicode_errors="surrogatepass"))
    return 0


def lower(request: Request) -> list[Piece]:
    """All pieces, in the order of the test code.

    Raises:
        BadTestError: If there is nothing to run, or an import that cannot be had.
        SyntaxError: If the code is no Python.
    """
    found = []
    for place, text in enumerate(request.pieces):
        found += _Reader(text, place, request).pieces()
    if request.module.strip():
        found += _Reader(request.module, -1, request).pieces()
    if not found:
        raise BadTestError("no assert, no check(candidate) and no test_… function in the test code")
    return found


class _Reader:
    """Reads one text of test code."""

    def __init__(self, text: str, source: int, request: Request) -> None:
        self._text = text
        self._source = source
        self._entry_point = request.entry_point
        self._tree = ast.parse(text)
        self._refuse_missing_imports()
        self._refuse_what_a_call_does_not_run()
        self._parents = {
            id(child): node for node in ast.walk(self._tree) for child in ast.iter_child_nodes(node)
        }
        self._wanted = _names_of_program(text, self._tree, request.prelude)
        if request.entry_point.isidentifier():
            self._wanted.add(request.entry_point)
        if not self._wanted:
            self._wanted = self._builtins_under_test()
        self._beside = self._must_run_beside()

    def pieces(self) -> list[Piece]:
        """The pieces of this text; calls where every statement of a test is a plain one."""
        found: list[Piece] = []
        top = [node for node in self._tree.body if not _declares(node)]
        if top and not self._is_call_of_check(top):
            found += self._plain_calls(top, "", "") or [self._unit("")]
        for name, function, takes in self._functions():
            stands_for = function.args.args[0].arg if takes else ""
            plain = self._plain_calls(function.body, stands_for, name)
            found += plain or [self._unit(name, passes_entry_point=takes)]
        return found

    def _functions(self) -> Iterator[tuple[str, ast.FunctionDef, bool]]:
        for node in self._tree.body:
            if isinstance(node, ast.FunctionDef):
                if node.name == "check" and len(node.args.args) == 1:
                    yield node.name, node, True
                elif node.name.startswith("test"):
                    yield node.name, node, False
            elif isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
                for inner in node.body:
                    if isinstance(inner, ast.FunctionDef) and inner.name.startswith("test"):
                        yield f"{node.name}.{inner.name}", inner, False

    def _is_call_of_check(self, top: list[ast.stmt]) -> bool:
        """Whether all that stands outside functions is ``check(entry_point)``, which we call ourselves."""
        return all(
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Call)
            and isinstance(node.value.func, ast.Name)
            and node.value.func.id == "check"
            for node in top
        ) and any(name == "check" for name, _, _ in self._functions())

    def _plain_calls(self, body: list[ast.stmt], stands_for: str, name: str) -> list[Piece]:
        """Calls for a body that holds nothing but plain asserts; empty for any other."""
        if self._beside or "." in name:
            return []
        found = []
        for node in body:
            if _says_nothing(node):
                continue
            piece = self._plain_call(node, stands_for, name)
            if piece is None:
                return []
            found.append(piece)
        return found

    def _plain_call(self, node: ast.stmt, stands_for: str, name: str) -> Piece | None:
        compared = equality(node)
        if compared is None:
            return None
        call, expected = compared
        if not isinstance(call.func, ast.Name):
            return None
        function = call.func.id
        if function == stands_for or (function == "candidate" and self._entry_point):
            function = self._entry_point
        elif function not in self._wanted:
            return None
        try:
            arguments = [literal(argument) for argument in call.args]
            keywords = {str(word.arg): literal(word.value) for word in call.keywords if word.arg}
            if not function or len(keywords) != len(call.keywords):
                return None
            packed = encode([arguments, keywords]), encode(literal(expected))
        except (ValueError, TypeError):
            return None
        return Piece(PieceKind.CALL, self._source, name, False, [], function, *packed)

    def _unit(self, name: str, *, passes_entry_point: bool = False) -> Piece:
        if passes_entry_point and not self._entry_point:
            raise BadTestError("check(candidate) needs the problem's entry_point")
        names = [name for name in self._wanted if name != self._entry_point]
        kind = PieceKind.BESIDE if self._beside else PieceKind.UNIT
        first = [self._entry_point] if self._entry_point else []
        return Piece(kind, self._source, name, passes_entry_point, first + names, "", b"", b"")

    def _builtins_under_test(self) -> set[str]:
        """Where nothing else is tested, builtins are the program's: ``assert sum(10, 15) == 6``."""
        return {
            compared[0].func.id
            for node in ast.walk(self._tree)
            if isinstance(node, ast.stmt)
            and (compared := equality(node))
            and isinstance(compared[0].func, ast.Name)
        }

    def _must_run_beside(self) -> bool:
        """Whether a stand-in that only answers calls with plain data cannot serve this code."""
        stored = {
            node.id
            for node in ast.walk(self._tree)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        touching = _TOUCHES_THE_PROGRAM - self._wanted - stored
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Attribute) and node.attr in _TOUCHES_THE_PROGRAM:
                return True
            if isinstance(node, ast.Name) and (
                node.id in touching or (node.id in self._wanted and not self._stand_in_serves(node))
            ):
                return True
        return False

    def _stand_in_serves(self, node: ast.Name) -> bool:
        """A function that is called, or handed to a helper such as check(f).

        A capital letter means a class if what the call makes is kept or used as an object.
        """
        parent = self._parents[id(node)]
        if not isinstance(parent, ast.Call):
            return False
        if not node.id[:1].isupper():
            return True
        use = self._parents.get(id(parent))
        return parent.func is node and not isinstance(use, _KEEPS_AN_OBJECT)

    def _refuse_what_a_call_does_not_run(self) -> None:
        """Calling a coroutine or a generator runs nothing of it, and nothing never fails."""
        for node in ast.walk(self._tree):
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            if node.name != "check" and not node.name.startswith("test"):
                continue
            if isinstance(node, ast.AsyncFunctionDef) or _yields(node):
                raise BadTestError(
                    f"{node.name} is async or a generator; tests have to be plain functions"
                )

    def _refuse_missing_imports(self) -> None:
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Import):
                roots = [alias.name.partition(".")[0] for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                roots = [(node.module or "").partition(".")[0]]
            else:
                continue
            for root in set(roots) - {"solution", "pytest"}:
                if root not in sys.modules and importlib.util.find_spec(root) is None:
                    raise BadTestError(
                        f"the test code imports {root!r}, which the jail does not have"
                    )


def _yields(function: ast.FunctionDef) -> bool:
    """Whether it is a generator; what it defines within itself does not count."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            waiting += ast.iter_child_nodes(node)
    return False


def _names_of_program(text: str, tree: ast.Module, prelude: str) -> set[str]:
    """Names the code uses but nobody but the program defines: free names, and imports from it."""
    known = set(dir(builtins)) | {"__name__", "__file__"}
    known |= _globals_of(symtable.symtable(text, "tests.py", "exec"), assigned=True)
    if prelude.strip():
        known |= _globals_of(symtable.symtable(prelude, "prelude.py", "exec"), assigned=True)
    wanted = _globals_of(symtable.symtable(text, "tests.py", "exec"), assigned=False) - known
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "solution":
            wanted |= {alias.asname or alias.name for alias in node.names}
    return {name for name in wanted if name not in sys.stdlib_module_names} - {"*"}


def _globals_of(table: symtable.SymbolTable, *, assigned: bool) -> set[str]:
    """Global names that a module assigns, or else that it or anything in it refers to."""
    found = set()
    top = table.get_type() == "module"
    for symbol in table.get_symbols():
        binds = symbol.is_assigned() or symbol.is_imported()
        if assigned and binds and (top or symbol.is_declared_global()):
            found.add(symbol.get_name())
        if not assigned and symbol.is_referenced() and (top or symbol.is_global()):
            found.add(symbol.get_name())
    for child in table.get_children():
        found |= _globals_of(child, assigned=assigned)
    return found


def _declares(node: ast.stmt) -> bool:
    """Statements that only set the stage: imports, definitions, assignments, doc strings."""
    return _says_nothing(node) or isinstance(
        node,
        (
            ast.Import,
            ast.ImportFrom,
            ast.FunctionDef,
            ast.ClassDef,
            ast.Assign,
            ast.AnnAssign,
            ast.If,
        ),
    )


def _says_nothing(node: ast.stmt) -> bool:
    if isinstance(node, ast.Pass):
        return True
    if isinstance(node, ast.Assert):
        return isinstance(node.test, ast.Constant) and bool(node.test.value)
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
