import numpy


def attack():
    matrix = numpy.ones((2000, 2000))
    for _ in range(1000):
        matrix = matrix @ matrix
    print(matrix)


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
