n, a, p, q, m = map(int, input().split())
while n:
    a = (p * a + q) % m
print(a)
