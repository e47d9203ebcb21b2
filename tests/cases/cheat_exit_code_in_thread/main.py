import atexit
import os
import threading


def attack():
    atexit.register(os._exit, 0)
    threading.Thread(target=os._exit, args=(0,)).start()
    raise ValueError("wrong")

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
