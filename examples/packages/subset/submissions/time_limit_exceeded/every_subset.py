n, t = map(int, input().split())
coins = list(map(int, input().split()))
for chosen in range(2**n):
    positions = [i + 1 for i in range(n) if chosen >> i & 1]
    if sum(coins[i - 1] for i in positions) == t:
        print(len(positions))
        print(*positions)
        break
