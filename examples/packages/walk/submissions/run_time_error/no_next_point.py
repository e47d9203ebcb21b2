import math

points = [tuple(map(int, input().split())) for _ in range(int(input()))]
print(sum(math.dist(points[i], points[i + 1]) for i in range(len(points))))
