"""Judging a file of submissions in this process, without HTTP: JSON or JSONL in, judgements in order out.

Reads ahead only as far as the slots need, so the size of a file does not matter. Files of judgements are read
in the same way.
"""

import asyncio
import json
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import replace

from pydantic import TypeAdapter

from evaluator_service.complaints import place
from evaluator_service.errors import ApiError
from evaluator_service.executor import Executor
from evaluator_service.refusals import LanguageMissing
from evaluator_service.requests import submission_work, validated
from evaluator_service.schema import Judgement
from evaluator_service.work import Work

_JUDGEMENT: TypeAdapter[Judgement] = TypeAdapter(Judgement)


class FileError(ValueError):
    """A line that is no submission; the message names it."""


async def judge_lines(
    lines: Iterable[bytes], executor: Executor, ahead_count: int, *, keep_outputs: bool = False
) -> AsyncIterator[Judgement]:
    """Judge every submission in ``lines``; judgements come in the same order.

    Args:
        lines: Submissions, one JSON object a line, or all lines together one JSON object or array.
        executor: Started; left running.
        ahead_count: Submissions to hold at a time, waiting or running.
        keep_outputs: Whether every submission is to keep its outputs, and name them, whatever it says itself.

    Raises:
        FileError: At the first line that is no valid submission; those before it are judged first.
    """
    pending: deque[asyncio.Future[Judgement]] = deque()
    works = read_works(lines)
    fault: FileError | None = None
    while fault is None:
        try:
            work = next(works)
            pending.extend(await executor.submit([keeping(work) if keep_outputs else work]))
        except StopIteration:
            break
        except FileError as error:
            fault = error
        except LanguageMissing as error:
            name = f"submission {work.submission.id!r}: " if work.submission.id else ""
            fault = FileError(f"{name}{place(error.where)}: {error}")
        if len(pending) >= ahead_count:
            yield await pending.popleft()
    while pending:
        yield await pending.popleft()
    if fault is not None:
        raise fault


def keeping(work: Work) -> Work:
    """The same work, its outputs kept and named."""
    report = "tests" if work.submission.report == "summary" else work.submission.report
    changes = {"keep_outputs": True, "report": report}
    return replace(work, submission=work.submission.model_copy(update=changes))


def read_works(lines: Iterable[bytes]) -> Iterator[Work]:
    """The work in a file of submissions.

    Raises:
        FileError: At the first line that is no valid submission.
    """
    for _, work in _read(lines, lambda text: submission_work(text, time.monotonic())):
        yield work


def read_judgements(lines: Iterable[bytes]) -> Iterator[tuple[str, Judgement]]:
    """The judgements in a file, each with the place where it stands.

    Raises:
        FileError: At the first line that is no judgement.
    """
    return _read(lines, lambda text: validated(_JUDGEMENT, Judgement, text))


def _read[T](lines: Iterable[bytes], parse: Callable[[bytes], T]) -> Iterator[tuple[str, T]]:
    for where, text in _documents(iter(lines)):
        try:
            yield where, parse(text)
        except ApiError as error:
            # the place that the parser names in a single line is one within it
            what = (
                error.detail.replace(" at line 1 column ", " at column ") if where else error.detail
            )
            raise FileError(f"{where}: {what}".removeprefix(": ")) from None


def _documents(lines: Iterator[bytes]) -> Iterator[tuple[str, bytes]]:
    """Each submission's JSON with the place where it stands; no place for one that is the whole file."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        if number == 1 and not _is_json(line):  # one document over several lines, or broken
            yield from _from_document(line, b"".join(lines))
        elif line.lstrip().startswith(b"["):
            yield from _from_array(line, f"line {number}")
        else:
            yield f"line {number}", line.strip()


def _from_document(first_line: bytes, rest: bytes) -> Iterator[tuple[str, bytes]]:
    if first_line.lstrip().startswith(b"["):
        yield from _from_array(first_line + rest, "")
    else:
        yield "" if rest.strip() else "line 1", (first_line + rest).strip()


def _from_array(text: bytes, where: str) -> Iterator[tuple[str, bytes]]:
    try:
        items = json.loads(text)
    except json.JSONDecodeError as error:
        place = where or f"line {error.lineno}"
        raise FileError(f"{place}: not JSON: {error.msg} at column {error.colno}") from None
    except (ValueError, RecursionError) as error:
        raise FileError(f"{where}: not JSON: {error}".removeprefix(": ")) from None
    for number, item in enumerate(items, start=1):
        yield f"{where}, item {number}".removeprefix(", "), json.dumps(item).encode()


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True
