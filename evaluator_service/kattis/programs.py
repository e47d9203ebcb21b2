"""Programs in a package: which files they have, their language, and which file is the main one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import get_args

from pydantic import TypeAdapter, ValidationError

from evaluator_service.kattis.folder import Folder, PackageError
from evaluator_service.programs import MAX_FILES_COUNT, FileName, Language
from evaluator_service.wire import MAX_SOURCE_CHARACTERS

KNOWN_LANGUAGES: frozenset[str] = frozenset(get_args(Language))

_LANGUAGE_OF_ENDING: Mapping[str, str] = {
    ending: language
    for language, endings in {
        "cpp": ".cc .cpp .cxx .c++ .C",
        "c": ".c",
        "python": ".py .py3",
        "java": ".java",
        "javascript": ".js .mjs",
        "typescript": ".ts",
        "rust": ".rs",
        "go": ".go",
        "bash": ".sh",
        "ada": ".adb",
        "csharp": ".cs",
        "d": ".d",
        "fsharp": ".fs",
        "haskell": ".hs",
        "julia": ".jl",
        "kotlin": ".kt",
        "lisp": ".lisp .cl",
        "lua": ".lua",
        "nim": ".nim",
        "ocaml": ".ml",
        "pascal": ".pas",
        "perl": ".pm",
        "php": ".php",
        "prolog": ".pl",
        "python2": ".py2",
        "ruby": ".rb",
        "scala": ".scala .sc",
        "swift": ".swift",
    }.items()
    for ending in endings.split()
}
"""In a tie the first named wins: a program of C++ and C is one of C++."""

_HEADER_ENDINGS = frozenset({".h", ".hh", ".hpp", ".hxx", ".h++", ".inc"})
_CODES: Mapping[str, str] = {
    "python3": "python",
    "python3numpy": "python",
    "cppgmp": "cpp",
    "cgmp": "c",
}
"""What packages call a language that has another name here."""

_ENTRY_LINES: Mapping[str, str] = {
    "c": r"^[ \t]*(int|void)?[ \t]*main[ \t]*\(",
    "cpp": r"^[ \t]*(int|void|auto|signed)?[ \t]*main[ \t]*\(",
    "java": r"static void main\b",
    "rust": r"^[ \t]*(pub )?fn main\b",
    "go": r"^func main\b",
    "python": r"^if __name__ *==",
}
_FILE_NAME: TypeAdapter[str] = TypeAdapter(FileName)
_PYTHON_2 = re.compile(r"^#!.*python2")
_CONSTANT = re.compile(r"\{\{([a-zA-Z_][a-zA-Z0-9_]*)\}\}")


@dataclass(frozen=True, slots=True)
class Source:
    """A program's files.

    Attributes:
        language: A language of the wire, or a package's name for one that is not.
        main: The name of its main file, within the program.
        code: The main file.
        files: The other files, by name.
    """

    language: str
    main: str
    code: str
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def file_name(self) -> str | None:
        """The main file's name, if the wire can say it."""
        return self.main if _is_sayable(self.main) else None


class NoProgramError(Exception):
    """Files that are no program; the message says why."""


def language_named(code: str) -> str:
    """The wire's name of a language that a package names."""
    return _CODES.get(code, code)


def package_names(language: str) -> tuple[str, ...]:
    """What packages may call a language of the wire; the usual name last."""
    return (language, *(code for code, name in _CODES.items() if name == language))


def is_source(name: str) -> bool:
    """Whether a file of this name is of some programming language."""
    return PurePosixPath(name).suffix in _LANGUAGE_OF_ENDING


def is_header(name: str) -> bool:
    """Whether a file of this name is included by others."""
    return PurePosixPath(name).suffix in _HEADER_ENDINGS


def read_files(
    folder: Folder, names: Iterable[str], base: str, constants: Mapping[str, str]
) -> dict[str, str]:
    """The text of these files by their names below ``base``, constants put in; what is no text is left out.

    Raises:
        PackageError: If one cannot be read.
    """
    files: dict[str, str] = {}
    for name in names:
        try:
            text = folder.text(name)
        except PackageError:
            if is_source(name) or is_header(name):
                raise
            continue  # what a compiler left there, for example
        files[name.removeprefix(f"{base}/")] = _CONSTANT.sub(
            lambda found: constants.get(found[1], found[0]), text
        )
    return files


def as_program(
    files: Mapping[str, str], *, language: str | None = None, entry_point: str | None = None
) -> Source:
    """The program that these files are.

    Args:
        files: Text by name.
        language: Its language; by the endings of the files if None.
        entry_point: The main file or class; found by name, then by content, if None.

    Raises:
        NoProgramError: If they are none.
    """
    language = language or _language_of(files)
    long = [name for name, text in files.items() if len(text) > MAX_SOURCE_CHARACTERS]
    if long:
        raise NoProgramError(f"'{long[0]}' has more than {MAX_SOURCE_CHARACTERS} characters")
    sources = [name for name in files if _language_of_file(name, files[name]) == language]
    main = _main_of(sources or list(files), files, language, entry_point)
    others = {name: text for name, text in files.items() if name != main}
    return Source(language, main, files[main], _carried(others, sources))


def _carried(files: Mapping[str, str], sources: Sequence[str]) -> dict[str, str]:
    """What travels with the main file; what the wire cannot name, and is no source, stays behind."""
    carried = {name: text for name, text in files.items() if name in sources or _is_sayable(name)}
    unsayable = [name for name in carried if not _is_sayable(name)]
    if unsayable:
        raise NoProgramError(f"'{unsayable[0]}' is no name for a file of a program here")
    if len(carried) > MAX_FILES_COUNT:
        raise NoProgramError(
            f"{len(carried)} files beside the main one, more than {MAX_FILES_COUNT}"
        )
    return carried


def _is_sayable(name: str) -> bool:
    try:
        _FILE_NAME.validate_python(name)
    except ValidationError:
        return False
    return True


def _language_of(files: Mapping[str, str]) -> str:
    found = Counter(_language_of_file(name, text) for name, text in files.items())
    del found[None]
    if not found:
        names = ", ".join(sorted({PurePosixPath(name).suffix or name for name in files}))
        raise NoProgramError(f"no programming language is known by {names or 'no file'}")
    order = list(dict.fromkeys(_LANGUAGE_OF_ENDING.values()))
    return max((code for code in found if code), key=lambda code: (found[code], -order.index(code)))


def _language_of_file(name: str, text: str) -> str | None:
    language = _LANGUAGE_OF_ENDING.get(PurePosixPath(name).suffix)
    return "python2" if language == "python" and _PYTHON_2.match(text) else language


def _main_of(
    sources: Sequence[str], files: Mapping[str, str], language: str, entry_point: str | None
) -> str:
    """By name, as packages have it (``main.py``, else the first); by what is in it where no name says so."""
    if entry_point is not None:
        for name in sources:
            if entry_point in (name, PurePosixPath(name).stem):
                return name
        raise NoProgramError(f"there is no file for the entry point '{entry_point}'")
    named = [name for name in sources if PurePosixPath(name).stem.lower() in ("main", "__main__")]
    entry_line = re.compile(_ENTRY_LINES.get(language, r"(?!)"), re.MULTILINE)
    started = [name for name in sources if entry_line.search(files[name])]
    return min(named or started or sources)
