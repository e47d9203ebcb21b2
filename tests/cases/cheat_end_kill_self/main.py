import os
import sys


def attack():
    os.kill(os.getpid(), 9)

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
