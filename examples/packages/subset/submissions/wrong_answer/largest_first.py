n, t = map(int, input().split())
coins = list(map(int, input().split()))
positions = []
for coin, position in sorted(zip(coins, range(1, n + 1)), reverse=True):
    if coin <= t:
        positions.append(position)
        t -= coin
print(len(positions))
print(*positions)
