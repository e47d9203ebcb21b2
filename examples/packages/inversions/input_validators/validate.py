import sys

text = sys.stdin.read()
n, s, p, q, m = map(int, text.split())
assert text == f"{n} {s} {p} {q} {m}\n"
assert 1 <= n <= 100_000 and 1 <= m <= 10**9 and all(0 <= each < m for each in (s, p, q))
sys.exit(42)
