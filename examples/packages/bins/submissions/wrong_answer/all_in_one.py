n, c = map(int, input().split())
print(*[1] * n)
