"""Answers guesses, and counts them."""

import sys
from pathlib import Path

GUESSES_MAX = 10


def reject(why: str) -> None:
    Path(sys.argv[3], "judgemessage.txt").write_text(f"{why}\n")
    sys.exit(43)


def answer(word: str) -> None:
    try:
        print(word, flush=True)
    except BrokenPipeError:
        reject("it ended before it was answered")


number = int(Path(sys.argv[1]).read_text())
for _ in range(GUESSES_MAX):
    line = sys.stdin.readline()
    if not line.strip().isdecimal() or not line.strip().isascii():
        reject(f"no guess: {line[:20]!r}")
    guess = int(line)
    if guess == number:
        answer("correct")
        if sys.stdin.read().strip():
            reject("it went on after the right guess")
        sys.exit(42)
    answer("higher" if number > guess else "lower")
reject(f"not found with {GUESSES_MAX} guesses")
