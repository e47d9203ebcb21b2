import os
import signal
import time


def wait_for_all():
    try:
        os.wait()
    except ChildProcessError:
        return


def attack():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for _ in range(150):
        if os.fork() == 0:
            os._exit(0)
        wait_for_all()
    for _ in range(12):
        if os.fork() == 0:
            while True:
                pass
    while True:
        time.sleep(0.01)

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
