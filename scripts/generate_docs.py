"""Write the tables in docs/ that follow from the code: verdicts, settings, errors.

    .venv/bin/python scripts/generate_docs.py            write them
    .venv/bin/python scripts/generate_docs.py --check    exit 1 and name the files that differ

A table stands between ``<!-- generated: NAME -->`` and ``<!-- end -->``; the text around it is written by hand.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from pydantic.fields import FieldInfo

from evaluator_service.errors import ApiError
from evaluator_service.settings import Settings, variable_name
from evaluator_service.verdicts import Verdict

DOCS = Path(__file__).resolve().parents[1] / "docs"


def main() -> int:
    """Write or check every generated table; the exit status."""
    stale = [path for path, text in _generated() if path.read_text() != text]
    if "--check" in sys.argv:
        for path in stale:
            print(f"{path.name} does not say what the code says: run scripts/generate_docs.py")
        return 1 if stale else 0
    for path, text in _generated():
        path.write_text(text)
    return 0


def _generated() -> Iterator[tuple[Path, str]]:
    for document, name, table in (
        ("verdicts.md", "verdicts", verdict_table()),
        ("settings.md", "settings", settings_table()),
        ("api.md", "errors", error_table()),
    ):
        path = DOCS / document
        yield path, _with_table(path.read_text(), name, table)


def verdict_table() -> str:
    """All verdicts: wire value, code, meaning."""
    rows = ((f"`{verdict.value}`", verdict.code, verdict.meaning) for verdict in Verdict)
    return _table(("Verdict", "Code", "Meaning"), rows)


def settings_table() -> str:
    """All settings: variable, default, meaning."""
    rows = (
        (
            f"`{variable_name(name)}`",
            _default(field),
            field.description or "",
        )
        for name, field in Settings.model_fields.items()
    )
    return _table(("Variable", "Default", "Meaning"), rows)


def _default(field: FieldInfo) -> str:
    if field.default_factory or field.default is None:
        return ""
    default = field.default
    return f"`{json.dumps(default) if isinstance(default, tuple) else default}`"


def error_table() -> str:
    """All errors of the HTTP interface: status, type, meaning."""
    errors = sorted(ApiError.__subclasses__(), key=lambda error: (error.status, error.slug))
    rows = (
        (str(error.status), f"`/errors/{error.slug}`", _first_sentence(error)) for error in errors
    )
    return _table(("Status", "`type`", "Meaning"), rows)


def _first_sentence(documented: type) -> str:
    sentence, _, _ = (documented.__doc__ or "").partition("\n")
    return sentence.replace("``", "`")


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = (head, ("---",) * len(head), *rows)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _with_table(text: str, name: str, table: str) -> str:
    between = re.compile(rf"(?<=<!-- generated: {name} -->\n).*?(?=\n<!-- end -->)", re.DOTALL)
    written, places_count = between.subn(lambda _: table, text)
    if places_count != 1:
        raise SystemExit(f"{places_count} places for the table of {name}: there must be one")
    return written


if __name__ == "__main__":
    raise SystemExit(main())
