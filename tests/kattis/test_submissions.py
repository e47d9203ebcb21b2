"""Labelled submissions: their files, language, main file, and where their label stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from evaluator_service.kattis import Labelled, Package
from evaluator_service.kattis.expectations import Rule
from evaluator_service.verdicts import Verdict
from tests.kattis.formats import NEW

Load = Callable[..., Package]
Refused = Callable[..., str]

JAVA = "class A { public static void main(String[] a) {} }"


@pytest.fixture
def only(load: Load) -> Callable[..., Labelled]:
    """The only submission of a package with these files in ``submissions/``."""

    def submission(files: Mapping[str, str | bytes], yaml: str = "") -> Labelled:
        [found] = load(
            {"problem.yaml": yaml, **{f"submissions/{k}": v for k, v in files.items()}}
        ).submissions
        return found

    return submission


Only = Callable[..., Labelled]


# --- programs -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("a.py", "python"), ("a.py3", "python"), ("a.c", "c"), ("a.cc", "cpp"), ("a.cpp", "cpp"), ("a.cxx", "cpp"),
        ("a.c++", "cpp"), ("a.C", "cpp"), ("A.java", "java"), ("a.js", "javascript"), ("a.ts", "typescript"),
        ("a.rs", "rust"), ("a.go", "go"), ("a.sh", "bash"),
    ],
)  # fmt: skip
def test_the_ending_says_the_language(only: Only, name: str, language: str) -> None:
    found = only({f"accepted/{name}": "x"})
    assert (found.path, found.source.language) == (f"accepted/{name}", language)
    assert (found.source.code, found.source.files) == ("x", {})


def test_the_language_of_most_files_wins(only: Only) -> None:
    assert (
        only({"accepted/a/x.c": "", "accepted/a/y.c": "", "accepted/a/z.cpp": ""}).source.language
        == "c"
    )
    assert only({"accepted/a/x.c": "", "accepted/a/z.cpp": ""}).source.language == "cpp"


@pytest.mark.parametrize(
    ("files", "main"),
    [
        ({"b.py": "", "a.py": ""}, "a.py"),
        ({"b.py": "", "main.py": ""}, "main.py"),
        ({"B.java": JAVA, "A.java": "class B {}"}, "B.java"),
        ({"Main.java": "", "A.java": JAVA}, "Main.java"),
        ({"b.cpp": "#include <x>\nint main(int n, char** a) {\n}", "a.cpp": "int f();"}, "b.cpp"),
        ({"src/b.go": "func main() {}", "a.go": "func f() {}"}, "src/b.go"),
        ({"b.rs": "fn main() {}", "a.rs": "fn f() {}", "z.txt": "fn main() {}"}, "b.rs"),
    ],
)  # fmt: skip
def test_the_main_file_is_found_by_name_then_by_what_is_in_it(
    only: Only, files: dict[str, str], main: str
) -> None:
    source = only({f"accepted/s/{name}": text for name, text in files.items()}).source
    assert source.main == main
    assert source.files == {name: text for name, text in files.items() if name != main}


def test_submissions_yaml_may_name_language_and_main_file(only: Only) -> None:
    files = {"accepted/s/main.py": "", "accepted/s/start.py": "", "accepted/s/lib.c": ""}
    yaml = "accepted/s:\n  language: python3\n  entrypoint: start\n"
    found = only({**files, "submissions.yaml": yaml}, NEW).source
    assert (found.language, found.main) == ("python", "start.py")


def test_included_files_take_the_place_of_a_submissions_own(load: Load) -> None:
    files = {
        "submissions/accepted/a.py": "import main",
        "submissions/accepted/b/main.py": "own",
        "include/python3/main.py": "driver",
        "include/default/data.txt": "1",
        "include/cpp/grader.h": "x",
    }
    a, b = load(files).submissions
    assert (a.source.main, a.source.code) == ("main.py", "driver")
    assert a.source.files == {"a.py": "import main", "data.txt": "1"}
    assert b.source.code == "driver"


@pytest.mark.parametrize(
    ("name", "language", "why"),
    [
        ("accepted/a.kt", "kotlin", "kotlin is not judged here"),
        ("accepted/a.py2", "python2", "python2 is not judged here"),
        ("accepted/README.md", None, "no programming language is known by .md"),
        ("accepted/Makefile", None, "no programming language is known by Makefile"),
        ("mixed/a.py", "python", "nothing says what is expected of it"),
        ("a.py", "python", "nothing says what is expected of it"),
    ],
)
def test_what_cannot_be_judged_is_skipped_and_said(
    load: Load, name: str, language: str | None, why: str
) -> None:
    package = load({f"submissions/{name}": "x"})
    assert package.submissions == ()
    [skipped] = package.skipped
    assert (skipped.path, skipped.language, skipped.why) == (name, language, why)


def test_python_2_is_told_by_its_first_line(load: Load) -> None:
    [skipped] = load({"submissions/accepted/a.py": "#!/usr/bin/env python2\n"}).skipped
    assert skipped.language == "python2"


def test_source_that_is_not_utf_8_is_skipped_and_named(load: Load) -> None:
    [skipped] = load({"submissions/accepted/a.c": b"// \xe9"}).skipped
    assert skipped.why.startswith("submissions/accepted/a.c: not UTF-8")


def test_what_a_compiler_left_there_is_left_behind(only: Only) -> None:
    found = only(
        {"accepted/s/a.py": "", "accepted/s/a.pyc": b"\xff\x00", "accepted/s/__pycache__/x.py": ""}
    )
    assert found.source.files == {}


def test_a_name_that_the_wire_cannot_say_matters_only_where_others_use_it(
    only: Only, load: Load
) -> None:
    assert only({"accepted/my solution.py": "x"}).source.file_name is None
    assert only({"accepted/s/a.py": "", "accepted/s/read me": ""}).source.files == {}
    files = {"submissions/accepted/s/a.py": "", "submissions/accepted/s/my module.py": ""}
    assert "'my module.py' is no name for a file" in load(files).skipped[0].why


# --- labels ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("folder", "old", "new"),
    [
        ("accepted", Rule(permitted=frozenset({"AC"})), None),
        ("wrong_answer", Rule(permitted=frozenset({"AC", "WA"}), required=frozenset({"WA"})), None),
        (
            "time_limit_exceeded",
            Rule(permitted=frozenset({"AC", "WA", "TLE"}), required=frozenset({"TLE"})),
            Rule(permitted=frozenset({"AC", "TLE"}), required=frozenset({"TLE"})),
        ),
        (
            "run_time_error",
            Rule(required=frozenset({"RTE"})),
            Rule(permitted=frozenset({"AC", "RTE"}), required=frozenset({"RTE"})),
        ),
        ("rejected", Rule(required=frozenset({"WA", "TLE", "RTE"})), None),
        ("partially_accepted", Rule(points="some"), None),
    ],
)
def test_a_folder_says_what_the_format_says(
    only: Only, folder: str, old: Rule, new: Rule | None
) -> None:
    assert only({f"{folder}/a.py": ""}).expectation.rules == (old,)
    assert only({f"{folder}/a.py": ""}, NEW).expectation.rules == (new or old,)


def test_an_accepted_submission_of_the_old_format_earns_all_points(only: Only) -> None:
    yaml = "type: scoring"
    assert only({"accepted/a.py": ""}, yaml).expectation.rules[0].points == "all"
    assert only({"accepted/a.py": ""}, NEW + yaml).expectation.rules[0].points is None


def test_only_accepted_submissions_set_the_time_limit(only: Only) -> None:
    assert only({"accepted/a.py": ""}).expectation.sets_time_limit
    assert not only({"wrong_answer/a.py": ""}).expectation.sets_time_limit
    yaml = "accepted/*: {use_for_time_limit: false}"
    assert not only(
        {"accepted/a.py": "", "submissions.yaml": yaml}, NEW
    ).expectation.sets_time_limit


@pytest.mark.parametrize(
    ("comment", "verdicts"),
    [
        ("# @EXPECTED_RESULTS@: CORRECT, WRONG-ANSWER", {Verdict.ACCEPTED, Verdict.WRONG_ANSWER}),
        ("/* @EXPECTED_RESULTS@: TIMELIMIT */", {Verdict.TIME_LIMIT_EXCEEDED}),
        ("# @EXPECTED_RESULTS@: RUN_TIME_ERROR\r\n", {Verdict.RUNTIME_ERROR, Verdict.MEMORY_LIMIT_EXCEEDED}),
        ("# @EXPECTED_RESULTS@: compiler-error", {Verdict.COMPILE_ERROR}),
    ],
)  # fmt: skip
def test_a_comment_labels_what_its_folder_does_not(
    only: Only, comment: str, verdicts: set[Verdict]
) -> None:
    for name in ("mixed/a.py", "a.py"):
        assert only({name: comment}).expectation.verdicts == verdicts
    assert only({"accepted/a.py": comment}).expectation.label == "accepted"


def test_submissions_yaml_replaces_a_folders_rule_and_adds_others(only: Only) -> None:
    yaml = (
        "wrong_answer: {permitted: [AC, WA, TLE]}\n"
        "'{wrong,x}_answer/a*': {secret/1-*: {required: [WA]}, authors: {name: x}}\n"
        "accepted: {permitted: [WA]}\n"
    )
    assert only({"wrong_answer/ab.py": "", "submissions.yaml": yaml}, NEW).expectation.rules == (
        Rule(permitted=frozenset({"AC", "WA", "TLE"}), required=frozenset({"WA"})),
        Rule(scope="secret/1-*", required=frozenset({"WA"})),
    )


def test_the_old_format_does_not_know_submissions_yaml(only: Only) -> None:
    yaml = "accepted: {permitted: [WA]}"
    files = {"accepted/a.py": "", "submissions.yaml": yaml}
    assert only(files).expectation.rules == (Rule(permitted=frozenset({"AC"})),)


@pytest.mark.parametrize(
    ("yaml", "words"),
    [
        (
            "accepted:\n  permitted: [AC, OK]",
            "submissions/submissions.yaml:2: `permitted` has 'OK'",
        ),
        (
            "accepted:\n  score: [1, 2, 3]",
            "submissions/submissions.yaml:2: `score` must be a number",
        ),
        ("accepted:\n  sampel: 3", "submissions/submissions.yaml:2: `sampel` must be a mapping"),
        ("accepted: 3", "submissions/submissions.yaml:1: `accepted` must be a mapping"),
    ],
)
def test_a_label_that_makes_no_sense_is_refused(refused: Refused, yaml: str, words: str) -> None:
    files = {
        "problem.yaml": NEW,
        "submissions/accepted/a.py": "",
        "submissions/submissions.yaml": yaml,
    }
    assert refused(files).startswith(words)
