"""What programs written elsewhere rely on: names of standard files, commands by their usual names, names of classes."""

from __future__ import annotations

import shutil
import time
from typing import Any

import pytest

from evaluator_service.judge import Judge
from evaluator_service.schema import Judgement, Submission, problem_id
from evaluator_service.verdicts import Verdict
from evaluator_service.work import Work
from sandbox.languages import LANGUAGES, main_file_of
from tests.languages.sources import skip_unless_here

pytestmark = [pytest.mark.nsjail, pytest.mark.languages]


def echoed(judge: Judge, language: str, code: str, **more: Any) -> Judgement:
    skip_unless_here(language)
    problem = {"kind": "stdio", "tests": [{"input": "echo\n", "expected": "echo\n"}]}
    fields = {"language": language, "code": code, "problem": problem, "report": "full", **more}
    submission = Submission.model_validate(fields)
    assert submission.problem is not None
    name = problem_id(submission.problem)
    return judge.judge(Work(submission, submission.problem, name, time.monotonic()))


@pytest.mark.parametrize(
    "code",
    [
        "console.log(require('fs').readFileSync('/dev/stdin', 'utf8'))",
        "const fs = require('node:fs'); fs.writeFileSync('/dev/stdout', fs.readFileSync('/dev/stdin'))",
        "require('fs').readFile('/dev/stdin', 'utf8', (error, text) => console.log(text))",
        "require('fs/promises').readFile('/dev/stdin', 'utf8').then(text => console.log(text))",
        "require('fs').createReadStream('/dev/stdin', 'utf8').on('data', text => console.log(text))",
        "const fs = require('fs'); console.log(fs.readFileSync(fs.openSync('/dev/stdin'), 'utf8'))",
        "const fs = require('fs'); fs.writeFileSync('a', 'echo'); console.log(fs.readFileSync('a', 'utf8'))",
    ],
)
def test_javascript_finds_its_standard_files_by_name(judge: Judge, code: str) -> None:
    judgement = echoed(judge, "javascript", code)
    assert judgement.verdict is Verdict.ACCEPTED, judgement


def test_modules_of_javascript_do_so_too(judge: Judge) -> None:
    code = "import { readFileSync } from 'fs';\nconsole.log(readFileSync('/dev/stdin', 'utf8'))"
    judgement = echoed(judge, "javascript", code, file_name="main.mjs")
    assert judgement.verdict is Verdict.ACCEPTED, judgement


@pytest.mark.skipif(shutil.which("awk") is None, reason="no awk")
def test_commands_that_are_links_to_one_of_several_are_there(judge: Judge) -> None:
    assert echoed(judge, "bash", "awk '{ print $1 }'").verdict is Verdict.ACCEPTED


SAYS = 'class %s { public static void main(String[] words) { System.out.println("%s"); } }'


def test_java_starts_the_class_that_its_main_file_is_named_after(judge: Judge) -> None:
    files = {"Helper.java": SAYS % ("Helper", "wrong"), "Main.java": SAYS % ("Main", "wrong")}
    code = "package a.b; " + SAYS % ("Solution", "echo")
    judgement = echoed(judge, "java", code, file_name="Solution.java", files=files)
    assert judgement.verdict is Verdict.ACCEPTED, judgement


def test_java_needs_no_name_for_the_file_of_its_public_class(judge: Judge) -> None:
    code = "class Helper {}\npublic " + SAYS % ("Solution", "echo")
    assert echoed(judge, "java", code).verdict is Verdict.ACCEPTED


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("public class Solution {}", "Solution.java"),
        ("  public final  class A {\n  public static class B {}\n}", "A.java"),
        ("public abstract class Shape {}", "Shape.java"),
        ("public record Point(int x) {}", "Point.java"),
        ("class Solution {}", "Main.java"),
        ("/*\npublic class Old {}\n*/\npublic class Main {}", "Main.java"),
        ("public class Größe {}", "Main.java"),
        ("public class " + "A" * 200, "Main.java"),
        ("\n \t" * 300_000, "Main.java"),
    ],
)
def test_the_file_of_java_is_named_after_its_public_class(code: str, name: str) -> None:
    assert main_file_of(LANGUAGES["java"], code.encode()) == name


def test_files_of_other_languages_are_called_as_ever() -> None:
    assert main_file_of(LANGUAGES["cpp"], b"public class Solution {}") == "solution.cpp"
