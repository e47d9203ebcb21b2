"""A first program in every language: the sum of two numbers. For ``doctor``, which tries what this machine has."""

from __future__ import annotations

from collections.abc import Mapping

from .builds import Sources, command_of
from .errors import SandboxError
from .model import RunLimits
from .slot import Slot
from .toolchains import Toolchain

_PYTHON = "print(sum(map(int, input().split())))\n"

SUMS: Mapping[str, str] = {
    "c": r"""
#include <stdio.h>

int main(void) {
    int a, b;
    if (scanf("%d %d", &a, &b) != 2) return 1;
    printf("%d\n", a + b);
}
""",
    "cpp": r"""
#include <bits/stdc++.h>

int main() {
    int a, b;
    std::cin >> a >> b;
    std::cout << a + b << std::endl;
}
""",
    "java": r"""
import java.util.Scanner;

public class Main {
    public static void main(String[] arguments) {
        Scanner input = new Scanner(System.in);
        System.out.println(input.nextInt() + input.nextInt());
    }
}
""",
    "javascript": r"""
const [a, b] = require("fs").readFileSync(0, "utf8").split(" ").map(Number);
console.log(a + b);
""",
    "typescript": r"""
declare const require: (name: string) => any;
const [a, b]: number[] = require("fs").readFileSync(0, "utf8").split(" ").map(Number);
console.log(a + b);
""",
    "rust": r"""
use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let sum: i64 = text.split_whitespace().map(|word| word.parse::<i64>().unwrap()).sum();
    println!("{}", sum);
}
""",
    "go": r"""
package main

import "fmt"

func main() {
    var a, b int
    fmt.Scan(&a, &b)
    fmt.Println(a + b)
}
""",
    "bash": "read a b; echo $((a + b))\n",
}


_INPUT, _OUTPUT = b"20 22\n", b"42"
_LIMITS = RunLimits(
    cpu_time_seconds=10.0,
    wall_time_seconds=60.0,
    memory_bytes=1 << 30,
    output_bytes=1 << 20,
    processes_count=64,
    compile_time_seconds=60.0,
)


def sum_fails(slot: Slot, toolchain: Toolchain) -> str | None:
    """Compile and run the program of a language; why it does not work, or None if it does."""
    language = toolchain.language
    source = sum_in(language.name).encode()
    try:
        build = slot.build(
            toolchain, Sources(language.main_file, {language.main_file: source}), _LIMITS
        )
        if not build.compiled.ok:
            return f"does not compile: {build.compiled.message}"
        with slot.open_program(command_of(toolchain, build, _LIMITS), _LIMITS) as session:
            (outcome,) = session.run_all([_INPUT])
    except SandboxError as error:
        return str(error)
    if outcome.stdout.strip() == _OUTPUT:
        return None
    return (
        outcome.stderr_tail.decode("utf-8", "replace").strip() or f"wrote {outcome.stdout[:100]!r}"
    )


def sum_in(language: str) -> str:
    """The program in this language."""
    return SUMS.get(language, _PYTHON)
