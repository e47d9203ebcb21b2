import os
import sys


def attack():
    raise SystemExit

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
