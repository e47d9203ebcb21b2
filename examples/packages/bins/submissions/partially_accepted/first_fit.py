n, c = map(int, input().split())
filled, boxes = [0] * n, []
for weight in map(int, input().split()):
    box = next(box for box in range(n) if filled[box] + weight <= c)
    filled[box] += weight
    boxes.append(box + 1)
print(*boxes)
