import os
import signal
import time


def seen():
    return os.listdir("/tmp")


def attack():
    if os.fork() == 0:
        os.setsid()
        for number in set(range(1, 65)) - {9, 19, 32, 33}:
            signal.signal(number, signal.SIG_IGN)
        if os.fork() == 0:
            while True:
                os.write(1, b"99\n")
                os.close(os.open("/tmp/evil", os.O_CREAT))
                time.sleep(0.001)
        os._exit(0)
    time.sleep(0.05)

words = input().split()
if words == ["attack"]:
    attack()
elif seen():
    print("seen", seen())
else:
    print(sum(map(int, words[1:])))
