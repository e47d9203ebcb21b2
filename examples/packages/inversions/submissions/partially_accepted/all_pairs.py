# 50 points: too slow for the long sequences.
n, a, p, q, m = map(int, input().split())
sequence = []
for _ in range(n):
    sequence.append(a)
    a = (p * a + q) % m
print(sum(sequence[i] > value for j, value in enumerate(sequence) for i in range(j)))
