import sys

first, second = sys.stdin.read().splitlines()
n, t = map(int, first.split())
coins = list(map(int, second.split()))
assert 1 <= n <= 40 and 1 <= t <= 40_000
assert len(coins) == n and all(1 <= coin <= 1000 for coin in coins)
sys.exit(42)
