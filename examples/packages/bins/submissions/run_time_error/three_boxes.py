n, c = map(int, input().split())
filled, boxes = [0, 0, 0], []
for weight in map(int, input().split()):
    box = next(box for box in range(3) if filled[box] + weight <= c)
    filled[box] += weight
    boxes.append(box + 1)
print(*boxes)
