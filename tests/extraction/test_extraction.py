"""What counts as the program in a model's answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator_service.extraction import Extracted, extract, program_of
from evaluator_service.schema import BatchSubmission

FOUND_CASES = {
    "a tagged fence": ("Sure:\n```python\nprint(1)\n```\nDone.", "print(1)"),
    "the last of several": ("```python\nprint(1)\n```\nBetter:\n```py\nprint(2)\n```", "print(2)"),
    "tags in any case": ("```Python3\nprint(1)\n```", "print(1)"),
    "a tag with attributes": ('```{.python title="a.py"}\nprint(1)\n```', "print(1)"),
    "an untagged fence": ("```\nprint(1)\n```", "print(1)"),
    "tagged before untagged": ("```python\nprint(1)\n```\nIt prints:\n```\n1\n```", "print(1)"),
    "no other languages": ("```python\nprint(1)\n```\n```bash\npython a.py\n```", "print(1)"),
    "tildes": ("~~~python\nprint('```')\n~~~", "print('```')"),
    "four backticks around three": ("````python\nx = '''\n```\n'''\n````", "x = '''\n```\n'''"),
    "a docstring with an indented fence": (
        '```python\ndef f():\n    """\n    ```\n    f()\n    ```\n    """\n```',
        'def f():\n    """\n    ```\n    f()\n    ```\n    """',
    ),
    "an indented fence": ("- Run\n\n  ```python\n  if 1:\n      f()\n  ```", "if 1:\n    f()"),
    "a fence in a list item": ("1. ```python\n   print(1)\n   ```", "print(1)"),
    "a fence after words": ("Answer: ```python\nprint(1)\n```", "print(1)"),
    "CRLF line ends": ("```python\r\nx = 1\r\nprint(x)\r\n```\r\n", "x = 1\nprint(x)"),
    "end marks behind the fence": ("```python\nprint(1)\n```</answer><|im_end|>", "print(1)"),
    "a whole answer shown as Markdown": ("```markdown\n```python\nprint(1)\n```\n```", "print(1)"),
    "bracket markers": ("[PYTHON]\nprint(1)\n[/PYTHON]", "print(1)"),
    "a fence that the prompt opened": ("import sys\nx = 1\n```\nDone.", "import sys\nx = 1"),
    "prose that begins like code": ("x = 1 to start:\n```python\nprint(1)\n```", "print(1)"),
    "an answer after a thought": (
        "<think>\n```python\nprint(0)\n```\n</think>\n```python\nprint(1)\n```",
        "print(1)",
    ),
    "a thought that the prompt began": ("hm, f(0)?</think>\n```python\nprint(1)\n```", "print(1)"),
    "a program that prints tags": (
        "```python\nprint('<think>')\n```",
        "print('<think>')",
    ),
    "blank fences passed over": ("```python\nprint(1)\n```\n```python\n\n```", "print(1)"),
}


@pytest.mark.parametrize(("completion", "code"), FOUND_CASES.values(), ids=FOUND_CASES)
def test_a_closed_fence_is_found(completion: str, code: str) -> None:
    assert extract(completion) == Extracted(code, "fenced", complete=True)


def test_an_unclosed_fence_reaches_to_the_end_and_is_not_complete() -> None:
    assert extract("So:\n```python\nx = 1\nprint(") == Extracted(
        "x = 1\nprint(", "unclosed_fence", complete=False
    )


def test_a_whole_draft_is_used_before_half_a_rewrite_but_the_answer_is_not_complete() -> None:
    rewritten = "```python\nprint(1)\n```\nWait, better:\n```python\ndef f("
    assert extract(rewritten) == Extracted("print(1)", "fenced", complete=False)


def test_a_cut_off_program_wins_over_an_untagged_example() -> None:
    assert extract("```\n1 2\n```\n```python\ndef f(") == Extracted(
        "def f(", "unclosed_fence", complete=False
    )


def test_an_example_that_is_cut_off_does_not_make_the_program_incomplete() -> None:
    assert extract("```python\nprint(1)\n```\nOutput:\n```\n1").complete


@pytest.mark.parametrize("tag", ["<think>", "<thinking>", "<Think>"])
def test_a_thought_that_never_ends_holds_no_answer(tag: str) -> None:
    assert extract(f"{tag}\n```python\nprint(1)\n```") == Extracted(None, "none", complete=False)


def test_a_fence_that_has_just_been_opened_is_cut_off() -> None:
    assert extract("Here:\n```python\n") == Extracted(None, "none", complete=False)


@pytest.mark.parametrize(
    "completion",
    [
        "",
        "I cannot solve this.",
        "```bash\nls\n```",
        "```cpp\nx = 5;\n```",
        "```python\nprint(0)\n```\nor so I thought.</think>\nI give up.",
        "For example:\nfor example:\nimport this idea into your mind.\n\n# A heading",
        "Use `print(1)` and ```print(2)``` inline.",
    ],
)
def test_prose_and_other_languages_hold_no_code(completion: str) -> None:
    assert extract(completion) == Extracted(None, "none", complete=True)


UNFENCED_CASES = {
    "a plain program": ("import sys\n\nprint(1)\n", "import sys\n\nprint(1)"),
    "prose around": (
        "The answer is\n\nn = int(input())\nfor i in range(n):\n    print(i)\n\nHope it helps.",
        "n = int(input())\nfor i in range(n):\n    print(i)",
    ),
    "an indented block": (
        "Try:\n\n    def f():\n        return 1\n\nBye.",
        "def f():\n    return 1",
    ),
    "answer tags": ("<answer>\nprint(1)\n</answer>", "print(1)"),
    "a docstring with a fence": (
        'def f():\n    """\n    ```\n    f()\n    ```\n    """\n    return 1',
        'def f():\n    """\n    ```\n    f()\n    ```\n    """\n    return 1',
    ),
}


@pytest.mark.parametrize(("completion", "code"), UNFENCED_CASES.values(), ids=UNFENCED_CASES)
def test_without_a_fence_what_reads_as_a_program_is_one(completion: str, code: str) -> None:
    assert extract(completion) == Extracted(code, "heuristic", complete=True)


def test_code_sent_as_code_is_left_alone() -> None:
    submission = BatchSubmission(code="```python\r\nx", problem="p")
    assert program_of(submission) == Extracted("```python\r\nx", "code", complete=True)


def test_a_completion_is_searched() -> None:
    submission = BatchSubmission(completion="```python\nprint(1)\n```", problem="p")
    assert program_of(submission).method == "fenced"


MARKUP = ["```", "````", "~~~", "python", "[PYTHON]", "[/PYTHON]", "<think>", "</think>", "-", ":"]
TEXTS = ["\n", "\r\n", "  ", "\t", "\ud800", "\x00", "print(1)", "def f():", "x = 1", "words."]
PIECES = st.sampled_from(MARKUP + TEXTS)
COMPLETIONS = st.lists(PIECES | st.text(max_size=5), max_size=40).map("".join)


@given(COMPLETIONS)
def test_the_code_stands_in_the_completion_line_by_line(completion: str) -> None:
    lines = [line.strip(" \t") for line in completion.replace("\r\n", "\n").split("\n")]
    code = extract(completion).code or ""
    wanted = [line.strip(" \t") for line in code.split("\n")]
    pieces = (lines[start : start + len(wanted)] for start in range(len(lines)))
    assert any(_same(piece, wanted) for piece in pieces)


def _same(lines: list[str], wanted: list[str]) -> bool:
    """A thought may end in the middle of the program's first line."""
    return lines[0].endswith(wanted[0]) and lines[1:] == wanted[1:]


@given(COMPLETIONS)
def test_code_is_none_exactly_when_the_method_is_none(completion: str) -> None:
    found = extract(completion)
    assert (found.code is None) == (found.method == "none")


@given(st.text(st.characters(exclude_characters="`~\r"), min_size=1).filter(str.strip))
def test_whatever_is_fenced_comes_back_unchanged(code: str) -> None:
    fenced = f"```python\n{code}\n```"
    assert extract(fenced).code == code or "<think" in code or "[/PYTHON]" in code


HOSTILE_UNITS = [
    *MARKUP,
    *[" ", "\t", "a", "(", "[", "#", ",", "f()", "a.b", "</s>", "\r\n", "\ud800"],
    *["```\n", "```python\n", "\n<think>\n", "x = ", "for in ", "import a, ", "a, ", ") "],
]


@pytest.mark.parametrize("unit", HOSTILE_UNITS)
@pytest.mark.parametrize("beginning", ["", "```", "import a", "f("])
@pytest.mark.parametrize("ending", ["", "`", "\n!"])
def test_hostile_repetition_is_read_at_once(beginning: str, unit: str, ending: str) -> None:
    """Quadratic time would take minutes here, so that it ends at all is the property."""
    assert extract(beginning + unit * (300_000 // len(unit)) + ending).method
