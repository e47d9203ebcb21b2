import os
import sys


def attack():
    os.abort()

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
