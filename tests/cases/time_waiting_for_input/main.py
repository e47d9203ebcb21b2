import sys


def attack():
    print(repr(sys.stdin.read()), repr(sys.stdin.buffer.read()))

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
