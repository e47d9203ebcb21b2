import ctypes
import os
import signal


def attack():
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    about = ctypes.create_string_buffer(128)
    ctypes.cast(about, ctypes.POINTER(ctypes.c_int))[2] = -1  # SI_QUEUE
    queued, call = 0, ctypes.CDLL(None).syscall
    while call(129, os.getpid(), 40, about) == 0 and queued < 10**6:  # rt_sigqueueinfo
        queued += 1
    print("refused", queued < 10**6)


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
