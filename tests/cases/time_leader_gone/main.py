import ctypes
import threading


def forever():
    while True:
        pass


def attack():
    threading.Thread(target=forever).start()
    ctypes.CDLL(None).syscall(60, 0)  # exit of this thread alone

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
