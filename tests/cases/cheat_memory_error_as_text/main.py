import sys


def attack():
    sys.exit("MemoryError: " + "x" * 5000)

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
