"""Write the tables in docs/ that follow from the code: verdicts, settings, errors, languages, metrics, checks.

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
from typing import get_args

from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import Metric
from pydantic.fields import FieldInfo

from evaluator_service.engine import Figures
from evaluator_service.errors import ApiError
from evaluator_service.looks import look_of
from evaluator_service.metrics import families
from evaluator_service.programs import Language
from evaluator_service.settings import Settings, variable_name
from evaluator_service.tally import Tally
from evaluator_service.verdicts import Verdict
from sandbox.checks import CHECKS, LOOKS
from sandbox.languages import LANGUAGES
from sandbox.pool import Pool

DOCS = Path(__file__).resolve().parents[1] / "docs"


def main() -> int:
    """Write or check every generated table; the exit status."""
    generated = _generated()
    stale = [path for path, text in generated.items() if path.read_text() != text]
    if "--check" in sys.argv:
        for path in stale:
            print(f"{path.name} does not say what the code says: run scripts/generate_docs.py")
        return 1 if stale else 0
    for path, text in generated.items():
        path.write_text(text)
    return 0


def _generated() -> dict[Path, str]:
    texts: dict[Path, str] = {}
    for document, name, table in (
        ("verdicts.md", "verdicts", verdict_table()),
        ("settings.md", "settings", settings_table()),
        ("api.md", "errors", error_table()),
        ("api.md", "fences", fence_table()),
        ("languages.md", "languages", language_table()),
        ("languages.md", "needs", needs_table()),
        ("operations.md", "metrics", metric_table()),
        ("operations.md", "checks", check_table()),
    ):
        path = DOCS / document
        texts[path] = _with_table(texts.get(path) or path.read_text(), name, table)
    return texts


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


def fence_table() -> str:
    """All languages: what their fences are called."""
    tags_of: dict[tuple[str, ...], list[str]] = {}
    for language in get_args(Language):
        tags_of.setdefault(look_of(language).tags, []).append(language)
    rows = ((_quoted(languages), _quoted(tags)) for tags, languages in tags_of.items())
    return _table(("Language", "Its fences"), rows)


def language_table() -> str:
    """All languages: what they are called, looked for as, compiled and run by."""
    rows = (
        (
            f"`{language.name}`",
            language.title,
            f"`{language.main_file}`",
            _quoted(language.tools) or "the judge's own",
            "; ".join(f"`{' '.join(step)}`" for step in language.steps),
            f"`{' '.join(language.run)}`" if language.run else "the program itself",
        )
        for language in LANGUAGES.values()
    )
    head = ("`language`", "Is", "`code` is called", "Tool", "Compiled or checked by", "Run by")
    return _table(head, _with_pythons_in_one(rows))


def needs_table() -> str:
    """All languages: what is added to limits."""
    rows = (
        (
            f"`{language.name}`",
            f"{language.needs.cpu_time_seconds:g} s",
            f"{language.needs.memory_bytes >> 20} MiB",
            str(language.needs.processes_count),
        )
        for language in LANGUAGES.values()
    )
    head = ("`language`", "CPU and elapsed time", "Memory", "Processes")
    return _table(head, _with_pythons_in_one(rows))


def _with_pythons_in_one(rows: Iterable[tuple[str, ...]]) -> Iterable[tuple[str, ...]]:
    alike = (tuple(re.sub(r"3\.\d+", "3.8 … 3.14", cell) for cell in row) for row in rows)
    return dict.fromkeys(alike)


def _quoted(names: Iterable[str]) -> str:
    return " ".join(f"`{name}`" for name in names)


def metric_table() -> str:
    """All metrics: name as it is scraped, type, labels, meaning."""
    rows = (
        (f"`{_scraped_name(family)}`", family.type, _labels(family), family.documentation)
        for family in _metrics()
    )
    return _table(("Metric", "Type", "Labels", "Meaning"), rows)


def _metrics() -> Iterator[Metric]:
    """As services with jails, and with workers, show them that have done nothing yet."""
    yield from families(Tally(), Figures(0, 0, 0.0, Pool(1).figures(), ()), ready=True)
    yield from ProcessCollector(registry=CollectorRegistry()).collect()


def _scraped_name(family: Metric) -> str:
    return f"{family.name}_total" if family.type == "counter" else family.name


def _labels(family: Metric) -> str:
    names = dict.fromkeys(name for sample in family.samples for name in sample.labels)
    return ", ".join(f"`{name}`" for name in names if name != "le")


def check_table() -> str:
    """All checks of the self-check: name, promise."""
    return _table(("Check", "Promise"), ((each.name, each.promise) for each in (*LOOKS, *CHECKS)))


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
