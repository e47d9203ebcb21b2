import sys


def attack():
    sys.setrecursionlimit(10**9)

    class Endless:
        def __repr__(self):
            return repr(self)

    repr(Endless())

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
