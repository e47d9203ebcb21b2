n, a, p, q, m = map(int, input().split())
count = 0
for _ in range(n - 1):
    following = (p * a + q) % m
    count += a > following
    a = following
print(count + 1)
