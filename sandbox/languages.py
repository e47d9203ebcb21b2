"""The languages that programs may be written in, as data: how each is built and run, and what it needs to start.

A language is there where its toolchain is (``toolchains``). Commands are tuples of words in which ``{…}`` stands for
what the toolchain or the submission brings:

* ``{tool}`` the compiler or interpreter, ``{home}`` where it is installed,
* ``{sources}`` the source files, a word each; ``{main}`` the main one,
* ``{memory_mib}`` the memory limit, less what the language needs for itself,
* ``{headers}`` a folder of precompiled headers, ``{static}`` what links a program that needs no library at its start,
* ``{node}``, ``{linker}`` another tool that it needs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from types import MappingProxyType

from .inside.wire import HASH_SEED

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Needs:
    """What a language takes for itself before a program does anything; added to a submission's limits.

    CPU time is three times what an empty program took on one core of a 2020s server, rounded up. Memory is what
    it took, and what a full stack takes where the language has a limit of its own for that.
    docs/languages.md has the figures.
    """

    cpu_time_seconds: float = 0.0
    memory_bytes: int = 0
    processes_count: int = 0


@dataclass(frozen=True, slots=True)
class Language:
    """One language.

    Attributes:
        name: As submissions call it.
        title: As people call it.
        tools: Executables to look for; the first that is found is used.
        main_file: What ``code`` is called where a submission does not say.
        suffixes: Ends of the names of files that are compiled; others lie beside them.
        steps: Commands that compile, or check what is interpreted, one after the other.
        artefact: What they make: a file, or a folder with a slash at its end; empty where nothing is.
        packs: Whether a folder of Java classes becomes one file.
        public_name: What in ``code`` names its file where a submission does not say; a regular expression.
        run: The command that runs it; empty where the artefact is an executable.
        environment: Beside PATH, HOME and LANG.
        needs: Added to limits.
        breaks_off: What a compiler says of source that ends too early; a regular expression.
        version: Arguments that make the tool tell its version.
    """

    name: str
    title: str
    tools: Words
    main_file: str
    suffixes: Words
    steps: tuple[Words, ...]
    artefact: str = ""
    packs: bool = False
    public_name: str = ""
    run: Words = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    needs: Needs = Needs()
    breaks_off: str = ""
    version: Words = ("--version",)


MEBIBYTE_BYTES = 1 << 20

CPP_FLAGS = "-O2 -std=c++20 -pipe"
"""A precompiled header is of use only with the flags that it was made with."""

_JAVA_WORDS = (
    "-Xlog:disable -Xlog:all=warning:stderr -XX:+DisplayVMOutputToStderr -XX:-UsePerfData"
    " -XX:MaxJavaStackTraceDepth=64"
)
"""The machine's warnings would otherwise stand in the program's output, its figures in the program's folder, and the
reason of a deep failure before what is shown of standard error."""

_NODE_RUN = "--require /judge/inside/standard_files.js --max-old-space-size={memory_mib} --stack-size=65500 {main}"


def _words(text: str) -> Words:
    return tuple(text.split())


def _python(
    name: str,
    title: str,
    *tools: str,
    needs: Needs,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> Language:
    return Language(
        name=name,
        title=title,
        tools=tools,
        main_file="solution.py",
        suffixes=(".py",),
        steps=(_words("{tool} -B -m py_compile {sources}"),),
        run=_words("{tool} -s -B {main}"),
        environment={
            "PYTHONHASHSEED": str(HASH_SEED),
            # the loader finds libraries beside a program by /proc, which jails do not have
            "LD_LIBRARY_PATH": "{home}/lib:{home}/bin",
            "PYTHONUTF8": "1",
            "PYPY_GC_NURSERY": "4MB",  # else PyPy looks for the size of caches in /proc, and complains
            **environment,
        },
        needs=needs,
        breaks_off="(?:was|is) never closed|unexpected EOF|unterminated|expected an indented block",
    )


_OF_PYTHON = Needs(cpu_time_seconds=0.05, memory_bytes=16 * MEBIBYTE_BYTES)
_OF_OTHER_PYTHON = Needs(cpu_time_seconds=0.15, memory_bytes=16 * MEBIBYTE_BYTES)
_OF_NODE = Needs(0.1, 112 * MEBIBYTE_BYTES, 16)

_TABLE = (
    _python(
        "python",
        "Python, the judge's own",
        needs=_OF_PYTHON,
        environment={"PYTHONPATH": "{site}", "OPENBLAS_NUM_THREADS": "1"},
    ),
    _python("pypy3", "PyPy", "pypy3", needs=Needs(0.15, 128 * MEBIBYTE_BYTES)),
    *(
        _python(f"python3.{minor}", f"Python 3.{minor}", f"python3.{minor}", needs=_OF_OTHER_PYTHON)
        for minor in range(8, 15)
    ),
    Language(
        name="c",
        title="C (gcc -O2, C17)",
        tools=("gcc",),
        main_file="solution.c",
        suffixes=(".c",),
        steps=(
            _words("{tool} -O2 -std=gnu17 -pipe -fmax-errors=20 {static} -o program {sources} -lm"),
        ),
        artefact="program",
        breaks_off="at end of input|unterminated",
    ),
    Language(
        name="cpp",
        title="C++ (g++ -O2, C++20)",
        tools=("g++",),
        main_file="solution.cpp",
        suffixes=(".cpp", ".cc", ".cxx", ".C"),
        steps=(
            _words(
                "{tool} "
                + CPP_FLAGS
                + " -fmax-errors=20 {static} -I {headers} -I . -o program {sources}"
            ),
        ),
        artefact="program",
        breaks_off="at end of input|unterminated",
    ),
    Language(
        name="java",
        title="Java",
        tools=("javac",),
        main_file="Main.java",
        suffixes=(".java",),
        steps=(
            _words(
                "{tool} -J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1 -encoding UTF-8 -d classes {sources}"
            ),
        ),
        artefact="classes/",
        packs=True,
        public_name=(
            r"(?m)^[ \t]*+public[ \t]++(?:(?:abstract|final|sealed|strictfp)[ \t]++)*+"
            r"(?:class|enum|interface|record)[ \t]++([A-Za-z_][A-Za-z0-9_]{0,99}+)(?![\w$\x80-\xff])"
        ),
        run=_words(
            "{home}/bin/java "
            + _JAVA_WORDS
            + " -XX:+UseSerialGC -Xss64m -Xmx{memory_mib}m -Dfile.encoding=UTF-8 -jar program.jar"
        ),
        # the loader finds libraries beside a program by /proc, which jails do not have
        environment={"LD_LIBRARY_PATH": "{home}/lib:{home}/lib/server"},
        needs=Needs(0.25, 160 * MEBIBYTE_BYTES, 32),
        breaks_off="reached end of file while parsing",
        version=("-version",),
    ),
    Language(
        name="javascript",
        title="JavaScript (Node)",
        tools=("node",),
        main_file="solution.js",
        suffixes=(".js", ".mjs", ".cjs"),
        steps=(_words("{tool} --check {main}"),),
        run=_words("{tool} " + _NODE_RUN),
        needs=_OF_NODE,
        breaks_off="Unexpected end of input|missing \\) after|Unterminated",
    ),
    Language(
        name="typescript",
        title="TypeScript (Node)",
        tools=("tsc",),
        main_file="solution.ts",
        suffixes=(".ts",),
        steps=(
            _words(
                "{node} {tool} --target es2022 --module commonjs --noCheck --skipLibCheck --rootDir . --outDir scripts {sources}"
            ),
        ),
        artefact="scripts/",
        run=_words("{node} " + _NODE_RUN),
        needs=_OF_NODE,
        breaks_off="TS1005: '[})]' expected|TS1160: Unterminated",
    ),
    Language(
        name="rust",
        title="Rust (rustc -O, edition 2021)",
        tools=("rustc",),
        main_file="solution.rs",
        suffixes=(".rs",),
        steps=(
            _words(
                "{tool} -O --edition 2021 --sysroot {home} --color never -C linker={linker} -o program {main}"
            ),
        ),
        artefact="program",
        environment={"LD_LIBRARY_PATH": "{home}/lib"},
        breaks_off="unclosed delimiter|unterminated",
    ),
    Language(
        name="go",
        title="Go",
        tools=("go",),
        main_file="solution.go",
        suffixes=(".go",),
        steps=(_words("{tool} build -o program {sources}"),),
        artefact="program",
        environment={
            "GOROOT": "{home}",
            "GOCACHE": "/tmp/.cache",  # noqa: S108 - the jail's own
            "GO111MODULE": "off",
            "CGO_ENABLED": "0",
        },
        needs=Needs(0.0, 16 * MEBIBYTE_BYTES, 16),
        breaks_off="unexpected EOF|not terminated",
        version=("version",),
    ),
    Language(
        name="bash",
        title="Bash",
        tools=("bash",),
        main_file="solution.sh",
        suffixes=(".sh",),
        steps=(_words("{tool} -n {main}"),),
        run=_words("{tool} {main}"),
        breaks_off="unexpected end of file|unexpected EOF",
    ),
)

LANGUAGES: Mapping[str, Language] = {language.name: language for language in _TABLE}


def main_file_of(language: Language, code: bytes) -> str:
    """What the file of ``code`` is called where nobody says: Java wants that of its public class."""
    usual = PurePath(language.main_file)
    found = re.findall(language.public_name.encode(), code) if language.public_name else []
    names = [name.decode() for name in found]
    return usual.name if not names or usual.stem in names else usual.with_stem(names[0]).name


def expanded(words: Words, values: Mapping[str, str | Words]) -> list[str]:
    """A command with its words filled in; a word that stands for several becomes several."""
    return [part for word in words for part in _filled_in(word, values)]


def _filled_in(word: str, values: Mapping[str, str | Words]) -> Iterator[str]:
    alone = values.get(word[1:-1]) if word.startswith("{") and word.endswith("}") else None
    if isinstance(alone, tuple):
        yield from alone
    else:
        yield word.format_map(values)
