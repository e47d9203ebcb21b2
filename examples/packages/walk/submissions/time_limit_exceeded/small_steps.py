points = [tuple(map(int, input().split())) for _ in range(int(input()))]
length = 0.0
for (a, b), (c, d) in zip(points, points[1:] + points[:1]):
    square, root = (a - c) ** 2 + (b - d) ** 2, 0.0
    while root * root < square:
        root += 1e-7
    length += root
print(length)
