import os
import sys
import threading


def attack():
    sys.excepthook = threading.excepthook = lambda *_: os._exit(0)
    sys.stderr = None
    raise RuntimeError

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
