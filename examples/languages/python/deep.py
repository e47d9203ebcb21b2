import sys

sys.setrecursionlimit(10**6)


def depth(n):
    return 1 + depth(n - 1) if n else 0


print(depth(100_000))
