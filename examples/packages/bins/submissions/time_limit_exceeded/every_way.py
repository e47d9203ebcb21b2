from itertools import product

n, c = map(int, input().split())
weights = list(map(int, input().split()))
best = list(range(1, n + 1))
for boxes in product(range(1, n + 1), repeat=n):
    filled = [0] * (n + 1)
    for box, weight in zip(boxes, weights):
        filled[box] += weight
    if max(filled) <= c and len(set(boxes)) < len(set(best)):
        best = boxes
print(*best)
