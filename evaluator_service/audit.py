"""The audit log: a line for each judgement that was made here, and beside it the programs and problems it names.

A folder of its own that several processes may share: ``audit.jsonl`` and, put aside by size, ``audit-<time>.jsonl``;
``programs/`` and ``problems/``, a file for each content. Whatever cannot be written costs lines, never a judgement.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import structlog

from evaluator_service.audit_record import (
    AuditRecord,
    Marks,
    Versions,
    drawn_of,
    program_content,
    terms_of,
)
from evaluator_service.boundaries import note
from evaluator_service.case import Case
from evaluator_service.content_folder import ContentFolder
from evaluator_service.reuse import package_versions
from evaluator_service.schema import Judgement, TestResult, problem_content
from evaluator_service.settings import Settings
from sandbox.toolchains import Found

log = structlog.get_logger(__name__)

COMPLAINT_SECONDS = 60.0
"""How often it is said that lines are lost."""

_LATEST = "audit.jsonl"
_EARLIER = "audit-*.jsonl"


class AuditFolder:
    """Where the log lies."""

    def __init__(self, folder: Path) -> None:
        """Looks at nothing yet."""
        self.folder = folder
        self.programs = ContentFolder(folder / "programs")
        self.problems = ContentFolder(folder / "problems", ".json")

    def make(self) -> None:
        """Make the folders that are not there, for nobody else: expected outputs will lie there.

        Raises:
            OSError: If that cannot be done.
        """
        for folder in (self.folder, self.folder / "programs", self.folder / "problems"):
            if not folder.is_dir():
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    @property
    def latest(self) -> Path:
        """The file that lines are appended to."""
        return self.folder / _LATEST

    def files(self) -> list[Path]:
        """All files of lines, the earliest first."""
        earlier = sorted(self.folder.glob(_EARLIER))
        return [*earlier, *([self.latest] if self.latest.exists() else [])]

    def lines(self) -> Iterator[tuple[str, bytes]]:
        """Every line with the place where it stands.

        Raises:
            OSError: If a file cannot be read.
        """
        for path in self.files():
            with path.open("rb") as file:
                for number, line in enumerate(file, start=1):
                    if line.strip():
                        yield f"{path.name}:{number}", line


class AuditLog:
    """Appends to the log. Safe to use from several threads, beside other processes that do."""

    def __init__(self, folder: Path, max_bytes: int, packages: Mapping[str, str]) -> None:
        """Touches nothing yet.

        Args:
            folder: Where the log lies; made when it is first needed.
            max_bytes: Size beyond which ``audit.jsonl`` is put aside.
            packages: Versions of the distributions that programs may import.
        """
        self._folder = AuditFolder(folder)
        self._max_bytes = max_bytes
        self._packages = packages
        self._lock = threading.Lock()
        self._complained_at = -COMPLAINT_SECONDS
        self.lost_count = 0
        """Judgements of which there is no line."""

    def add(
        self, case: Case, results: Sequence[TestResult], judgement: Judgement, found: Found
    ) -> None:
        """Write a line, or say that it could not be written.

        Args:
            case: What was judged.
            results: One per test of the problem, in declared order.
            judgement: What came of it.
            found: The toolchains that are here.
        """
        try:
            self._folder.make()
            record = self._record(case, results, judgement, found)
            self._append(record.model_dump_json(exclude_unset=True).encode() + b"\n")
        except (OSError, ValueError) as error:
            self._complain(error)

    def _record(
        self, case: Case, results: Sequence[TestResult], judgement: Judgement, found: Found
    ) -> AuditRecord:
        """The record of a judgement, once what it names is kept."""
        work = case.work
        if not self._folder.problems.has(work.problem_id):
            self._folder.problems.put(problem_content(work.problem))
        level = judgement.isolation.level
        return AuditRecord(
            time=datetime.now(UTC),
            submission_id=work.submission.id,
            request_id=structlog.contextvars.get_contextvars().get("request_id"),
            owner=work.owner,
            program=self._folder.programs.put(program_content(work.submission)),
            problem_id=work.problem_id,
            language=work.submission.language,
            versions=Versions.here(work.submission, work.problem, found, self._packages, level),
            terms=terms_of(case),
            drawn=drawn_of(case),
            outcome=Marks.of(judgement, results),
        )

    def _append(self, line: bytes) -> None:
        """Write a line at once, so that those of several processes do not mix."""
        with self._lock:
            path = self._folder.latest
            descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                written_count = os.write(descriptor, line)
                if written_count < len(line):
                    os.write(descriptor, b"\n")  # or the next line would be lost with this one
                    raise OSError(f"{path} took {written_count} of {len(line)} bytes")
                if os.fstat(descriptor).st_size > self._max_bytes:
                    _put_aside(path, descriptor)
            finally:
                os.close(descriptor)

    def _complain(self, error: Exception) -> None:
        note("audit")
        with self._lock:
            self.lost_count += 1
            if time.monotonic() - self._complained_at < COMPLAINT_SECONDS:
                return
            self._complained_at = time.monotonic()
            lost_count = self.lost_count
        log.error("audit_lines_lost", lost_count=lost_count, error=str(error))


def audit_log_of(settings: Settings) -> AuditLog | None:
    """The log that the settings want; None for none."""
    if settings.audit_directory is None:
        return None
    packages = package_versions(settings)
    return AuditLog(settings.audit_directory, settings.max_audit_bytes, packages)


def _put_aside(path: Path, descriptor: int) -> None:
    """Give a file that is large enough the name of its last moment, unless another process has just done so."""
    with contextlib.suppress(FileNotFoundError):
        if os.fstat(descriptor).st_ino == path.stat().st_ino:
            moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
            path.rename(path.with_name(_EARLIER.replace("*", moment)))
