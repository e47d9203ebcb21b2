"""Finds the program in a model's answer.

Owns one pure function from text to text. The text is hostile: it is read line by line with patterns
that cannot backtrack, so the time is linear in its length, and it is never parsed as a program here
(the compiler runs in the jail). Whether the program is any good is not this module's question.

The rules, in order:

1. What a model thinks is no answer: only the text after its last thought (``<think>`` or
   ``<thinking>``) counts. A thought that never ends leaves no answer: no code, not complete.
2. Fences are CommonMark's (backticks or tildes, three or more, closed by as many or more), also
   indented, in lists, after words on the same line, and as ``[PYTHON]…[/PYTHON]``. A fence tagged
   with the wanted language wins over an untagged one; among those, a closed one over an unclosed
   one; among those, the last. Fences of other languages never count.
3. When the answer ends in a fence that could have won but for being cut off, ``complete`` is false,
   whichever fence is used: half a program cannot be judged where a whole one stands before it, but
   the answer was cut off all the same.
4. An answer that begins as a program and then closes a fence began inside one, which the prompt
   opened.
5. Without any fence, a text that reads as a program is one: from its first line that can only be
   code to its last line that looks like code.

What a language's fences are called and its lines look like stands in ``looks``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluator_service.looks import Look, look_of
from evaluator_service.schema import ExtractionMethod, Language, SubmissionBase

__all__ = ["Extracted", "extract", "program_of"]


@dataclass(frozen=True, slots=True)
class Extracted:
    r"""A program, and how it was found.

    Attributes:
        code: The program, or None. Its line ends are ``\n``, the indent of its fence is gone.
        method: Where it was found.
        complete: False when the answer ends inside its code, or before it came to any.
    """

    code: str | None
    method: ExtractionMethod
    complete: bool


def program_of(submission: SubmissionBase) -> Extracted:
    """The program of a submission: its ``code`` as it stands, or what its ``completion`` holds."""
    if submission.code is not None:
        return Extracted(submission.code, "code", complete=True)
    return extract(submission.completion or "", submission.language)


def extract(completion: str, language: Language = "python") -> Extracted:
    """Find the program in ``completion``. Never raises; takes time linear in the text.

    Args:
        completion: Everything the model wrote, thoughts included.
        language: What the program is to be written in; other fences do not count.
    """
    answer = _after_thought(completion.replace("\r\n", "\n"))
    if answer is None:
        return Extracted(None, "none", complete=False)
    lines = answer.split("\n")
    look = look_of(language)
    fences = list(_fences(lines, look))
    if not fences:
        return _unfenced(lines, look)
    return _best(lines, fences)


# --- thoughts -------------------------------------------------------------------------------------

# An opening tag counts only as the first thing on its line: programs may print one.
_THOUGHT = re.compile(
    r"(?P<opens>^[ \t]*+<think(?:ing)?>)|(?P<closes></think(?:ing)?>)", re.IGNORECASE | re.MULTILINE
)


def _after_thought(text: str) -> str | None:
    """What follows the last thought; None when that thought never ends.

    A closing tag without an opening one ends a thought that the prompt's template began.
    """
    answer_start = 0
    thinking = None
    for tag in _THOUGHT.finditer(text):
        if tag["opens"]:
            thinking = True
        elif thinking is not False:
            thinking, answer_start = False, tag.end()
    return None if thinking else text[answer_start:]


# --- fences ---------------------------------------------------------------------------------------

# A model that shows its whole answer as Markdown source still means the fences within.
_TRANSPARENT_TAGS = frozenset({"markdown", "md"})

_MARKERS = {"[PYTHON]": "```python", "[/PYTHON]": "```"}

_OPENING = re.compile(
    r"(?P<before>[^`~]*+)(?P<mark>`{3,}+|~{3,}+)[ \t]*+\{?\.?(?P<tag>[\w+#-]*+)(?P<rest>[^`]*+)$"
)
# Chat templates and answer tags leave their end marks right behind the last fence.
_CLOSING = re.compile(
    r"(?P<indent>[ \t]*+)(?P<mark>`{3,}+|~{3,}+)[ \t]*+"
    r"(?:</\w++>|<\|\w++\|>|<\uff5c[^>]*+>)*+[ \t]*+$"
)
_DEEPEST_CLOSING_CHARACTERS = 3  # CommonMark's; deeper ones belong to docstrings


@dataclass(frozen=True, slots=True)
class _Opening:
    first_line: int
    mark: str
    before: str
    wanted: bool
    tagged: bool
    implied: bool = False


@dataclass(frozen=True, slots=True)
class _Fence:
    opening: _Opening
    end_line: int
    closed: bool

    @property
    def rank(self) -> tuple[bool, bool, int]:
        return self.opening.tagged, self.closed, self.opening.first_line


def _fences(lines: Sequence[str], look: Look) -> Iterator[_Fence]:
    """Every fence, in order; only the last may be unclosed."""
    opening = _opened_by_the_prompt(lines, look)
    for number, raw_line in enumerate(lines):
        line = _MARKERS.get(raw_line.strip(), raw_line)
        if opening is not None and _closes(line, opening):
            yield _Fence(opening, number, closed=True)
            opening = None
        elif opening is None or (opening.implied and line.startswith(("```", "~~~"))):
            opening = _opening(line, number, look.tags)
    if opening is not None and not opening.implied:
        yield _Fence(opening, len(lines), closed=False)


def _opened_by_the_prompt(lines: Sequence[str], look: Look) -> _Opening | None:
    first = next((number for number, line in enumerate(lines) if line.strip()), None)
    if first is None or not look.begins_program(lines[first]):
        return None
    return _Opening(first, "```", before="", wanted=True, tagged=True, implied=True)


def _opening(line: str, number: int, tags: tuple[str, ...]) -> _Opening | None:
    match = _OPENING.match(line)
    if match is None:
        return None
    before, tag = match["before"], match["tag"].lower()
    mid_sentence = before.strip(" \t>*-.0123456789") != ""
    if tag in _TRANSPARENT_TAGS or (mid_sentence and (tag not in tags or match["rest"].strip())):
        return None
    return _Opening(
        first_line=number + 1,
        mark=match["mark"],
        before=before,
        wanted=tag in tags or not (tag or match["rest"].strip()),
        tagged=tag in tags,
    )


def _closes(line: str, opening: _Opening) -> bool:
    match = _CLOSING.match(line)
    return (
        match is not None
        and match["mark"].startswith(opening.mark)
        and len(match["indent"]) <= len(opening.before) + _DEEPEST_CLOSING_CHARACTERS
    )


def _best(lines: Sequence[str], fences: Sequence[_Fence]) -> Extracted:
    wanted = [fence for fence in fences if fence.opening.wanted]
    unclosed = next((fence for fence in wanted if not fence.closed), None)
    written = [fence for fence in wanted if any(map(str.strip, _within(lines, fence)))]
    if not written:
        return Extracted(None, "none", complete=unclosed is None)
    best = max(written, key=lambda fence: fence.rank)
    cut_off = unclosed is not None and unclosed.opening.tagged >= best.opening.tagged
    code = _unindented(_within(lines, best), indented=best.opening.before != "")
    return Extracted(code, "fenced" if best.closed else "unclosed_fence", complete=not cut_off)


def _within(lines: Sequence[str], fence: _Fence) -> Sequence[str]:
    return lines[fence.opening.first_line : fence.end_line]


def _unindented(lines: Sequence[str], *, indented: bool) -> str:
    """Join lines; when their block was indented, take the first line's indent off each."""
    first = next((line for line in lines if line.strip()), "")
    width = len(first) - len(first.lstrip(" \t")) if indented else 0
    return "\n".join(line[:width].lstrip(" \t") + line[width:] for line in lines)


# --- no fence -------------------------------------------------------------------------------------


def _unfenced(lines: Sequence[str], look: Look) -> Extracted:
    start = next((number for number, line in enumerate(lines) if look.begins_program(line)), None)
    if start is None:
        return Extracted(None, "none", complete=True)
    end = max(n for n in range(start, len(lines)) if n == start or look.is_code(lines[n])) + 1
    return Extracted(_unindented(lines[start:end], indented=True), "heuristic", complete=True)
