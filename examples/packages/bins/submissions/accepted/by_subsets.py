n, c = map(int, input().split())
weights = list(map(int, input().split()))

fits = [True] * 2**n
for things in range(1, 2**n):
    fits[things] = sum(weights[i] for i in range(n) if things >> i & 1) <= c

best = [(0, 0)] * 2**n  # of each set of things: how many boxes, and what is in the last one
for things in range(1, 2**n):
    first = things & -things
    rest = things ^ first
    chosen, fewest = rest, (n + 1, 0)
    while True:
        box = chosen | first
        if fits[box]:
            fewest = min(fewest, (best[things ^ box][0] + 1, box))
        if not chosen:
            break
        chosen = (chosen - 1) & rest
    best[things] = fewest

boxes, left = [0] * n, 2**n - 1
while left:
    number, box = best[left]
    for i in range(n):
        if box >> i & 1:
            boxes[i] = number
    left ^= box
print(*boxes)
