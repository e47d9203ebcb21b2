"""Where the expectation of a submission is written: its folder, ``submissions.yaml``, or a comment in its source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from evaluator_service.kattis.expectations import CODES, Expectation, Rule
from evaluator_service.kattis.folder import Folder
from evaluator_service.kattis.globs import matches
from evaluator_service.kattis.metadata import Metadata
from evaluator_service.kattis.section import Section, as_number, read_section
from evaluator_service.verdicts import Verdict

ROOT = "submissions"
FILE = f"{ROOT}/submissions.yaml"

_AC, _WA, _TLE, _RTE = (frozenset({code}) for code in ("AC", "WA", "TLE", "RTE"))

RULES: Mapping[str, Rule] = {
    "accepted": Rule(permitted=_AC),
    "partially_accepted": Rule(points="some"),
    "rejected": Rule(required=_RTE | _TLE | _WA),
    "wrong_answer": Rule(permitted=_AC | _WA, required=_WA),
    "time_limit_exceeded": Rule(permitted=_AC | _TLE, required=_TLE),
    "run_time_error": Rule(permitted=_AC | _RTE, required=_RTE),
    "brute_force": Rule(permitted=_AC | _RTE | _TLE, required=_RTE | _TLE),
}
"""What the folders of submissions mean."""

LEGACY_RULES: Mapping[str, Rule] = {
    **RULES,
    "time_limit_exceeded": Rule(permitted=_AC | _WA | _TLE, required=_TLE),
    "run_time_error": Rule(required=_RTE),
}
"""The same in the old format, which is less strict."""

_NO_RULES = frozenset({
    "authors", "author", "entrypoint", "language", "message", "model_solution", "name", "use_for_time_limit",
})  # fmt: skip
_OF_A_RULE = frozenset({"permitted", "required", "score"})

_COMMENT = re.compile(r"@EXPECTED_RESULTS@:[ \t]*([^\r\n]*)")
_CRASHED = frozenset({Verdict.RUNTIME_ERROR, Verdict.MEMORY_LIMIT_EXCEEDED})
_IN_COMMENTS: Mapping[str, frozenset[Verdict]] = {
    name: verdicts
    for names, verdicts in {
        "CORRECT ACCEPTED": frozenset({Verdict.ACCEPTED}),
        "WRONG-ANSWER NO-OUTPUT": frozenset({Verdict.WRONG_ANSWER}),
        "TIMELIMIT TIME-LIMIT-EXCEEDED": frozenset({Verdict.TIME_LIMIT_EXCEEDED}),
        "RUN-ERROR RUN-TIME-ERROR": _CRASHED,
        "MEMORY-LIMIT MEMORY-LIMIT-EXCEEDED": _CRASHED,
        "OUTPUT-LIMIT OUTPUT-LIMIT-EXCEEDED": frozenset({Verdict.OUTPUT_LIMIT_EXCEEDED}),
        "COMPILER-ERROR COMPILE-ERROR": frozenset({Verdict.COMPILE_ERROR}),
    }.items()
    for name in names.split()
}


@dataclass(frozen=True, slots=True)
class Label:
    """What is written of one submission.

    Attributes:
        expectation: None if nothing says what is expected.
        language: The language that ``submissions.yaml`` names.
        entry_point: The main file or class that it names.
    """

    expectation: Expectation | None
    language: str | None = None
    entry_point: str | None = None


class Labels:
    """What is written of the submissions of a package."""

    def __init__(self, folder: Folder, metadata: Metadata) -> None:
        """Reads ``submissions.yaml``, which the old format does not know.

        Raises:
            PackageError: If it cannot be read.
        """
        self._folders = LEGACY_RULES if metadata.legacy else RULES
        self._accepted_earn_all = metadata.legacy and metadata.scoring
        content = Section(FILE, {}, {}) if metadata.legacy else read_section(folder, FILE)
        self._entries = {pattern: content.section(pattern) for pattern in content}

    def of(self, path: str, code: str) -> Label:
        """What is written of a submission.

        Args:
            path: Its name below ``submissions/``.
            code: Its main file, in which a comment may name verdicts.

        Raises:
            PackageError: If what is written makes no sense.
        """
        directory = path.partition("/")[0]
        entries = [(key, entry) for key, entry in self._entries.items() if matches(key, path)]
        language = next(
            (entry.text("language") for _, entry in entries if "language" in entry), None
        )
        entry_point = next(
            (entry.text("entrypoint") for _, entry in entries if "entrypoint" in entry), None
        )
        rules = self._rules(directory, dict(entries))
        if directory in self._folders or rules:
            timed = all(entry.any("use_for_time_limit") is not False for _, entry in entries)
            expectation: Expectation | None = Expectation(
                directory, rules, sets_time_limit=timed and directory == "accepted"
            )
        else:
            expectation = _commented(code)
        return Label(expectation, language, entry_point)

    def _rules(self, directory: str, entries: Mapping[str, Section]) -> tuple[Rule, ...]:
        rules: list[Rule] = []
        if directory in self._folders:
            usual = self._folders[directory]
            if directory == "accepted" and self._accepted_earn_all:
                usual = replace(usual, points="all")
            own = entries.get(directory)
            rules.append(usual if own is None else _rule(own, usual))
        for key, entry in entries.items():
            if key != directory and _OF_A_RULE & set(entry):
                rules.append(_rule(entry, Rule()))
            rules.extend(_timed(entry))
            rules.extend(_scoped(entry))
        return tuple(rules)


def _rule(entry: Section, usual: Rule) -> Rule:
    """The rule that stands in an entry; what it does not say is as usual."""
    return replace(
        usual,
        permitted=_codes(entry, "permitted") or usual.permitted,
        required=_codes(entry, "required") or usual.required,
        score=_score(entry) or usual.score,
    )


def _codes(entry: Section, key: str) -> frozenset[str]:
    codes = frozenset(entry.words(key))
    if unknown := codes - CODES:
        raise entry.fault(key, f"has '{min(unknown)}', not one of: {', '.join(sorted(CODES))}")
    return codes


def _score(entry: Section) -> tuple[float, float] | None:
    said = entry.any("score")
    ends = [as_number(each) for each in (said if isinstance(said, list) else [said, said])]
    if said is None:
        return None
    least, most = ends if len(ends) == 2 else (None, None)
    if least is None or most is None:
        raise entry.fault("score", "must be a number, or a list of two: the least and the most")
    return least, most


def _timed(entry: Section) -> Iterator[Rule]:
    match entry.any("use_for_time_limit"):
        case "lower":
            yield Rule(permitted=_AC | _WA | _RTE)
        case "upper":
            yield Rule(required=_TLE)


def _scoped(entry: Section) -> Iterator[Rule]:
    """Rules on some of the tests: mappings under a pattern of their names."""
    for key in entry:
        if key not in _NO_RULES | _OF_A_RULE:
            yield replace(_rule(entry.section(key), Rule()), scope=key)


def _commented(code: str) -> Expectation | None:
    """The verdicts that a comment names."""
    found = _COMMENT.search(code)
    words = re.findall(r"[A-Z][A-Z_-]+", found[1].upper()) if found else []
    verdicts = [_IN_COMMENTS.get(word.replace("_", "-")) for word in words]
    known = frozenset[Verdict]().union(*filter(None, verdicts))
    return Expectation(", ".join(sorted(known)), verdicts=known) if known else None
