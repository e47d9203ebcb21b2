import sys


def attack():
    sys.setrecursionlimit(10**9)

    def endless(depth):
        return endless(depth + 1)

    endless(0)

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
