"""Mode BUILD: compilers run one after the other, and what they made is brought back.

What compilers say goes to standard output, where the outside reads it from its beginning: the first error
matters. What they made goes to the result as packed files by name.
"""

from __future__ import annotations

import io
import os
import stat

import msgpack

from .call import RESULT_FD
from .command import CANNOT_EXECUTE_EXIT_CODE, FOLDER
from .wire import Command

_ENDED_BY_SIGNAL = 128
_MAX_FILES_COUNT = 1000
_MAIN = (b"main", b"([Ljava/lang/String;)V")
"""Name and type of a method that Java starts with, as they stand in a class file that has or calls one."""


def run(command: Command) -> int:
    """Run the steps until one fails; the exit code of the last, as a shell gives it."""
    for step in command.steps:
        code = _run_step(step, command.environment)
        if code != 0:
            return code
    made = _made(command.artefact) if command.artefact else {}
    if command.packs:
        made = {"program.jar": _packed(made, command.packs)}
    with open(RESULT_FD, "wb", closefd=False) as result:
        msgpack.pack(made, result)
    return 0


def _run_step(step: list[str], environment: dict[str, str]) -> int:
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, 1, 2),
        (os.POSIX_SPAWN_CLOSE, RESULT_FD),
    ]
    try:
        pid = os.posix_spawn(step[0], step, environment, file_actions=actions)
    except OSError as error:
        os.write(2, f"cannot execute {step[0]}: {error.strerror}\n".encode())
        return CANNOT_EXECUTE_EXIT_CODE
    _, status = os.waitpid(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else _ENDED_BY_SIGNAL - code


def _made(artefact: str) -> dict[str, bytes]:
    """The file, or all files of the folder, by name."""
    path = os.path.join(FOLDER, artefact)
    if not artefact.endswith("/"):
        return {os.path.basename(artefact): _read(path)}
    found: dict[str, bytes] = {}
    for folder, _, names in os.walk(path):
        for name in sorted(names)[: _MAX_FILES_COUNT - len(found)]:
            file = os.path.join(folder, name)
            found[os.path.relpath(file, path)] = _read(file)
    return found


def _read(path: str) -> bytes:
    """A regular file's content; hostile source may have had the compiler make anything else."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(f"{path} is no regular file")
        return file.read()


def _packed(classes: dict[str, bytes], wanted: str) -> bytes:
    """A jar that starts the class that has a main method, the wanted one if there are several."""
    import zipfile  # noqa: PLC0415 - takes longer to import than most tests to run

    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as jar:
        jar.writestr("META-INF/MANIFEST.MF", _manifest(_main_class(classes, wanted)))
        for name, content in sorted(classes.items()):
            jar.writestr(zipfile.ZipInfo(name), content)  # without times: the same bytes every time
    return packed.getvalue()


def _manifest(main_class: str) -> str:
    """Its lines have at most 72 bytes; a blank begins what continues one (the JAR File Specification)."""
    line = f"Main-Class: {main_class}"
    parts = [line[start : start + 60] for start in range(0, len(line), 60)]
    return "\n ".join(parts) + "\n"


def _main_class(classes: dict[str, bytes], wanted: str) -> str:
    """The wanted class if it has a main method, in whatever package, else ``Main``, else the first by name that does."""
    startable = sorted(
        (os.path.basename(name) != f"{wanted}.class", name != "Main.class", name)
        for name, content in classes.items()
        if name.endswith(".class") and all(word in content for word in _MAIN)
    )
    *_, name = startable[0] if startable else ("Main.class",)
    return name.removesuffix(".class").replace("/", ".")
