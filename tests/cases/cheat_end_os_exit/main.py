import os
import sys


def attack():
    os._exit(0)

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
