import sys

first, second = sys.stdin.read().splitlines()
n, c = map(int, first.split())
weights = list(map(int, second.split()))
assert 1 <= n <= 12 and 1 <= c <= 1000
assert len(weights) == n and all(1 <= weight <= c for weight in weights)
sys.exit(42)
