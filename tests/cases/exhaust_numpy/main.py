import numpy


def attack():
    print(numpy.ones(10**10).sum())


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
