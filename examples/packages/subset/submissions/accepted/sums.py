n, t = map(int, input().split())
coins = list(map(int, input().split()))

last = {0: 0}  # of each sum: the position of the coin that made it
for position, coin in enumerate(coins, 1):
    for total in sorted(last, reverse=True):
        if total + coin <= t:
            last.setdefault(total + coin, position)

positions = []
while t:
    positions.append(last[t])
    t -= coins[last[t] - 1]
print(len(positions))
print(*positions)
