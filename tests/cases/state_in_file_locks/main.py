import fcntl
import os
import time


def seen():
    for path in ("/dev/null", os.__file__):
        with open(path) as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                return path
    return ""


def attack():
    files = [open(path) for path in ("/dev/null", os.__file__)]
    for file in files:
        fcntl.flock(file, fcntl.LOCK_EX)
    if os.fork() == 0:
        time.sleep(100)
    print("locked")

words = input().split()
if words == ["attack"]:
    attack()
elif seen():
    print("seen", seen())
else:
    print(sum(map(int, words[1:])))
