"""Which lines give a program away, and which might as well be a sentence."""

from __future__ import annotations

import pytest

from evaluator_service.looks import look_of
from evaluator_service.schema import Language

FIRST_LINES: dict[Language, str] = {
    "python": """
        import os, sys as s  # both
        from math import *
        async def f(x):
        class A:
        @cache
        a, b = 1, 2
        print(1)
        #!/usr/bin/env python3
        '''What it does.'''
        if x:
        for i in range(3):
    """,
    "c": """
        #include <stdio.h>
        # define N 5
        int main(void)
        int main(void) {
        static unsigned long long a[N], b;
        const char *name = "a";
        uint64_t x;
        typedef struct node *list;
        struct Node
        // reads n
        /* reads n */
    """,
    "cpp": """
        using namespace std;
        using ll = long long;
        template<class T>
        std::mt19937 random(1);
        namespace geometry
        class Solution
        auto solve(int n)
        auto start = now();
        vector<pair<int, int>> pairs(int n)
        map<string, int> counts;
        constexpr int N = 100;
        bool f(int x) const noexcept {
        std::string name;
    """,
    "java": """
        import java.util.*;
        import static java.lang.Math.max;
        package contest;
        @SuppressWarnings("unchecked")
        public final class Main
        class Main extends Thread
        interface Op<T>
        record Pair(int a, int b) {}
        private int count;
        public static void main(String[] args)
        System.out.println(1);
        void main() {
    """,
    "javascript": """
        const {a, b} = f();
        export const [x] = [1];
        let n = 5
        var a, b;
        async function f(x)
        function* count()
        import fs from 'fs'
        import * as fs from "fs"
        import "./a.js";
        "use strict";
        #!/usr/bin/env node
        module.exports = f
        console.log(1)
        process.stdin.on('data', f)
        require('fs')
        (function () { f() })()
        (async () => 1)()
        const f = async (x) => {
    """,
    "typescript": """
        const x: number[] = [];
        let f: (n: number) => number = g;
        function first<T>(all: T[]): T
        import type { A } from './a'
        export type Graph<T> = Map<T, T[]>
        declare const process: any;
        interface Edge { to: number }
    """,
    "rust": """
        use std::io::{self, Read};
        pub use a::b as c;
        fn main()
        pub(crate) const fn f<T>(x: T) -> T
        struct Point(i32, i32);
        const N: usize = 5;
        static mut COUNT: [i32; 3] = [
        extern crate libc;
        macro_rules! add
        #![allow(dead_code)]
        #[derive(Clone)]
        impl<T> Tree<T> {
    """,
    "go": """
        package main
        import "fmt"
        import (
        func (s *stack) push(n int)
        func f[T any](x T)
        type stack struct{}
        type (
        const N = 5
        var x, y = 1, 2
        var a []int
    """,
    "bash": """
        #!/bin/sh
        set -euo pipefail
        declare -A seen
        n=5
        export PATH="$PATH:/x"
        seen[$x]=1
        read a b
        read -r n
        echo "$n"
        printf '%d' 5
        function f {
        solve-it() {
        while read x
        if grep -q x; then
        for ((i = 0; i < n; i++))
        for x in "$@"
        for i in {1..5}
        for i in 1 2 3; do
        case $x in
        [[ -n $x ]] && f
        (( n > 0 ))
        awk '{ print $1 }'
        sort -n
    """,
}

SENTENCES = """
    import this idea into your mind.
    from here on import is easy
    for example:
    class struggle is no topic here
    # A heading
    ## Including what
    double check, then answer
    short answer (see below)
    long story short, it is sorted
    n<10 (small)
    auto-vectorised code is quick
    static analysis: none needed
    struct is a keyword
    using std::sort we get O(n log n)
    import java knowledge first
    public transport is no class
    package it well
    @ home
    let us see what function it is
    const correctness matters
    export it (as usual)
    function calls (each of them) cost
    type the number
    declare what you mean
    use std as you like
    pub quiz
    read the input
    read it carefully (twice)
    set it up
    echo it
    if n > 0 we print it
    for each line in the file
    while you wait
    case in point
    [1] See there.
    The set is {1, 2}
    It is \\frac{
"""


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


@pytest.mark.parametrize(
    ("language", "line"),
    [(name, line) for name, text in FIRST_LINES.items() for line in _lines(text)],
)
def test_a_line_that_can_only_be_code_begins_a_program(language: Language, line: str) -> None:
    assert look_of(language).begins_program(line)


@pytest.mark.parametrize("line", _lines(SENTENCES))
def test_a_sentence_begins_no_program_in_any_language(line: str) -> None:
    assert [name for name in FIRST_LINES if look_of(name).begins_program(line)] == []
