import os
import time


def seen():
    return time.time_ns() - os.stat("/dev/null").st_mtime_ns < 5 * 10**9


def attack():
    try:
        os.utime("/dev/null")
    except OSError:
        pass
    print("marked")


words = input().split()
if words == ["attack"]:
    attack()
elif seen():
    print("seen", seen())
else:
    print(sum(map(int, words[1:])))
