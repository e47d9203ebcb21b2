import os
from multiprocessing import shared_memory


def seen():
    return os.listdir("/dev/shm")


def attack():
    shared_memory.SharedMemory("evil", create=True, size=64)
    open("/dev/shm/other", "w").close()
    print(len(seen()))
    os._exit(0)

words = input().split()
if words == ["attack"]:
    attack()
elif seen():
    print("seen", seen())
else:
    print(sum(map(int, words[1:])))
