import ctypes
import os
import signal


def attack():
    if ctypes.CDLL(None).syscall(56, 0x4000 | 17, 0, 0, 0, 0) == 0:  # clone(CLONE_VFORK | SIGCHLD)
        os.kill(os.getpid(), signal.SIGSTOP)


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
