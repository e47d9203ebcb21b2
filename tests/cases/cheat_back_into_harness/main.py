import os
import sys


def attack():
    os._exit = lambda code: None
    sys.exit = os.kill = lambda *_: None

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
