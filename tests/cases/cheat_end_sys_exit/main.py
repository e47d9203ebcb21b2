import os
import sys


def attack():
    sys.exit(0)

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
