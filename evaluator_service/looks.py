"""What programs of each language look like: the names of their fences, and lines that give them away.

``extraction`` asks, of hostile text: no pattern here can backtrack over a line more than once, so the time is
linear. A language is told from prose alone, never from another language: that is what tags are for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from evaluator_service.programs import Language

__all__ = ["Look", "look_of"]


@dataclass(frozen=True, slots=True)
class Look:
    """What a language looks like.

    Attributes:
        tags: What its fences are called, in lower case.
        first: Lines that no sentence looks like; matched without the line's indent.
        further: Other lines that it may consist of; matched with the indent.
    """

    tags: tuple[str, ...]
    first: re.Pattern[str]
    further: re.Pattern[str]

    def begins_program(self, line: str) -> bool:
        """Whether the line can only be code."""
        return self.first.match(line.strip(" \t")) is not None

    def is_code(self, line: str) -> bool:
        """Whether the line looks like code, where a program has begun before it."""
        return bool(line.strip()) and (
            self.further.match(line) is not None or self.begins_program(line)
        )


def look_of(language: Language) -> Look:
    """What programs of the language look like; all Pythons look alike."""
    return _LOOKS.get(language, _PYTHON)


def _look(tags: str, *, first: str, further: str) -> Look:
    return Look(tuple(tags.split()), re.compile(first), re.compile(further))


# A comment is not enough: Markdown headings look like one.
_PYTHON = _look(
    "python py python3 py3 python2 pypy pypy3",
    first=r"import [\w.]++(?: as \w++)?(?:, ?[\w.]++(?: as \w++)?)*+\s*+(?:[;#].*)?$"
    r"|from [\w.]++ import [\w*(]"
    r"|(?:async )?def \w++\("
    r"|class \w++ *+[:(]"
    r"|@\w++[\w.]*+(?:\(.*)?$"
    r"|[A-Za-z_]\w*+(?: ?, ?[A-Za-z_]\w*+)*+ ?= ?[^\s=]"
    r"|print\(|#!|\"\"\"|'''"
    r"|(?:if|while) .*:$"
    r"|for\b(?=.* in ) .*:$",  # and not "for example:"
    further=r"[ \t#@)\]}\"']"
    r"|(?:assert|del|pass|raise)\b"
    r"|(?:elif|else|except|finally|try|with)\b.*:$"
    r"|[A-Za-z_][\w.]*+(?:\[[^\]]*+\])*+ ?(?:[-+*/%|&^]|//|\*\*|<<|>>)?= ?\S"
    r"|[A-Za-z_][\w.]*+\(.*\)\s*+(?:#.*)?$",
)


# --- languages with braces ------------------------------------------------------------------------

# No sentence begins with a comment, or ends in a brace that a word, a bracket or an arrow stands before;
# LaTeX does, behind backslashes.
_BRACED_FIRST = r"|//|/\*|[^\\]*[\w)>\]] ?\{$"
_BRACED_FURTHER = (
    r"[ \t})\]@]|#\w"
    r"|.*[;{}][ \t]*+(?://.*|/\*.*)?$"
    r"|[A-Za-z_$][\w$.]*+(?:\(.*\)$|(?:\[[^\]]*+\])*+ ?[-+*/%|&^]?= ?\S)"
)


def _braced(tags: str, *, first: str) -> Look:
    return _look(tags, first=first + _BRACED_FIRST, further=_BRACED_FURTHER)


_C_TYPES = r"void|bool|char|short|int|long|float|double|signed|unsigned|(?:std::)?(?:string|size_t|u?int\d++_t)"

_C_FIRST = (
    r"# ?(?:include|define|undef|pragma|if|ifdef|ifndef)\b"
    r"|(?:(?:static|inline|extern|const|constexpr) )*+"
    rf"(?:{_C_TYPES})(?: (?:char|short|int|long|double|const))*+[ *&]++"
    r"\w++(?:\[[^\]]*+\])*+(?:\(.*\)$| ?(?:=|;|,.*;$))"
    r"|(?:typedef|struct|union|enum|static|extern|const) .*;$"
    r"|(?:struct|union|enum) [A-Z]\w*+$"
)

_JAVASCRIPT_FIRST = (
    r"(?:export )?+(?:const|let|var) (?:[\w$]++(?: ?:[^=]*+)?+|\{.*\}|\[.*\]) ?="
    r"|(?:let|var) [\w$]++(?:, ?[\w$]++)*+;$"
    r"|(?:export )?+(?:default )?+(?:async )?+function\b ?\*? ?[\w$]++[(<]"
    r"|import (?:[\"'{*]|.* from [\"'])"
    r"|[\"']use strict[\"']|#!"
    r"|(?:module\.)?+exports\b *+[.=]|(?:console|process)\.\w|require\(|\((?:async )?+(?:function\b|\(.*=>)"
)

_LOOKS: dict[Language, Look] = {
    "c": _braced("c", first=_C_FIRST),
    "cpp": _braced(
        "cpp c++ cc cxx",
        first=_C_FIRST + r"|using (?:namespace )?+[\w:]++ ?[;=]|template ?<|std::"
        r"|namespace \w++$|class [A-Z]\w*+$"
        r"|auto \w++(?:\(.*\)$| ?=)"
        r"|(?:std::)?\w++<[^();]*+(?:(?<=\w)\(.*\)|;)$",
    ),
    "java": _braced(
        "java",
        first=r"import (?:static )?+[\w.]++\*?+;|package [\w.]++;|@[A-Z]\w*+(?:\(.*)?$"
        r"|(?:(?:public|private|protected|static|final|abstract|sealed) )*+"
        r"(?:class|interface|enum|record) [A-Z]\w*+(?: ?[<({].*| (?:extends|implements|permits) .*)?$"
        r"|(?:public|private|protected|static|final) .*;$|public static void main\(|System\.\w",
    ),
    "javascript": _braced("javascript js node mjs", first=_JAVASCRIPT_FIRST),
    "typescript": _braced(
        "typescript ts",
        first=_JAVASCRIPT_FIRST + r"|(?:export )?+type \w++(?:<[^=]*+)?+ ?="
        r"|(?:export )?+(?:declare|abstract|interface|namespace|enum) .*[;}]$",
    ),
    "rust": _braced(
        "rust rs",
        first=r"(?:pub )?+use [\w:]++(?:[;{*]| as \w++;)"
        r"|(?:pub(?:\([\w ]++\))? )?+(?:async |const |unsafe |extern \"C\" )*+fn \w++[(<]"
        r"|(?:pub(?:\([\w ]++\))? )?+(?:struct|enum|mod|type|static|const) .*;$"
        r"|(?:const|static)(?: mut)? [A-Z_]\w*+ ?:|extern crate |macro_rules! |#!?\[",
    ),
    "go": _braced(
        "go golang",
        first=r"package \w++$|import (?:\w++ )?+[\"(]|func (?:\([^)]*+\) ?)?+\w++ ?[(\[]"
        r"|type (?:\($|\w++(?:\[[^\]]*+\])? (?:struct|interface|func|map|\[))"
        r"|(?:var|const) (?:\($|\w++.*=)|var \w++(?:, ?\w++)*+ [\w\[\]*.]++$",
    ),
    # --- and one without
    "bash": _look(
        "bash sh shell zsh",
        first=r"#!|set [-+]\w"
        r"|(?:read|declare|typeset|local|readonly|mapfile|readarray|printf|echo|export) -\w"
        r"|(?:export |local |readonly )?+[A-Za-z_]\w*+(?:\[[^\]]*+\])?\+?=(?:[\"'$(`].*|\S*+)$"
        r"|read \w{1,2}(?: \w{1,2})*+$"  # and not "read the input"
        r"|(?:echo|printf) [\"'$]"
        r"|function [\w-]++ ?(?:\(\)|\{)|[\w-]++ ?\(\)(?: ?\{.*)?$"
        r"|(?:if|while|until) (?:\[|\(\(|!|read\b|test\b|IFS=|.*; ?(?:then|do)$)"
        r"|for (?:\(\(|\w++ in (?:[\"'$*]|\{\w++\.\.|.*; ?do$))|case .* in$"
        r"|\[\[? |\(\(|(?:awk|bc|cat|cut|grep|sed|seq|sort|tac|tail|tr|wc) (?:[\"'$<|]|-\w)",
        further=r"[ \t#)\]}\"']|;;|elif |(?:echo|printf)\b"
        r"|(?:break|continue|do|done|else|esac|exit|fi|return|shift|then|wait)(?: ?[\d;&|<>$\"].*)?$"
        r"|[a-z][\w./-]*+ (?:.* )?(?:\||\|\||&&|<<<|>&\d|[<>] ?[/\"$])"
        r"|[a-z][\w./-]*+ (?:\$[@*#?{(]|\"\$)"
        r"|(?:[a-z_]\w*+|[A-Z]++)$",
    ),
}
